#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "bind.hpp"
#include "weft/fft.hpp"

/// What users give a plan and its runs, and the arrays that these return. Each throws Error(usage),
/// and what NumPy raises: py::error_already_set.
namespace weft::python {

/// "fp16", "fp32", or a type of NumPy's whose numbers have that many bits.
FftPrecision precision_of(const py::object& precision);

/// One to four sides.
std::vector<std::size_t> sides_of(const py::sequence& shape);

/// Axes that the array does not have are of one number.
Shape3 shape_of(const std::vector<std::size_t>& sides);

std::string sides_text(const std::vector<std::size_t>& sides);

/// None: as many PEs as can be.
FftMesh mesh_of(const py::object& mesh);

/// Anything that NumPy takes as an array of numbers.
py::array array_of_numbers(const py::object& x);

/// All numbers of an array, copied, so that a run needs no GIL.
Volume volume_of(const py::array& any, const Shape3& shape);
/// The numbers of x, an array of these sides.
Volume volume_of(const py::object& x, const Shape3& shape, const std::vector<std::size_t>& sides);

/// The vector's own memory becomes the array's.
py::array array_of(Volume volume, const std::vector<std::size_t>& sides);

}  // namespace weft::python
