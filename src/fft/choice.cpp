#include "fft/choice.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fft/division/lines.hpp"
#include "fft/division/way.hpp"
#include "fft/own_forms.hpp"
#include "fft/planning.hpp"
#include "fft/quickest.hpp"
#include "fft/wsfft/pencil_algorithms.hpp"
#include "program/extents.hpp"
#include "weft/error.hpp"

namespace weft::fft {
namespace {

using wsfft::Division;

void sort_by_pes(std::vector<FftMesh>& meshes, int sign) {
  std::ranges::stable_sort(meshes, {}, [=](const FftMesh& mesh) { return by_pes(sign, mesh); });
}

bool is_power_of_two(const Division& division) {
  return std::has_single_bit(static_cast<std::uint64_t>(division.size()));
}

/// Fewer PEs along an axis: half as many arrays side by side, again and again, and then fewer PEs
/// for one.
std::vector<int> fewer_pes(const Division& first, wsfft::Axis axis) {
  const int pes = first.along(axis);
  std::vector<int> all;
  for (int arrays = axis == wsfft::Axis::row ? first.across : first.down; arrays > 1; arrays /= 2)
    all.push_back(arrays * pes);
  std::ranges::copy(is_power_of_two(first) ? divisors_of(pes) : pes_worth_trying(first, axis, 1),
                    std::back_inserter(all));
  return all;
}

/// Meshes that may be chosen instead of the one of `first`, where `options` leave a choice.
std::vector<FftMesh> meshes_beside(const Division& first, const Shape3& shape,
                                   const FftOptions& options, const PeBytes& bytes) {
  const FftMesh& asked = options.mesh;
  if (asked.x != 0 && asked.y != 0) return {};
  const auto widths = way_of(shape, options, bytes).widths;
  std::vector<int> xs = widths != nullptr ? widths(first) : fewer_pes(first, wsfft::Axis::row);
  if (asked.x != 0) xs = {asked.x};
  std::vector<FftMesh> meshes;
  for (const int x : xs)
    for (const int y : asked.y != 0 ? std::vector{asked.y} : fewer_pes(first, wsfft::Axis::column))
      meshes.push_back({x, y});
  return meshes;
}

/// Nothing if the array cannot lie on that mesh: the digits of an index may be others on a line.
std::optional<Division> on_mesh(const Shape3& shape, FftOptions options, const FftMesh& mesh,
                                const PeBytes& bytes) {
  options.mesh = mesh;
  try {
    return division_of(shape, options, bytes);
  } catch (const Error& error) {
    if (error.category() != ErrorCategory::usage) throw;
    return {};
  }
}

/// The smallest mesh on which a PE's numbers fit, of an array alone.
std::optional<FftMesh> smallest_mesh(const Shape3& shape, FftOptions options,
                                     const PeBytes& bytes) {
  options.batch = 1;
  options.mesh = {};
  std::vector<FftMesh> meshes =
      meshes_beside(division_of(shape, options, bytes), shape, options, bytes);
  sort_by_pes(meshes, 1);
  const auto found = std::ranges::find_if(meshes, [&](const FftMesh& mesh) {
    const auto other = on_mesh(shape, options, mesh, bytes);
    return other && fits_pe(*other, bytes, options.machine);
  });
  return found == meshes.end() ? std::nullopt : std::optional(*found);
}

/// The shape with its longest side halved, or a little less, until it fits, without the axes that
/// it does not have; or nothing.
std::string largest_shape(const Shape3& shape, const FftOptions& options, const PeBytes& bytes) {
  std::array<std::size_t, 4> sides{shape.n0, shape.n1, shape.n2, shape.n3};
  const auto shape_of = [](const auto& four) { return Shape3{four[0], four[1], four[2], four[3]}; };
  while (true) {
    const std::size_t longest = std::ranges::max(sides);
    std::size_t half = longest / 2 + 1;
    auto smaller = sides;
    do {  // until there are such arrays
      if (half <= FftPlan::kLeastSide) return "";
      half = static_cast<std::size_t>(wsfft::smooth_below(static_cast<int>(half)));
      smaller = sides;
      if (options.back)
        std::ranges::replace(smaller, longest, half);  // they stay equal
      else
        *std::ranges::find(smaller, longest) = half;
    } while (wrong_shape(shape_of(smaller), options.kind));
    sides = smaller;
    if (!smallest_mesh(shape_of(sides), options, bytes)) continue;
    std::vector<std::size_t> axes;
    std::ranges::copy_if(sides, std::back_inserter(axes),
                         [](std::size_t side) { return side > 1; });
    return fmt::format("{}", fmt::join(axes, ","));
  }
}

[[noreturn]] void refuse_for_memory(const Division& division, const Shape3& shape,
                                    const FftOptions& options, const PeBytes& bytes) {
  std::vector<std::string> advice;
  if (const auto mesh = smallest_mesh(shape, options, bytes)) {
    advice.push_back(fmt::format("take at least {} x {} PEs{}", mesh->x, mesh->y,
                                 options.batch > 1 ? " for an array" : ""));
  } else if (const std::string largest = largest_shape(shape, options, bytes); !largest.empty()) {
    advice.push_back(fmt::format("take a shape up to {}", largest));
  }
  if (const PeBytes others = bytes.of_others(bytes.pencil(), FftTranspose::automatic);
      bytes.transpose() != others.transpose() && fits_pe(division, others, options.machine))
    advice.push_back(fmt::format("take the published transposes, with which they take {} bytes",
                                 *others.least_of(division)));
  if (const auto needed = bytes.least_of(division); needed && *needed <= kMostMemoryBytes)
    advice.push_back(fmt::format("raise the machine's pe_memory_bytes to {}", *needed));
  const Excess excess = excess_of(division, bytes, options.machine);
  throw Error(
      ErrorCategory::machine_profile,
      fmt::format("two buffers of {} numbers exceed {}", division.numbers(), excess.limit),
      excess.why,
      advice.empty() ? "take a smaller shape" : fmt::format("{}", fmt::join(advice, ", or ")));
}

/// Of a form that has not all lines.
[[noreturn]] void refuse_lines(const Division& division, const Shape3& shape, FftOptions options,
                               const PeBytes& bytes) {
  const OwnForm* const own = own_form(options.transpose);
  options.mesh = {};
  std::vector<FftMesh> meshes =
      meshes_beside(division_of(shape, options, bytes), shape, options, bytes);
  sort_by_pes(meshes, -1);
  const auto found = std::ranges::find_if(meshes, [&](const FftMesh& mesh) {
    const auto other = on_mesh(shape, options, mesh, bytes);
    return other && fits(*other, bytes, options);
  });
  throw Error(
      ErrorCategory::usage,
      fmt::format("invalid mesh for {}: {} x {} PEs", own->name, division.px, division.py),
      own->lines,
      found == meshes.end()
          ? "take another form of the transposes"
          : fmt::format("take {} x {} PEs, or another form of the transposes", found->x, found->y));
}

/// The first division, and the others that options leave a choice of, that fits; or nothing.
std::optional<Division> find_fitting(const Division& first, const Shape3& shape,
                                     const FftOptions& options, const PeBytes& bytes) {
  const bool is_free = options.mesh.x == 0 || options.mesh.y == 0;
  if (!is_power_of_two(first) && (is_free || options.batch > 1)) {
    for (const Division& one : quickest_divisions(first, options, bytes))
      if (fits(one, bytes, options)) return one;
  } else if (fits(first, bytes, options)) {
    return first;
  }
  std::vector<FftMesh> others = meshes_beside(first, shape, options, bytes);
  sort_by_pes(others, -1);
  for (const FftMesh& mesh : others) {
    const auto other = on_mesh(shape, options, mesh, bytes);
    if (other && fits(*other, bytes, options)) return other;
  }
  return {};
}

/// On the first division that fits, or nothing; `first`: the one that division_of gives.
struct Fitting {
  Division first;
  std::optional<Division> found;
};

Fitting fitting_of(const Shape3& shape, const FftOptions& options, const PeBytes& bytes) {
  Fitting fitting{division_of(shape, options, bytes), {}};
  if (options.back) check_back(fitting.first, options.transpose);
  fitting.found = find_fitting(fitting.first, shape, options, bytes);
  if (fitting.found)
    fitting.found->least_roots = needs_least_roots(*fitting.found, bytes, options.machine);
  return fitting;
}

/// Throws the reason why nothing fits.
void refuse(const Division& first, const Shape3& shape, const FftOptions& options,
            const PeBytes& bytes) {
  check_pencils(first, bytes.pencil());
  if (!has_lines(first, bytes.transpose())) refuse_lines(first, shape, options, bytes);
  if (!fits_pe(first, bytes, options.machine)) refuse_for_memory(first, shape, options, bytes);
  check_host(first, pe_memory(first, bytes, options.machine), options);
}

}  // namespace

Division choose_division(const Shape3& shape, const FftOptions& options, const PeBytes& bytes) {
  const Fitting fitting = fitting_of(shape, options, bytes);
  if (!fitting.found) refuse(fitting.first, shape, options, bytes);
  return fitting.found.value_or(fitting.first);
}

std::optional<Division> find_division(const Shape3& shape, const FftOptions& options,
                                      const PeBytes& bytes) {
  try {
    return fitting_of(shape, options, bytes).found;
  } catch (const Error& error) {
    if (error.category() != ErrorCategory::usage) throw;
    return {};  // no such mesh, or no transpose back
  }
}

}  // namespace weft::fft
