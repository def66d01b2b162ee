#include "text.hpp"

namespace weft::python {
namespace {

/// `with pe.repeat(10):` and the like.
struct Block {
  TextRef text;
  std::function<PeBlock(PeProgram&)> open;
  std::optional<PeBlock> block;
};

/// The elements of an array, as values at launch.
std::vector<PeValue> values_of(const py::array& array) {
  std::vector<PeValue> values;
  const bool real = array.dtype().kind() == 'f';
  for (const py::handle v : array.attr("ravel")().attr("tolist")())
    if (real)
      values.emplace_back(py::cast<double>(v));
    else
      values.emplace_back(py::cast<std::int64_t>(v));
  return values;
}

std::vector<int> extents_of(const py::object& shape) {
  if (py::isinstance<py::int_>(shape)) return {py::cast<int>(shape)};
  return py::cast<std::vector<int>>(shape);
}

void bind_vectors(py::module_& m) {
  py::class_<PeValue>(m, "_Value")
      .def(py::init<std::int64_t>())
      .def(py::init<double>())
      .def(py::init([](const py::object& o) {
        return py::hasattr(o, "__index__") ? PeValue(py::cast<std::int64_t>(py::int_(o)))
                                           : PeValue(py::cast<double>(py::float_(o)));
      }));
  py::implicitly_convertible<py::int_, PeValue>();
  py::implicitly_convertible<py::float_, PeValue>();

  py::class_<PeCondition>(m, "Condition",
                          "The question of a branch about two registers of integers.");
  py::class_<PeScalar>(m, "PeScalar", "A register of a PE.")
      .def_property_readonly("register", [](PeScalar s) { return s.reg.index; })
      .def(
          "__eq__", [](PeScalar a, PeScalar b) { return a == b; }, py::is_operator())
      .def(
          "__ne__", [](PeScalar a, PeScalar b) { return a != b; }, py::is_operator())
      .def(
          "__lt__", [](PeScalar a, PeScalar b) { return a < b; }, py::is_operator())
      .def(
          "__ge__", [](PeScalar a, PeScalar b) { return a >= b; }, py::is_operator())
      .def(
          "__gt__", [](PeScalar a, PeScalar b) { return a > b; }, py::is_operator())
      .def(
          "__le__", [](PeScalar a, PeScalar b) { return a <= b; }, py::is_operator())
      .def(
          "__eq__", [](PeScalar a, std::int64_t b) { return a == PeValue(b); }, py::is_operator())
      .def(
          "__ne__", [](PeScalar a, std::int64_t b) { return a != PeValue(b); }, py::is_operator())
      .def(
          "__lt__", [](PeScalar a, std::int64_t b) { return a < PeValue(b); }, py::is_operator())
      .def(
          "__ge__", [](PeScalar a, std::int64_t b) { return a >= PeValue(b); }, py::is_operator())
      .def(
          "__gt__", [](PeScalar a, std::int64_t b) { return a > PeValue(b); }, py::is_operator())
      .def(
          "__le__", [](PeScalar a, std::int64_t b) { return a <= PeValue(b); }, py::is_operator())
      .def("__hash__", [](PeScalar s) { return static_cast<int>(s.reg.index); });

  py::class_<PeVector>(
      m, "PeVector",
      "The operand of a vector instruction: a view of elements in a PE's memory, or "
      "a stream of wavelets.")
      .def_property_readonly("name", &PeVector::name)
      .def_property_readonly("size", &PeVector::size)
      .def_property_readonly("shape",
                             [](const PeVector& v) {
                               py::tuple shape(v.dimensions());
                               for (int d = 0; d < v.dimensions(); ++d)
                                 shape[static_cast<std::size_t>(d)] = v.extent(d);
                               return shape;
                             })
      .def_property_readonly("dtype", [](const PeVector& v) { return dtype_of(v.type()); })
      .def("slice", &PeVector::slice, py::arg("first"), py::arg("count"), py::arg("step") = 1)
      .def("at", &PeVector::at, py::arg("index"))
      .def("row", &PeVector::row, py::arg("r"))
      .def("column", &PeVector::column, py::arg("c"))
      .def("block", &PeVector::block, py::arg("r"), py::arg("c"), py::arg("rows"),
           py::arg("columns"))
      .def("flat", &PeVector::flat)
      .def("repeated", &PeVector::repeated, py::arg("times"))
      .def("tiled", &PeVector::tiled, py::arg("times"))
      .def("moved_by_bytes", &PeVector::moved_by_bytes, py::arg("bytes"));

  py::class_<Operation>(m, "PeOperation", "A vector operation that a program has issued.")
      .def("async_",
           [](Operation& o) -> Operation& {
             (void)o.text->get();
             o.operation.async();
             return o;
           })
      .def("then_activate",
           [](Operation& o, const Task& task) -> Operation& {
             (void)o.text->get();
             o.operation.then_activate(task);
             return o;
           })
      .def("then_unblock", [](Operation& o, const Task& task) -> Operation& {
        (void)o.text->get();
        o.operation.then_unblock(task);
        return o;
      });
  py::class_<Task>(m, "Task", "A task of a program.").def_readonly("id", &Task::id);
}

template <class... A>
auto op2(PeOperation (PeProgram::*method)(A...)) {
  return [method](const TextRef& t, A... a) { return Operation{t, (t->get().*method)(a...)}; };
}

std::shared_ptr<Block> block(const TextRef& t, std::function<PeBlock(PeProgram&)> open) {
  (void)t->get();
  return std::make_shared<Block>(Block{t, std::move(open), {}});
}

void bind_flow(py::class_<Text, TextRef>& c) {
  c.def(
      "repeat",
      [](const TextRef& t, int times) {
        return block(t, [times](PeProgram& p) { return p.open_repeat(times); });
      },
      py::arg("times"), "with pe.repeat(10): ...");
  c.def(
      "repeat",
      [](const TextRef& t, PeScalar times) {
        return block(t, [times](PeProgram& p) { return p.open_repeat(times); });
      },
      py::arg("times"));
  c.def(
      "range",
      [](const TextRef& t, PeScalar i, int first, int end, int step) {
        return block(t, [=](PeProgram& p) { return p.open_range(i, first, end, step); });
      },
      py::arg("i"), py::arg("first"), py::arg("end"), py::arg("step") = 1,
      "with pe.range(i, 0, 10): i counts up");
  c.def(
      "repeat_while",
      [](const TextRef& t, const PeCondition& condition) {
        return block(t, [condition](PeProgram& p) { return p.open_repeat_while(condition); });
      },
      py::arg("condition"), "with pe.repeat_while(i < 7): ...");
  c.def(
      "when",
      [](const TextRef& t, const PeCondition& condition) {
        return block(t, [condition](PeProgram& p) { return p.open_when(condition); });
      },
      py::arg("condition"), "with pe.when(i == 3) as then: ...; with then.otherwise(): ...");
  c.def(
      "wait",
      [](const TextRef& t, const py::args& operations) {
        std::vector<PeOperation> all;
        const auto add = [&](const py::handle& o) {
          const auto& operation = py::cast<const Operation&>(o);
          if (operation.text != t)
            throw Error(ErrorCategory::usage, "an operation is of another program's text",
                        "each text waits for its own", "wait in the text that issued it");
          all.push_back(operation.operation);
        };
        for (const py::handle o : operations)
          if (py::isinstance<Operation>(o))
            add(o);
          else
            for (const py::handle each : o) add(each);
        t->get().wait(all);
      },
      "Code goes on below when all these operations (or lists of them) have ended.");
  c.def(
      "task",
      [](const TextRef& t, const std::string& name, const py::function& body,
         std::optional<int> id) {
        return t->get().task(
            name, [&] { body(); }, id);
      },
      py::arg("name"), py::arg("body"), py::arg("id") = py::none());
  c.def(
      "on_data",
      [](const TextRef& t, Color color, const py::function& body, const py::object& dtype) {
        return t->get().on_data(color, element_type(dtype), [&](PeScalar s) { body(s); });
      },
      py::arg("color"), py::arg("body"), py::arg("dtype") = "uint32",
      "The task that data wavelets of the color start; body(payload) writes it.");
  c.def(
      "on_control",
      [](const TextRef& t, int entry, const py::function& body) {
        return t->get().on_control(entry, [&](PeScalar s) { body(s); });
      },
      py::arg("entry"), py::arg("body"));
  c.def(
      "start_unblocked", [](const TextRef& t, Color color) { t->get().start_unblocked(color); },
      py::arg("color"), "The color's control wavelets start tasks from launch on.");
  c.def("activate", [](const TextRef& t, const Task& task) { t->get().activate(task); });
  c.def("block", [](const TextRef& t, const Task& task) { t->get().block(task); });
  c.def("unblock", [](const TextRef& t, const Task& task) { t->get().unblock(task); });
}

void bind_memory(py::class_<Text, TextRef>& c) {
  c.def(
      "array",
      [](const TextRef& t, const std::string& name, const py::object& shape,
         const py::object& dtype) {
        return t->get().array(name, element_type(dtype), extents_of(shape));
      },
      py::arg("name"), py::arg("shape"), py::arg("dtype") = "float32",
      "Elements in memory: the symbol `name` for Fabric.read and write.");
  c.def(
      "values",
      [](const TextRef& t, const std::string& name, const py::array& array) {
        const PeVector v =
            t->get().array(name, element_type(array.dtype()),
                           std::vector<int>(array.shape(), array.shape() + array.ndim()));
        t->get().at_start(v, [values = values_of(array)](int, int) { return values; });
        return v;
      },
      py::arg("name"), py::arg("array"), "Elements with these values at launch.");
  c.def(
      "parameter",
      [](const TextRef& t, const std::string& name, const py::function& value,
         const py::object& dtype) {
        const PeVector v = t->get().array(name, element_type(dtype), {1});
        t->get().at_start(v, [value](int x, int y) {
          return std::vector<PeValue>{py::cast<PeValue>(value(x, y))};
        });
        return v;
      },
      py::arg("name"), py::arg("value"), py::arg("dtype") = "float32",
      "One element with a value of the PE's own at launch: value(x, y).");
  c.def(
      "scalar",
      [](const TextRef& t, const std::string& name, const py::object& dtype) {
        return t->get().scalar(name, element_type(dtype));
      },
      py::arg("name"), py::arg("dtype") = "int32", "A register.");
  c.def(
      "constant",
      [](const TextRef& t, const PeValue& value, const py::object& dtype) {
        return t->get().constant(value, element_type(dtype));
      },
      py::arg("value"), py::arg("dtype"));
  c.def_property_readonly("x", [](const TextRef& t) { return t->get().x(); });
  c.def_property_readonly("y", [](const TextRef& t) { return t->get().y(); });
  c.def(
      "has_neighbor", [](const TextRef& t, Port side) { return t->get().has_neighbor(side); },
      py::arg("side"));
  c.def(
      "where",
      [](const TextRef& t, const std::function<bool(int, int)>& property) {
        return t->get().where(property);
      },
      py::arg("property"), "Whether property(x, y) holds for the PE.");
  c.def(
      "pick",
      [](const TextRef& t, const std::function<int(int, int)>& number) {
        return t->get().pick(number);
      },
      py::arg("number"), "number(x, y) of the PE; each one makes a program of its own.");
  c.def("load", [](const TextRef& t, PeScalar d, const PeVector& e) { t->get().load(d, e); });
  c.def("store", [](const TextRef& t, const PeVector& e, PeScalar s) { t->get().store(e, s); });
  c.def("set", [](const TextRef& t, PeScalar d, PeScalar a) { t->get().set(d, a); });
  c.def("set", [](const TextRef& t, PeScalar d, const PeValue& v) { t->get().set(d, v); });
  c.def(
      "tsc", [](const TextRef& t, PeScalar d) { t->get().tsc(d); }, "d = the cycle counter");
  c.def("shr",
        [](const TextRef& t, PeScalar d, PeScalar a, int bits) { t->get().shri(d, a, bits); });
  c.def("shl",
        [](const TextRef& t, PeScalar d, PeScalar a, int bits) { t->get().shli(d, a, bits); });
  c.def("band",
        [](const TextRef& t, PeScalar d, PeScalar a, PeScalar b) { t->get().band(d, a, b); });
}

void bind_arithmetic(py::class_<Text, TextRef>& c) {
  using V = const PeVector&;
  using P = PeProgram;
  c.def("add", [](const TextRef& t, PeScalar d, PeScalar a, PeScalar b) { t->get().add(d, a, b); });
  c.def("add", [](const TextRef& t, PeScalar d, PeScalar a, PeValue b) { t->get().add(d, a, b); });
  c.def("sub", [](const TextRef& t, PeScalar d, PeScalar a, PeScalar b) { t->get().sub(d, a, b); });
  c.def("mul", [](const TextRef& t, PeScalar d, PeScalar a, PeScalar b) { t->get().mul(d, a, b); });
  c.def("mul", [](const TextRef& t, PeScalar d, PeScalar a, PeValue b) { t->get().mul(d, a, b); });
  c.def("copy", op2(&P::copy), "d = a, also between float16 and float32");
  c.def("fill", op2(static_cast<PeOperation (P::*)(V, PeScalar)>(&P::fill)));
  c.def("fill", op2(static_cast<PeOperation (P::*)(V, PeValue)>(&P::fill)));
  c.def("add", op2(static_cast<PeOperation (P::*)(V, V, V)>(&P::add)), "d = a + b");
  c.def("add", op2(static_cast<PeOperation (P::*)(V, V, PeScalar)>(&P::add)));
  c.def("add", op2(static_cast<PeOperation (P::*)(V, V, PeValue)>(&P::add)));
  c.def("sub", op2(static_cast<PeOperation (P::*)(V, V, V)>(&P::sub)), "d = a - b");
  c.def("mul", op2(static_cast<PeOperation (P::*)(V, V, V)>(&P::mul)), "d = a b");
  c.def("mul", op2(static_cast<PeOperation (P::*)(V, V, PeScalar)>(&P::mul)));
  c.def("mul", op2(static_cast<PeOperation (P::*)(V, V, PeValue)>(&P::mul)));
  c.def("multiply_add", op2(static_cast<PeOperation (P::*)(V, V, V)>(&P::multiply_add)),
        "d = d + a b, rounded once");
  c.def("multiply_add", op2(static_cast<PeOperation (P::*)(V, V, PeScalar)>(&P::multiply_add)));
  c.def("multiply_add", op2(static_cast<PeOperation (P::*)(V, V, PeValue)>(&P::multiply_add)));
  c.def("max", op2(&P::max));
  c.def("negate", op2(&P::negate));
  c.def("absolute", op2(&P::absolute));
  c.def(
      "from_", [](const TextRef& t, Color color, int count) { return t->get().from(color, count); },
      py::arg("color"), py::arg("count") = 0, "Wavelets that come by the color, as a source.");
  c.def(
      "to", [](const TextRef& t, Color color, bool control) { return t->get().to(color, control); },
      py::arg("color"), py::arg("control") = false, "Wavelets to the color, as a destination.");
  c.def("send", op2(&P::send), py::arg("color"), py::arg("a"));
  c.def("receive", op2(&P::receive), py::arg("d"), py::arg("color"));
  c.def("input_queue",
        [](const TextRef& t, Color color, int q) { t->get().input_queue(color, q); });
  c.def("output_queue",
        [](const TextRef& t, Color color, int q) { t->get().output_queue(color, q); });
}

}  // namespace

void bind_pe_program(py::module_& m) {
  bind_vectors(m);
  py::class_<Block, std::shared_ptr<Block>>(m, "_Block")
      .def("__enter__",
           [](const std::shared_ptr<Block>& b) {
             b->block = b->open(b->text->get());
             return b;
           })
      .def("__exit__",
           [](Block& b, const py::object& type, const py::object&, const py::object&) {
             if (type.is_none() && b.block) b.text->get().close(*b.block);
             return false;
           })
      .def(
          "otherwise",
          [](const std::shared_ptr<Block>& when) {
            return block(when->text, [when](PeProgram& p) {
              if (!when->block)
                throw Error(ErrorCategory::usage, "otherwise comes before its condition",
                            "it stands right after the end of a when", "write the when first");
              return p.open_otherwise(*when->block);
            });
          },
          "Right after the end of a when: what is written if its condition does not hold.");
  py::class_<Text, TextRef> text(m, "PeProgram",
                                 "Writes the program of a PE, in a text of Design.program.");
  bind_memory(text);
  bind_arithmetic(text);
  bind_flow(text);
}

}  // namespace weft::python
