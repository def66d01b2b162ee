#include "io/fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>

#include "io/allocate.hpp"
#include "io/ranges.hpp"
#include "io/resample.hpp"
#include "io/sides.hpp"
#include "weft/error.hpp"

namespace weft::io {

namespace {

using Numbers = std::vector<std::complex<float>>;

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

/// Where the smaller side begins within the larger: element n/2, where frequency 0 of a shifted
/// spectrum lies, stays in the middle, so that cropping undoes padding.
std::size_t centred(std::size_t small, std::size_t large) { return large / 2 - small / 2; }

Numbers crop(const ReadRuns& read, Shape3 have, const FftPart& part) {
  RangesOfAxes taken = ranges_of(part);
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (auto& [first, last] : taken[axis]) {
      const std::size_t offset = centred(sides(part.shape)[axis], sides(have)[axis]);
      first += offset;
      last += offset;
    }
  return read(runs_of(taken, have));
}

Numbers pad(const ReadRuns& read, Shape3 have, const FftPart& part, const std::string& purpose) {
  const RangesOfAxes all = ranges_of(part);
  RangesOfAxes inside;
  std::array<std::size_t, 3> begin{}, count{}, inner{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::size_t offset = centred(sides(have)[axis], sides(part.shape)[axis]);
    inside[axis] = clipped(all[axis], offset, offset + sides(have)[axis]);
    begin[axis] = count_before(all[axis], offset);
    count[axis] = count_of(all[axis]);
    inner[axis] = count_of(inside[axis]);
  }
  Numbers result = allocate_numbers({count[0], count[1], count[2]}, purpose);
  const Numbers numbers = read(runs_of(inside, have));
  const std::complex<float>* from = numbers.data();
  for (std::size_t i = 0; i < inner[0]; ++i)
    for (std::size_t j = 0; j < inner[1]; ++j, from += inner[2])
      std::copy_n(from, inner[2],
                  result.data() + ((begin[0] + i) * count[1] + begin[1] + j) * count[2] + begin[2]);
  return result;
}

}  // namespace

Numbers fit_part(const ReadRuns& read, Shape3 have, const FftPart& part,
                 std::span<const FftPart> before, Fit how, const std::string& source) {
  if (have == part.shape) return read(runs_of(ranges_of(part), have));
  check_fit(have, part.shape, how, source);
  const std::string purpose = fmt::format("'{}' at {}", source, shape_text(part.shape));
  if (how == Fit::crop) return crop(read, have, part);
  if (how == Fit::pad) return pad(read, have, part, purpose);
  return resample(read, have, part, before, purpose);
}

}  // namespace weft::io
