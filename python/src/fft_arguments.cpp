#include "fft_arguments.hpp"

#include <complex>
#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>

#include "arrays.hpp"
#include "weft/error.hpp"
#include "whole_numbers.hpp"

namespace weft::python {

FftPrecision precision_of(const py::object& precision) {
  if (py::isinstance<py::str>(precision)) {
    const auto name = py::cast<std::string>(precision);
    for (const FftPrecision known : {FftPrecision::fp16, FftPrecision::fp32})
      if (name == to_string(known)) return known;
  }
  try {
    if (!precision.is_none()) {
      const py::dtype type = py::dtype::from_args(precision);
      if (type.kind() == 'f' && type.itemsize() == 2) return FftPrecision::fp16;
      if (type.kind() == 'f' && type.itemsize() == 4) return FftPrecision::fp32;
      if (type.kind() == 'c' && type.itemsize() == 8) return FftPrecision::fp32;
    }
  } catch (const py::error_already_set& e) {
    if (!e.matches(PyExc_TypeError)) throw;
  }
  throw Error(ErrorCategory::usage, "invalid precision: " + std::string(py::repr(precision)),
              "transforms are computed in fp16 or fp32",
              "write 'fp16' or numpy.float16, 'fp32' or numpy.float32");
}

std::vector<std::size_t> sides_of(const py::sequence& shape) {
  if (shape.size() < 1 || shape.size() > 4)
    throw Error(ErrorCategory::usage,
                "invalid shape: " + std::to_string(shape.size()) + " dimensions",
                "allowed: one to four", "for several arrays, set batch");
  std::vector<std::size_t> sides;
  for (const py::handle n : shape) {
    const std::optional<std::int64_t> side = as_whole<std::int64_t>(n);
    if (!side || *side < 1)
      throw Error(ErrorCategory::usage,
                  "invalid shape: " + std::string(py::str(static_cast<py::object>(shape))),
                  "a side is a whole number, 1 or more", "give 2^a 3^b 5^c from 4 on");
    sides.push_back(static_cast<std::size_t>(*side));
  }
  if (sides.size() == 4 && sides.back() == 1)
    throw Error(ErrorCategory::usage,
                "invalid shape: " + std::string(py::str(static_cast<py::object>(shape))),
                "an array of four axes has no side of 1", "leave such axes out");
  return sides;
}

Shape3 shape_of(const std::vector<std::size_t>& sides) {
  if (sides.size() == 4) return {sides[0], sides[1], sides[2], sides[3]};
  return {sides.size() > 1 ? sides.front() : 1, sides.size() > 2 ? sides[1] : 1, sides.back()};
}

std::string sides_text(const std::vector<std::size_t>& sides) {
  return py::cast<std::string>(py::str(py::object(py::tuple(py::cast(sides)))));
}

FftMesh mesh_of(const py::object& mesh) {
  if (mesh.is_none()) return {};
  int x = 0, y = 0;
  try {
    std::tie(x, y) = py::cast<std::pair<int, int>>(mesh);
  } catch (const py::cast_error&) {
    // refused below
  }
  if (x < 1 || y < 1)
    throw Error(ErrorCategory::usage, "invalid mesh: " + py::cast<std::string>(py::str(mesh)),
                "allowed: two whole numbers, PEs along x and y", "give both, or None");
  return {x, y};
}

py::array array_of_numbers(const py::object& x) {
  py::array any = as_array(x);
  if (std::string("biufc").find(any.dtype().kind()) == std::string::npos)
    throw Error(ErrorCategory::usage, "invalid input: an array of " + text_of(any.dtype()),
                "allowed: integers, floats and complex numbers", "convert the array with astype");
  return any;
}

Volume volume_of(const py::array& any, const Shape3& shape) {
  const py::array array = as_array(any, py::dtype("complex64"));
  Volume volume{shape, {}};
  const auto* const first = static_cast<const std::complex<float>*>(array.data());
  const auto* const end = first + array.size();
  const WithoutGil without_gil;
  volume.data.assign(first, end);
  return volume;
}

Volume volume_of(const py::object& x, const Shape3& shape, const std::vector<std::size_t>& sides) {
  const py::array any = array_of_numbers(x);
  const auto given = py::cast<std::vector<std::size_t>>(any.attr("shape"));
  if (given != sides)
    throw Error(ErrorCategory::usage, "invalid input: an array of shape " + sides_text(given),
                "the plan is for " + sides_text(sides), "give an array of that shape");
  return volume_of(any, shape);
}

py::array array_of(Volume volume, const std::vector<std::size_t>& sides) {
  auto* data = new std::vector<std::complex<float>>(std::move(volume.data));
  const py::capsule owner(
      data, [](void* p) { delete static_cast<std::vector<std::complex<float>>*>(p); });
  return py::array_t<std::complex<float>>(std::vector<py::ssize_t>(sides.begin(), sides.end()),
                                          data->data(), owner);
}

}  // namespace weft::python
