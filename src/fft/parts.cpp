#include "fft/parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/processes.hpp"
#include "fabric/own_rows.hpp"
#include "weft/error.hpp"
#include "weft/processes.hpp"

namespace weft::inline v0 {
namespace {

std::size_t indices_of(const std::vector<FftPart::Range>& ranges) noexcept {
  std::size_t all = 0;
  for (const auto& [first, last] : ranges) all += last - first;
  return all;
}

}  // namespace

std::size_t FftPart::count(std::size_t array) const {
  if (array >= ranges.size())
    throw Error(ErrorCategory::usage, fmt::format("a part has no array {}", array),
                fmt::format("it is of {} array{}, and the first one is 0", ranges.size(),
                            ranges.size() == 1 ? "" : "s"),
                "give the number of one of them");
  return indices_of(ranges[array]);
}

std::size_t FftPart::size() const noexcept {
  const fft::AroundAxis around = fft::around_axis(*this);
  std::size_t indices = 0;
  for (const std::vector<Range>& of_array : ranges) indices += indices_of(of_array);
  return indices * around.outer * around.inner;
}

}  // namespace weft::inline v0

namespace weft::fft {
namespace {

using wsfft::Arrangement;
using wsfft::Axis;
using wsfft::Division;

/// How arrays lie before a transform, or after it; those of S3DFT come back to where they were.
Arrangement arrangement_at(const Division& division, const FftOptions& options,
                           FftDirection direction, bool at_start) {
  if (options.algorithm == FftAlgorithm::s3dft) return wsfft::kSpace;
  const auto all = arrangements_of(division, direction);
  return at_start ? all.front() : all.back();
}

void check_rank(const FftOptions& options, int rank) {
  const int processes = base::process_count(options.processes.get());
  if (rank >= 0 && rank < processes) return;
  throw Error(ErrorCategory::usage, fmt::format("there is no process {}", rank),
              fmt::format("the plan has {}, and the first one is 0", processes),
              "give the rank of one of them");
}

/// Adds a range; one that follows the last one makes that longer.
void add(std::vector<FftPart::Range>& ranges, const FftPart::Range& range) {
  if (!ranges.empty() && ranges.back().last == range.first)
    ranges.back().last = range.last;
  else
    ranges.push_back(range);
}

/// Of one of the arrays whose first row of PEs is `top`: which parts of the axis that is divided
/// along y the PEs `own` have. Unless it is folded, all PEs of a row have the same part.
std::vector<int> parts_of_axis(const Division& division, const Arrangement& arrangement,
                               const Rect& own, int top) {
  const auto part_at = [&](int place, Axis axis) {
    return division.part_at(place, axis, arrangement.after);
  };
  const bool folded = arrangement.is_folded();
  std::vector<int> parts;
  for (int y = std::max(own.y, top); y < std::min(own.y + own.height, top + division.py); ++y)
    for (int x = 0; x < (folded ? division.px : 1); ++x)
      parts.push_back((folded ? part_at(x, Axis::row) * division.py : 0) +
                      part_at(y, Axis::column));
  std::ranges::sort(parts);
  return parts;
}

/// The same in ranges of indices.
std::vector<FftPart::Range> ranges_of(const Division& division, const Arrangement& arrangement,
                                      std::size_t side, const Rect& own, int top) {
  const std::array<int, 3> extents = arrangement.extents(division);
  const auto block = static_cast<std::size_t>(extents[arrangement.is_folded() ? 0 : 1]);
  std::vector<FftPart::Range> ranges;
  for (const int part : parts_of_axis(division, arrangement, own, top)) {
    const std::size_t first = static_cast<std::size_t>(part) * block;
    const std::size_t last = std::min(first + block, side);
    if (first < last) add(ranges, {first, last});
  }
  return ranges;
}

/// As FFTW divides an axis: the last processes may have less than others, or nothing.
std::vector<FftPart::Range> block_of(std::size_t side, const FftOptions& options,
                                     std::optional<int> rank) {
  const auto processes = static_cast<std::size_t>(options.processes->size());
  const std::size_t block = (side + processes - 1) / processes;
  const std::size_t first =
      block * static_cast<std::size_t>(rank.value_or(options.processes->rank()));
  if (first >= side) return {};
  return {{first, std::min(first + block, side)}};
}

}  // namespace

AroundAxis around_axis(const FftPart& part) noexcept {
  const std::size_t sides[] = {part.shape.n0, part.shape.n1, part.shape.n2, part.shape.n3};
  AroundAxis around{1, sides[part.axis], 1};
  for (int axis = 0; axis < 4; ++axis)
    if (axis != part.axis) (axis < part.axis ? around.outer : around.inner) *= sides[axis];
  return around;
}

Sharing sharing_of(const Division& division, const FftOptions& options) {
  if (base::process_count(options.processes.get()) == 1 || !options.parts || !options.data)
    return Sharing::none;
  // There a row of PEs has numbers far from each other, or blocks along several axes.
  const bool cubes =
      options.algorithm == FftAlgorithm::s3dft && options.s3dft_form == S3dftForm::cubes;
  return division.digits || cubes ? Sharing::exchanged : Sharing::of_pes;
}

int threads_for_whole(const FftOptions& options) {
  return base::process_count(options.processes.get()) == 1 ? options.threads : 1;
}

Rect copied_pes(const Division& division, const FftOptions& options, std::optional<int> rank) {
  if (sharing_of(division, options) != Sharing::of_pes)
    return {0, 0, division.width(), division.height()};
  const engine::Rows rows =
      fabric::own_pe_rows(*options.processes, rank.value_or(options.processes->rank()),
                          division.height(), options.accelerate.by_line);
  return {0, rows.first, division.width(), rows.count()};
}

FftPart part_of(const FftPlan& plan, const Division& division, FftDirection direction,
                bool at_start, std::optional<int> rank) {
  const FftOptions& options = plan.options();
  if (rank) check_rank(options, *rank);
  const auto batch = static_cast<std::size_t>(options.batch);
  FftPart part;
  part.shape = at_start ? plan.input_shape(direction) : plan.output_shape(direction);
  part.shape.n0 /= batch;
  const Sharing sharing = sharing_of(division, options);
  if (sharing == Sharing::none) {
    part.ranges.assign(batch, {{0, part.shape.n0}});
    return part;
  }
  if (sharing == Sharing::exchanged) {
    part.axis = part.shape.n0 == 1 ? 2 : 0;
    part.ranges.assign(batch, block_of(around_axis(part).indices, options, rank));
    return part;
  }
  const Arrangement arrangement = arrangement_at(division, options, direction, at_start);
  part.axis = arrangement.axes[1];
  const std::size_t side = around_axis(part).indices;
  const Rect own = copied_pes(division, options, rank);
  const int at_once = division.across * division.down;
  part.ranges.reserve(batch);
  for (int array = 0; array < options.batch; ++array) {
    const int top = array % at_once / division.across * division.py;
    part.ranges.push_back(ranges_of(division, arrangement, side, own, top));
  }
  return part;
}

PlacesInPart::PlacesInPart(const FftPart& part)
    : size_(part.shape.size()), around_(around_axis(part)) {
  rows_.resize(part.ranges.size() * around_.indices);
  std::size_t start = 0;
  for (std::size_t array = 0; array < part.ranges.size(); ++array) {
    std::size_t row = 0;
    for (const auto& [first, last] : part.ranges[array])
      for (std::size_t index = first; index < last; ++index)
        rows_[array * around_.indices + index] = row++;
    starts_.push_back(start);
    counts_.push_back(row);
    start += row * around_.inner * around_.outer;
  }
}

RunInPart::RunInPart(const FftPart& part, Processes& others)
    : size_(part.shape.size()), others_(others) {
  if (part.ranges.front().empty()) return;
  const FftPart::Range& range = part.ranges.front().front();
  const std::size_t inner = around_axis(part).inner;  // nothing is outside of the axis
  first_ = range.first * inner;
  last_ = range.last * inner;
}

void merge_words(Processes& processes, std::span<std::uint32_t> words) {
  std::vector<std::uint32_t> all(words.size() * static_cast<std::size_t>(processes.size()));
  processes.gather(std::as_bytes(words), std::as_writable_bytes(std::span(all)));
  std::ranges::fill(words, 0U);
  for (std::size_t k = 0; k < all.size(); ++k) words[k % words.size()] |= all[k];
}

}  // namespace weft::fft
