#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <optional>
#include <utility>

/// Whole numbers of Python's and NumPy's as arguments. pybind11 would take True for 1 and cut
/// NumPy's 2.5 to 2; here a number fits as it is, or not at all.
namespace weft::python {

namespace py = pybind11;

/// Whether o is a whole number: of Python's or NumPy's, and no bool.
inline bool is_whole(py::handle o) {
  return PyIndex_Check(o.ptr()) != 0 && PyBool_Check(o.ptr()) == 0;
}

/// The number, if it is a whole one that T can hold.
template <class T>
std::optional<T> as_whole(py::handle o) {
  if (!is_whole(o)) return {};
  const auto number = py::reinterpret_steal<py::object>(PyNumber_Index(o.ptr()));
  if (!number) {  // an array of several numbers
    PyErr_Clear();
    return {};
  }
  int overflow = 0;
  const std::int64_t value = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
  if (overflow == 0) return std::in_range<T>(value) ? std::optional<T>(value) : std::nullopt;
  if (overflow < 0 || !std::in_range<T>(UINT64_MAX)) return {};
  const std::uint64_t large = PyLong_AsUnsignedLongLong(number.ptr());
  if (PyErr_Occurred() == nullptr) return static_cast<T>(large);
  PyErr_Clear();
  return {};
}

template <class T>
struct WholeCaster {
  PYBIND11_TYPE_CASTER(T, py::detail::const_name("int"));

  WholeCaster() : value(0) {}
  bool load(py::handle from, bool) {
    const std::optional<T> number = as_whole<T>(from);
    if (number) value = *number;
    return number.has_value();
  }
  static py::handle cast(T number, py::return_value_policy, py::handle) {
    return std::in_range<std::int64_t>(number)
               ? PyLong_FromLongLong(static_cast<std::int64_t>(number))
               : PyLong_FromUnsignedLongLong(static_cast<std::uint64_t>(number));
  }
};

}  // namespace weft::python

namespace pybind11::detail {

template <>
struct type_caster<int> : weft::python::WholeCaster<int> {};
template <>
struct type_caster<std::uint8_t> : weft::python::WholeCaster<std::uint8_t> {};
template <>
struct type_caster<std::uint16_t> : weft::python::WholeCaster<std::uint16_t> {};
template <>
struct type_caster<std::uint32_t> : weft::python::WholeCaster<std::uint32_t> {};
template <>
struct type_caster<std::int64_t> : weft::python::WholeCaster<std::int64_t> {};
template <>
struct type_caster<std::uint64_t> : weft::python::WholeCaster<std::uint64_t> {};

}  // namespace pybind11::detail
