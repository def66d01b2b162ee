#include "bind.hpp"

namespace weft::python {

ElementType element_type(const py::object& dtype) {
  const py::dtype d = py::dtype::from_args(dtype);
  const std::string key = d.kind() + std::to_string(d.itemsize());
  if (key == "f4") return ElementType::f32;
  if (key == "f2") return ElementType::f16;
  if (key == "i4") return ElementType::i32;
  if (key == "u4") return ElementType::u32;
  if (key == "i2") return ElementType::i16;
  if (key == "u2") return ElementType::u16;
  if (key == "c8") return ElementType::c64;
  throw Error(ErrorCategory::usage,
              "a PE's memory holds no " + std::string(py::str(static_cast<py::object>(d))),
              "its types are float32, float16, 16- and 32-bit integers and complex64",
              "convert the array with astype, or name one of these types");
}

py::dtype dtype_of(ElementType type) {
  switch (type) {
    case ElementType::f32:
      return py::dtype("float32");
    case ElementType::f16:
    case ElementType::c32:  // pairs
      return py::dtype("float16");
    case ElementType::i32:
      return py::dtype("int32");
    case ElementType::i16:
      return py::dtype("int16");
    case ElementType::u16:
      return py::dtype("uint16");
    case ElementType::c64:
      return py::dtype("complex64");
    default:
      return py::dtype("uint32");
  }
}

void bind_machine(py::module_& m) {
  py::class_<Machine> machine(m, "Machine",
                              "The constants of an emulated machine; the defaults are the profile "
                              "'wse2'. Machine(hop_cycles=2) changes some.");
  machine.def(py::init([](const py::kwargs& changes) {
    Machine made;
    for (const auto& [key, value] : changes) {
      const auto name = py::cast<std::string>(key);
      bool known = name == "name";
      if (known) made.name = py::cast<std::string>(value);
      for (const MachineConstant& c : machine_constants())
        if (c.name == name) {
          if (PyIndex_Check(value.ptr()) == 0)
            throw Error(ErrorCategory::usage, name + " cannot be " + std::string(py::repr(value)),
                        "the constants of a machine are whole numbers", "give one");
          made.*c.member = py::cast<int>(py::int_(py::reinterpret_borrow<py::object>(value)));
          known = true;
        }
      if (!known) parse_machine("{\"" + name + "\": 0}", "Machine()");  // names the nearest
    }
    check_machine(made);
    return made;
  }));
  machine.def_readwrite("name", &Machine::name, "of the profile");
  for (const MachineConstant& c : machine_constants()) {
    const std::string doc = std::string(c.meaning) + " (" + std::string(c.unit) + ", " +
                            std::string(to_string(c.origin)) + ")";
    const auto member = c.member;
    machine.def_property_readonly(
        std::string(c.name).c_str(), [member](const Machine& self) { return self.*member; },
        doc.c_str());
  }
  machine.def("__repr__", [](const Machine& self) {
    std::string text = "Machine(name='" + self.name + "'";
    const Machine defaults;
    for (const MachineConstant& c : machine_constants())
      if (self.*c.member != defaults.*c.member)
        text += ", " + std::string(c.name) + "=" + std::to_string(self.*c.member);
    return text + ")";
  });
  machine.def(
      "__eq__", [](const Machine& a, const Machine& b) { return a == b; }, py::is_operator());
  m.def("_available_cores", &available_cores, "CPU cores that this process may use.");
  m.def("machine", &find_machine, py::arg("name_or_path"),
        "A machine profile: 'wse2', 'wse2-simfab', 'wse2-pencils', or the path of a JSON file.");
}

}  // namespace weft::python
