#include "text.hpp"

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

void bind_vectors(py::module_& m) {
  py::class_<PeValue>(m, "_Value").def(py::init(&value_of));
  py::implicitly_convertible<py::object, PeValue>();

  py::class_<PeCondition>(m, "Condition",
                          "The question of a branch about two registers of integers: for when and "
                          "repeat_while.")
      .def("__bool__", [](const PeCondition&) -> bool {
        throw Error(ErrorCategory::usage, "a condition is neither true nor false in a text",
                    "the PE finds out when the program runs", "write with pe.when(condition): ...");
      });
  py::class_<PeScalar>(m, "PeScalar", "A register of a PE.")
      .def_property_readonly(
          "register", [](PeScalar s) { return s.reg.index; }, "its number")
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

  py::class_<PeVector>(
      m, "PeVector",
      "The operand of a vector instruction: a view of elements in a PE's memory, or "
      "a stream of wavelets.")
      .def_property_readonly("name", &PeVector::name, "its symbol, or its color")
      .def_property_readonly("address", &PeVector::address, "in memory, in bytes")
      .def_property_readonly("size", &PeVector::size, "elements; of a stream 0, if nothing tells")
      .def_property_readonly(
          "shape",
          [](const PeVector& v) {
            py::tuple shape(v.dimensions());
            for (int d = 0; d < v.dimensions(); ++d)
              shape[static_cast<std::size_t>(d)] = v.extent(d);
            return shape;
          },
          "extents, outermost first")
      .def_property_readonly(
          "dtype", [](const PeVector& v) { return dtype_of(v.type()); }, "of its elements")
      .def("slice", &PeVector::slice, py::arg("first"), py::arg("count"), py::arg("step") = 1,
           "`count` elements from `first` on, `step` apart.")
      .def("at", &PeVector::at, py::arg("index"), "One element.")
      .def("row", &PeVector::row, py::arg("r"), "A row of two dimensions.")
      .def("column", &PeVector::column, py::arg("c"), "A column of two dimensions.")
      .def("block", &PeVector::block, py::arg("r"), py::arg("c"), py::arg("rows"),
           py::arg("columns"), "Rows x columns elements from (r, c) on.")
      .def("flat", &PeVector::flat, "The same elements in one dimension.")
      .def("repeated", &PeVector::repeated, py::arg("times"),
           "Each element so many times, as numpy.repeat: for sources.")
      .def("tiled", &PeVector::tiled, py::arg("times"),
           "All elements so many times, as numpy.tile: for sources.")
      .def("moved_by_bytes", &PeVector::moved_by_bytes, py::arg("bytes"),
           "The view moved on by a number of bytes that a register holds.");

  py::class_<Operation>(m, "PeOperation", "A vector operation that a program has issued.")
      .def(
          "async_",
          [](Operation& o) -> Operation& {
            (void)o.text->get();
            o.operation.async();
            return o;
          },
          "The core goes on at once.")
      .def(
          "then_activate",
          [](Operation& o, const Task& task) -> Operation& {
            (void)o.text->get();
            o.operation.then_activate(task);
            return o;
          },
          py::arg("task"), "The same; at its end the task becomes active.")
      .def(
          "then_unblock",
          [](Operation& o, const Task& task) -> Operation& {
            (void)o.text->get();
            o.operation.then_unblock(task);
            return o;
          },
          py::arg("task"), "The same; at its end the task is unblocked.");
  py::class_<FifoId>(m, "Fifo", "A circular buffer of a program.")
      .def_readonly("number", &FifoId::index, "its number");
  py::class_<Task>(m, "Task", "A task of a program.").def_readonly("id", &Task::id, "its number");
}

}  // namespace weft::python
