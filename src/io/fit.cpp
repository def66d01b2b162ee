#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "io/allocate.hpp"
#include "io/resample.hpp"
#include "io/sides.hpp"
#include "io/volume_file.hpp"
#include "weft/error.hpp"

namespace weft::io {

namespace {

std::array<std::size_t, 3> sides(Shape3 shape) { return {shape.n0, shape.n1, shape.n2}; }

bool fits_inside(Shape3 inner, Shape3 outer) {
  return inner.n0 <= outer.n0 && inner.n1 <= outer.n1 && inner.n2 <= outer.n2;
}

/// "side 0 is 4 and must become 8, ..." for the sides that `is_wrong` names.
template <typename IsWrong>
std::string describe_sides(Shape3 have, Shape3 want, IsWrong is_wrong) {
  std::string text;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::size_t from = sides(have)[axis], to = sides(want)[axis];
    if (!is_wrong(from, to)) continue;
    text +=
        fmt::format("{}side {} is {} and must become {}", text.empty() ? "" : ", ", axis, from, to);
  }
  return text;
}

/// The first axis of one number that is to have more, or the reverse: a scale would be made up, or
/// all of an axis averaged.
std::optional<std::size_t> flat_axis(Shape3 have, Shape3 want) {
  for (std::size_t axis = 0; axis < 3; ++axis)
    if ((sides(have)[axis] == 1) != (sides(want)[axis] == 1)) return axis;
  return {};
}

std::string working_modes(Shape3 have, Shape3 want) {
  std::string modes;
  if (fits_inside(want, have)) modes = "crop";
  if (fits_inside(have, want)) modes = "pad";
  if (!flat_axis(have, want)) modes += modes.empty() ? "resample" : " or resample";
  return modes.empty() ? "give it the axes that are needed" : modes + " it";
}

void check_fit(Shape3 have, Shape3 want, Fit how, const std::string& source) {
  if (have.size() == 0 || want.size() == 0) {
    throw Error(ErrorCategory::input, fmt::format("cannot fit '{}'", source),
                fmt::format("{} to {} has a side of 0", shape_text(have), shape_text(want)),
                "use sides of at least 1");
  }
  if (how == Fit::none) {
    throw Error(ErrorCategory::input, fmt::format("'{}' has another shape than needed", source),
                fmt::format("it is {}, not {}", shape_text(have), shape_text(want)),
                working_modes(have, want));
  }
  if (how == Fit::crop && !fits_inside(want, have)) {
    throw Error(ErrorCategory::input,
                fmt::format("cannot crop '{}' to {}", source, shape_text(want)),
                describe_sides(have, want, [](auto from, auto to) { return from < to; }),
                working_modes(have, want));
  }
  if (how == Fit::resample && flat_axis(have, want)) {
    const std::size_t axis = *flat_axis(have, want);
    throw Error(ErrorCategory::input,
                fmt::format("cannot resample '{}' to {}", source, shape_text(want)),
                fmt::format("axis {} has {} numbers and must have {}: from or to one number there "
                            "is nothing to go by",
                            axis, sides(have)[axis], sides(want)[axis]),
                working_modes(have, want));
  }
  if (how == Fit::pad && !fits_inside(have, want)) {
    throw Error(ErrorCategory::input,
                fmt::format("cannot pad '{}' to {}", source, shape_text(want)),
                describe_sides(have, want, [](auto from, auto to) { return from > to; }),
                working_modes(have, want));
  }
}

std::size_t row_start(Shape3 shape, std::size_t i, std::size_t j) {
  return (i * shape.n1 + j) * shape.n2;
}

/// Where the smaller side begins within the larger: element n/2, where frequency 0 of a shifted
/// spectrum lies, stays in the middle, so that cropping undoes padding.
Shape3 centred_offset(Shape3 small, Shape3 large) {
  return {large.n0 / 2 - small.n0 / 2, large.n1 / 2 - small.n1 / 2, large.n2 / 2 - small.n2 / 2};
}

Volume crop(const Volume& volume, Shape3 shape, const std::string& purpose) {
  Volume result = allocate_volume(shape, purpose);
  const Shape3 offset = centred_offset(shape, volume.shape);
  for (std::size_t i = 0; i < shape.n0; ++i) {
    for (std::size_t j = 0; j < shape.n1; ++j) {
      const auto* from =
          volume.data.data() + row_start(volume.shape, i + offset.n0, j + offset.n1) + offset.n2;
      std::copy_n(from, shape.n2, result.data.data() + row_start(shape, i, j));
    }
  }
  return result;
}

Volume pad(const Volume& volume, Shape3 shape, const std::string& purpose) {
  Volume result = allocate_volume(shape, purpose);
  const Shape3 offset = centred_offset(volume.shape, shape);
  for (std::size_t i = 0; i < volume.shape.n0; ++i) {
    for (std::size_t j = 0; j < volume.shape.n1; ++j) {
      const auto* from = volume.data.data() + row_start(volume.shape, i, j);
      std::copy_n(from, volume.shape.n2,
                  result.data.data() + row_start(shape, i + offset.n0, j + offset.n1) + offset.n2);
    }
  }
  return result;
}

}  // namespace

Volume fit(Volume volume, Shape3 shape, Fit how, const std::string& source) {
  if (volume.shape == shape) return volume;
  check_fit(volume.shape, shape, how, source);
  const std::string purpose = fmt::format("'{}' at {}", source, shape_text(shape));
  if (how == Fit::crop) return crop(volume, shape, purpose);
  if (how == Fit::pad) return pad(volume, shape, purpose);
  return resample(std::move(volume), shape, purpose);
}

}  // namespace weft::io
