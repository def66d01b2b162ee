#include "program_ref.hpp"
#include "values.hpp"

namespace weft::python {

PeValue value_of(const py::object& o) {
  if (PyIndex_Check(o.ptr()) != 0) {
    const py::int_ number(o);
    int too_large = 0;
    const long long value = PyLong_AsLongLongAndOverflow(number.ptr(), &too_large);
    if (too_large == 0) return {value};
    return {py::cast<double>(py::float_(number))};  // only a floating-point type may hold it
  }
  const py::object dtype = py::getattr(o, "dtype", py::none());
  const bool is_complex = py::getattr(dtype, "kind", py::none()).equal(py::str("c"));
  if (is_complex || !py::hasattr(o, "__float__"))
    throw Error(ErrorCategory::usage, std::string(py::repr(o)) + " is not a number",
                "a value is a whole or a real number", "give one");
  return {py::cast<double>(py::float_(o))};
}

namespace {

py::tuple shape_of_vector(const PeVector& v) {
  py::tuple shape(v.dimensions());
  for (int d = 0; d < v.dimensions(); ++d) shape[static_cast<std::size_t>(d)] = v.extent(d);
  return shape;
}

/// "PeVector('u', float32, shape (8, 8), byte 128)", "PeVector(from Color(3))".
std::string text_of_vector(const PeVector& v) {
  if (v.kind() == PeVector::Kind::fifo) return "PeVector(" + v.name() + ")";
  if (v.kind() != PeVector::Kind::memory)
    return std::string("PeVector(") + (v.kind() == PeVector::Kind::input ? "from" : "to") +
           " Color(" + std::to_string(v.color().number) + ")" + (v.control() ? ", control)" : ")");
  const std::string moved =
      v.offset() ? " + register " + std::to_string(v.offset()->reg.index) : "";
  return "PeVector(" + text_of(py::repr(py::str(v.name()))) + ", " + text_of(dtype_of(v.type())) +
         ", shape " + text_of(shape_of_vector(v)) + ", byte " + std::to_string(v.address()) +
         moved + ")";
}

}  // namespace

void bind_vectors(py::module_& m) {
  py::class_<PeValue> number(m, "_Value");
  number.def(py::init(&value_of), py::arg("number"));
  handle(number, kOfProgram, "copy the number");
  py::implicitly_convertible<py::object, PeValue>();

  py::class_<PeCondition> condition(m, "Condition");
  handle(condition, kOfProgram, kWriteProgram);
  condition
      .def(
          "__and__", [](const PeCondition& a, const PeCondition& b) { return a & b; },
          py::is_operator())
      .def(
          "__or__", [](const PeCondition& a, const PeCondition& b) { return a | b; },
          py::is_operator())
      .def("__invert__", [](const PeCondition& a) { return ~a; });
  condition.def("__bool__", [](const PeCondition&) -> bool {
    throw Error(ErrorCategory::usage, "a condition is neither true nor false in a program",
                "the PE evaluates it when the program runs",
                "write with pe.when(condition): ..., and join conditions by &, | and ~: "
                "(i > 2) & (i < 7)");
  });
  py::class_<PeScalar> scalar(m, "PeScalar");
  handle(scalar, kOfProgram, kWriteProgram);
  scalar
      .def("__repr__",
           [](PeScalar s) {
             return "PeScalar(register " + std::to_string(s.reg.index) + ", " +
                    text_of(dtype_of(s.type)) + ")";
           })
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
          "__eq__", [](PeScalar a, const PeValue& b) { return a == b; }, py::is_operator())
      .def(
          "__ne__", [](PeScalar a, const PeValue& b) { return a != b; }, py::is_operator())
      .def(
          "__lt__", [](PeScalar a, const PeValue& b) { return a < b; }, py::is_operator())
      .def(
          "__ge__", [](PeScalar a, const PeValue& b) { return a >= b; }, py::is_operator())
      .def(
          "__gt__", [](PeScalar a, const PeValue& b) { return a > b; }, py::is_operator())
      .def(
          "__le__", [](PeScalar a, const PeValue& b) { return a <= b; }, py::is_operator())
      .def("__hash__", [](PeScalar s) { return static_cast<int>(s.reg.index); });

  py::class_<PeVector> vector(m, "PeVector");
  handle(vector, kOfProgram, kWriteProgram);
  vector.def("__repr__", &text_of_vector)
      .def_property_readonly("name", &PeVector::name)
      .def_property_readonly("address", &PeVector::address)
      .def_property_readonly("size", &PeVector::size)
      .def_property_readonly("shape", &shape_of_vector)
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
      .def("counted", &PeVector::counted, py::arg("count"))
      .def("pairs", &PeVector::pairs)
      .def("moved_by_bytes", &PeVector::moved_by_bytes, py::arg("bytes"))
      .def("strided_by", &PeVector::strided_by, py::arg("elements"))
      .def("counted_by", &PeVector::counted_by, py::arg("elements"));

  py::class_<Operation> operation(m, "PeOperation");
  handle(operation, kOfProgram, kWriteProgram);
  operation
      .def("__repr__",
           [](const Operation& o) {
             return o.program->program == nullptr ? "PeOperation(of a complete program)"
                                                  : "PeOperation(" + o.operation.text() + ")";
           })
      .def("async_",
           [](Operation& o) -> Operation& {
             (void)o.program->get();
             o.operation.async();
             return o;
           })
      .def(
          "then_activate",
          [](Operation& o, const Task& task) -> Operation& {
            (void)o.program->get();
            o.operation.then_activate(task);
            return o;
          },
          py::arg("task"))
      .def(
          "then_unblock",
          [](Operation& o, const Task& task) -> Operation& {
            (void)o.program->get();
            o.operation.then_unblock(task);
            return o;
          },
          py::arg("task"));
  py::class_<PeFifo, PeVector> fifo(m, "Fifo");
  fifo.def("__repr__", [](const PeFifo& f) {
    return "Fifo(number " + std::to_string(f.fifo().index) + ", " + f.name() + ")";
  });
  fifo.def_property_readonly("number", [](const PeFifo& f) { return f.fifo().index; });
  handle(fifo, kOfProgram, kWriteProgram);
  py::class_<Task> task(m, "Task");
  task.def_readonly("id", &Task::id).def("__repr__", [](const Task& t) {
    return "Task(" + std::string(to_string(t.kind)) + " " + std::to_string(t.id) + ")";
  });
  handle(task, kOfProgram, kWriteProgram);
}

}  // namespace weft::python
