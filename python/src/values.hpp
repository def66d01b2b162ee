#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bind.hpp"

/// Bound types are values or handles. A value is its parts: it is equal to another of the same
/// parts, has their hash, can be copied and pickled, and shows them. A handle belongs to something
/// that lives in this process, and says so when it is to be copied or pickled.
namespace weft::python {

/// A part of T, and the name of its property.
template <class T, class M>
struct Part {
  const char* name;
  M T::*member;
};
template <class T, class M>
Part(const char*, M T::*) -> Part<T, M>;

/// Parts as Python sees them, and back.
template <class M>
py::object shown(const M& part) {
  return py::cast(part);
}
inline py::object shown(Engine engine) { return py::str(std::string(to_string(engine))); }
inline py::object shown(const FftMesh& mesh) { return py::make_tuple(mesh.x, mesh.y); }
py::object shown(const PortSet& ports);
/// The same object as C++ has: nothing changes it.
py::object shown(const std::shared_ptr<const Profile>& profile);
inline py::object shown(FindingKind kind) { return py::str(std::string(to_string(kind))); }

template <class M>
void take(M& part, py::handle from) {
  part = py::cast<M>(from);
}
inline void take(Engine& engine, py::handle from) {
  engine = engine_of(py::cast<std::string>(from));
}
inline void take(FftMesh& mesh, py::handle from) {
  const auto [x, y] = py::cast<std::pair<int, int>>(from);
  mesh = {x, y};
}
void take(PortSet& ports, py::handle from);
void take(std::shared_ptr<const Profile>& profile, py::handle from);
void take(FindingKind& kind, py::handle from);

/// A hash of parts, lists and dictionaries among them.
py::ssize_t hash_of(const py::tuple& parts);
/// "Rect(x=0, y=0, width=1, height=1)".
std::string show(const py::object& self, const std::vector<const char*>& names);

/// {"x": 0, "y": 0}; parts that are reports are dictionaries too.
py::dict as_dict(const py::object& self, const std::vector<const char*>& names);
/// The same as a table of HTML.
std::string as_html(const py::object& self, const std::vector<const char*>& names);

/// as_dict() and a table for notebooks.
template <class T>
void tabled(py::class_<T>& type, const std::vector<const char*>& names) {
  type.def("as_dict", [names](const T& self) { return as_dict(py::cast(self), names); });
  type.def("_repr_html_", [names](const T& self) { return as_html(py::cast(self), names); });
}

/// Equality, hash, copies and pickles by a tuple of all that the value is.
template <class T, class ToTuple, class FromTuple>
void value_by(py::class_<T>& type, ToTuple to_tuple, FromTuple from_tuple) {
  type.def(
      "__eq__", [to_tuple](const T& a, const T& b) { return to_tuple(a).equal(to_tuple(b)); },
      py::is_operator());
  type.def("__hash__", [to_tuple](const T& self) { return hash_of(to_tuple(self)); });
  type.def(py::pickle(to_tuple, from_tuple));
}

/// The parts of a tuple, in order.
template <class T, class... M>
T from_parts(const py::tuple& from, const Part<T, M>&... parts) {
  if (from.size() != sizeof...(parts))
    throw Error(ErrorCategory::usage, "cannot read this pickle",
                "another version of Weft has written it", "make the value once more");
  T made{};
  std::size_t n = 0;
  (take(made.*parts.member, from[n++]), ...);
  return made;
}

/// A value with these parts as its properties.
template <class T, class... M>
void value(py::class_<T>& type, Part<T, M>... parts) {
  (type.def_property_readonly(parts.name,
                              [m = parts.member](const T& self) { return shown(self.*m); }),
   ...);
  value_by(
      type, [parts...](const T& self) { return py::make_tuple(shown(self.*parts.member)...); },
      [parts...](const py::tuple& from) { return from_parts<T>(from, parts...); });
  if (type.attr("__dict__").contains("__repr__")) return;
  type.def("__repr__", [names = std::vector<const char*>{parts.name...}](const py::object& self) {
    return show(self, names);
  });
}

/// The same, with as_dict() and a table for notebooks.
template <class T, class... M>
void report(py::class_<T>& type, Part<T, M>... parts) {
  value(type, parts...);
  tabled(type, {parts.name...});
}

/// A handle: of what it is a part, and what to do instead.
template <class Class>
void handle(Class& type, const char* why, const char* instead) {
  type.def(
      "__reduce_ex__",
      [why, instead](const py::object& self, int) -> py::object {
        throw py::type_error("a " + py::cast<std::string>(py::type::of(self).attr("__name__")) +
                             " cannot be copied or pickled (" + why + "); " + instead);
      },
      py::arg("protocol"));
}

inline constexpr const char* kOfProgram = "it belongs to a program, in this process";
inline constexpr const char* kWriteProgram = "copy the values that the program is written from";
inline constexpr const char* kOfDesign = "it has colors and routes of a Design, in this process";
inline constexpr const char* kDesignAgain =
    "call the function that makes the design where it is needed";

}  // namespace weft::python
