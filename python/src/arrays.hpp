#pragma once

#include "bind.hpp"

/// Conversions of what users give. Each throws what it raises: py::error_already_set.
namespace weft::python {

/// Anything that NumPy takes as an array.
py::array as_array(const py::object& given);
/// The same of this type, in C order. Copied only if it is not so already.
py::array as_array(const py::object& given, const py::dtype& type);

/// Python's own numbers as elements of a symbol: rounded, if they are real, but never another
/// number. Throws Error(usage) if its type cannot hold one.
py::array elements_from(const std::string& symbol, const py::object& numbers, ElementType type);

/// An array from anything that NumPy takes as one; of Python's numbers, of 32 bits each. Throws
/// Error(usage) for numbers that no symbol begins with.
py::array launch_values(const std::string& symbol, const py::object& given);

/// The result of a function of the user's. Throws py::cast_error for another type.
bool truth_of(const py::object& result);
int whole_of(const py::object& result);

}  // namespace weft::python
