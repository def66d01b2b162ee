#include "arrays.hpp"
#include "program_ref.hpp"
#include "values.hpp"

namespace weft::python {
namespace {

/// Extents, from a whole number or several of them.
std::vector<int> extents_of(const py::object& shape) {
  if (is_whole(shape)) return {whole_number<int>(shape, "shape")};
  std::vector<int> extents;
  if (py::isinstance<py::sequence>(shape))
    for (const py::handle extent : shape)
      if (is_whole(extent)) extents.push_back(whole_number<int>(extent, "shape"));
  if (extents.empty() || extents.size() != py::len(shape))
    throw Error(ErrorCategory::usage, "invalid shape: " + std::string(py::str(shape)),
                "a shape is a whole number, or a few of them", "write 8 or (4, 2)");
  return extents;
}

Op op_named(const std::string& name) {
  for (int n = 0; n <= static_cast<int>(Op::tpending); ++n)
    if (const auto op = static_cast<Op>(n); mnemonic(op) == name) return op;
  throw Error(ErrorCategory::usage, "there is no instruction " + name, "docs/isa.md lists them all",
              "use one of these");
}

/// The number of an operand of an instruction: a register, a FIFO, or a number.
std::uint8_t number_of(const PeProgram& program, const py::object& operand) {
  if (py::isinstance<PeScalar>(operand))
    return program.number_of(py::cast<PeScalar>(operand)).index;
  if (py::isinstance<PeFifo>(operand)) return py::cast<PeFifo>(operand).fifo().index;
  const int number = as_whole<int>(operand).value_or(-1);
  if (number < 0 || number > 255)
    throw Error(ErrorCategory::usage, std::string(py::repr(operand)) + " is no operand",
                "an operand is a register, a FIFO, or the number of one or of a descriptor",
                "give one of these");
  return static_cast<std::uint8_t>(number);
}

/// Instructions by name, with numbers of the user's.
void bind_by_number(py::class_<HeldProgram, ProgramRef>& c) {
  c.def(
      "fifo",
      [](const ProgramRef& t, const std::string& name, std::uint32_t capacity, std::uint32_t bytes,
         std::optional<Task> after_push, std::optional<Task> after_pop) {
        return t->get().fifo(name, capacity, bytes, after_push, after_pop);
      },
      py::arg("name"), py::arg("capacity"), py::arg("bytes") = 4,
      py::arg("after_push") = py::none(), py::arg("after_pop") = py::none());
  c.def(
      "instruction",
      [](const ProgramRef& t, const std::string& name, const py::object& d, const py::object& a,
         const py::object& b, std::int32_t immediate) {
        const Op op = op_named(name);
        if (op >= Op::jump && op <= Op::call)
          throw Error(ErrorCategory::usage, name + " leads to a label",
                      "a program in Python has none", "use when, repeat or repeat_while");
        PeProgram& program = t->get();
        program.instruction(
            {op, number_of(program, d), number_of(program, a), number_of(program, b), immediate});
      },
      py::arg("op"), kD = 0, kA = 0, kB = 0, py::arg("immediate") = 0);
  c.def(
      "vector",
      [](const ProgramRef& t, const std::string& name, const PeVector& d, const PeVector& a,
         PeScalar b) {
        return Operation{t, t->get().vector(op_named(name), d, a, b)};
      },
      py::arg("op"), kD, kA, kB);
  c.def(
      "vector",
      [](const ProgramRef& t, const std::string& name, const PeVector& d, const PeVector& a,
         const std::optional<PeVector>& b) {
        const Op op = op_named(name);
        return Operation{t, b ? t->get().vector(op, d, a, *b) : t->get().vector(op, d, a)};
      },
      py::arg("op"), kD, kA, py::arg("b") = py::none());
}

std::vector<PeValue> values_of(const py::object& numbers) {
  std::vector<PeValue> values;
  for (const py::handle v : as_array(numbers).attr("ravel")().attr("tolist")())
    values.push_back(value_of(py::reinterpret_borrow<py::object>(v)));
  return values;
}

void bind_memory(py::class_<HeldProgram, ProgramRef>& c) {
  c.def(
      "array",
      [](const ProgramRef& t, const std::string& name, const py::object& shape,
         const py::object& dtype) {
        return t->get().array(name, element_type(dtype), extents_of(shape));
      },
      py::arg("name"), py::arg("shape"), py::arg("dtype") = "float32");
  c.def(
      "values",
      [](const ProgramRef& t, const std::string& name, const py::object& given) {
        const py::array array = launch_values(name, given);
        const PeVector v =
            t->get().array(name, element_type(array.dtype()), extents_of(array.attr("shape")));
        t->get().at_start(v, [all = values_of(array)](int, int) { return all; });
        return v;
      },
      py::arg("name"), py::arg("array"));
  c.def(
      "parameter",
      [](const ProgramRef& t, const std::string& name, const py::function& value,
         const py::object& dtype) {
        const PeVector v = t->get().array(name, element_type(dtype), {1});
        t->get().at_start(
            v, [value](int x, int y) { return std::vector<PeValue>{value_of(value(x, y))}; });
        return v;
      },
      py::arg("name"), py::arg("value"), py::arg("dtype") = "float32");
  c.def(
      "scalar",
      [](const ProgramRef& t, const std::string& name, const py::object& dtype,
         std::optional<int> number) {
        std::optional<Reg> reg;
        if (number && (*number < 0 || *number >= kRegisters))
          throw Error(ErrorCategory::usage, "there is no register " + std::to_string(*number),
                      "they go from 0 to " + std::to_string(kRegisters - 1), "choose one of these");
        if (number) reg = Reg{static_cast<std::uint8_t>(*number)};
        return t->get().scalar(name, element_type(dtype), reg);
      },
      py::arg("name"), py::arg("dtype") = "int32", py::arg("number") = py::none());
  c.def(
      "at_start",
      [](const ProgramRef& t, const PeVector& symbol, const py::function& values) {
        t->get().at_start(symbol, [values](int x, int y) { return values_of(values(x, y)); });
      },
      py::arg("symbol"), py::arg("values"));
  c.def(
      "constant",
      [](const ProgramRef& t, const PeValue& value, const py::object& dtype) {
        return t->get().constant(value, element_type(dtype));
      },
      py::arg("value"), py::arg("dtype"));
  c.def_property_readonly("x", [](const ProgramRef& t) { return t->get().x(); });
  c.def_property_readonly("y", [](const ProgramRef& t) { return t->get().y(); });
  c.def(
      "has_neighbor", [](const ProgramRef& t, Port side) { return t->get().has_neighbor(side); },
      py::arg("side"));
  c.def(
      "where",
      [](const ProgramRef& t, const py::function& property) {
        return t->get().where([property](int x, int y) { return truth_of(property(x, y)); });
      },
      py::arg("property"));
  c.def(
      "pick",
      [](const ProgramRef& t, const py::function& number) {
        return t->get().pick([number](int x, int y) { return whole_of(number(x, y)); });
      },
      py::arg("number"));
  c.def(
      "load", [](const ProgramRef& t, PeScalar d, const PeVector& e) { t->get().load(d, e); }, kD,
      py::arg("element"));
  c.def(
      "store", [](const ProgramRef& t, const PeVector& e, PeScalar s) { t->get().store(e, s); },
      py::arg("element"), py::arg("s"));
  c.def(
      "set", [](const ProgramRef& t, PeScalar d, PeScalar a) { t->get().set(d, a); }, kD,
      py::arg("value"));
  c.def(
      "set", [](const ProgramRef& t, PeScalar d, const PeValue& v) { t->get().set(d, v); }, kD,
      py::arg("value"));
  c.def(
      "tsc", [](const ProgramRef& t, PeScalar d) { t->get().tsc(t->get().number_of(d)); }, kD);
}

void bind_streams(py::class_<HeldProgram, ProgramRef>& c) {
  using P = PeProgram;
  using V = const PeVector&;
  c.def(
      "from_",
      [](const ProgramRef& t, Color color, int count) { return t->get().from(color, count); },
      py::arg("color"), py::arg("count") = 0);
  c.def(
      "to",
      [](const ProgramRef& t, Color color, bool control) { return t->get().to(color, control); },
      py::arg("color"), py::arg("control") = false);
  c.def("send", op2<Color, V>(&P::send), py::arg("color"), kA);
  c.def("receive", op2<V, Color>(&P::receive), kD, py::arg("color"));
  c.def(
      "input_queue",
      [](const ProgramRef& t, Color color, int q) { t->get().input_queue(color, q); },
      py::arg("color"), py::arg("queue"));
  c.def(
      "output_queue",
      [](const ProgramRef& t, Color color, int q) { t->get().output_queue(color, q); },
      py::arg("color"), py::arg("queue"));
}

}  // namespace

void bind_pe_program(py::module_& m) {
  bind_blocks(m);
  py::class_<HeldProgram, ProgramRef> program(m, "PeProgram");
  handle(program, kOfProgram, kWriteProgram);
  program.def("__repr__", [](const ProgramRef& t) { return t->text; });
  bind_memory(program);
  bind_arithmetic(program);
  bind_streams(program);
  bind_by_number(program);
  bind_flow_and_tasks(program);
}

}  // namespace weft::python
