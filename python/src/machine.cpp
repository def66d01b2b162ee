#include <pybind11/stl/filesystem.h>

#include <filesystem>

#include "values.hpp"

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

namespace {

const MachineConstant* constant_named(const std::string& name) {
  for (const MachineConstant& c : machine_constants())
    if (c.name == name) return &c;
  return nullptr;
}

[[noreturn]] void refuse_name(const std::string& name) {
  py::list known;
  known.append("name");
  for (const MachineConstant& c : machine_constants()) known.append(std::string(c.name));
  const py::object meant = py::module_::import("weft._calls").attr("nearest")(name, known);
  throw Error(ErrorCategory::usage, "a machine has no constant " + name,
              meant.is_none() ? "help(weft.Machine) lists all"
                              : "the nearest is " + py::cast<std::string>(meant),
              "correct or remove it");
}

std::string name_of(py::handle value) {
  if (!py::isinstance<py::str>(value))
    throw Error(ErrorCategory::usage, "invalid name: " + std::string(py::repr(value)),
                "the name of a machine is text", "give a short one");
  return py::cast<std::string>(value);
}

Machine make_machine(const py::kwargs& changes) {
  Machine made;
  for (const auto& [key, value] : changes) {
    const auto name = py::cast<std::string>(key);
    if (name == "name") {
      made.name = name_of(value);
    } else if (const MachineConstant* c = constant_named(name)) {
      made.*c->member = whole_number<int>(value, name);
    } else {
      refuse_name(name);
    }
  }
  try {
    check_machine(made);
  } catch (const Error& e) {
    throw Error(ErrorCategory::usage, e.problem(), e.reason(), e.remedy());
  }
  return made;
}

/// Those that are not the default's, by name.
py::dict constants_of(const Machine& machine) {
  const Machine defaults;
  py::dict changes;
  for (const MachineConstant& c : machine_constants())
    if (machine.*c.member != defaults.*c.member)
      changes[py::str(std::string(c.name))] = machine.*c.member;
  return changes;
}

void set(const py::object& self, const std::string& name, const py::object& value) {
  if (name == "name") {
    py::cast<Machine&>(self).name = name_of(value);
    return;
  }
  if (constant_named(name) == nullptr) refuse_name(name);
  throw Error(ErrorCategory::usage, "a machine does not change",
              "plans and fabrics have been made of it as it is",
              "make another: Machine(" + name + "=" + std::string(py::repr(value)) + ")");
}

}  // namespace

void bind_machine(py::module_& m) {
  py::class_<Machine> machine(m, "Machine");
  machine.def(py::init(&make_machine));
  machine.def_readonly("name", &Machine::name);
  machine.def("__setattr__", &set, py::arg("name"), py::arg("value"));
  for (const MachineConstant& c : machine_constants()) {
    const std::string doc = std::string(c.meaning) + " (" + std::string(c.unit) + ", " +
                            std::string(to_string(c.origin)) + ")";
    const auto member = c.member;
    machine.def_property_readonly(
        std::string(c.name).c_str(), [member](const Machine& self) { return self.*member; },
        doc.c_str());
  }
  machine.def("__repr__", [](const Machine& self) {
    std::string text = "Machine(name=" + std::string(py::repr(py::str(self.name)));
    for (const auto& [name, value] : constants_of(self))
      text += ", " + std::string(py::str(name)) + "=" + std::string(py::str(value));
    return text + ")";
  });
  value_by(
      machine, [](const Machine& self) { return py::make_tuple(self.name, constants_of(self)); },
      [](const py::tuple& from) {
        Machine made = make_machine(py::cast<py::kwargs>(from[1]));
        made.name = py::cast<std::string>(from[0]);
        return made;
      });
  m.def("_available_cores", &available_cores);
  m.def(
      "machine", [](const std::filesystem::path& path) { return find_machine(path.string()); },
      py::arg("name_or_path"));
}

}  // namespace weft::python
