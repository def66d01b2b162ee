#include "fft/quickest.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <utility>

#include "fft/division/lines.hpp"
#include "fft/expectation.hpp"
#include "fft/own_forms.hpp"
#include "fft/planning.hpp"
#include "fft/wsfft/pencil.hpp"
#include "weft/error.hpp"

namespace weft::fft {
namespace {

using wsfft::Axis;
using wsfft::Division;

Division with_pes(Division division, Axis axis, int pes) {
  (axis == Axis::row ? division.px : division.py) = pes;
  return division;
}

/// Numbers of each axis that a PE of such a line has.
std::array<int, 3> blocks_along(const Division& division, Axis axis) {
  return {division.block(0, axis), division.block(1, axis), division.block(2, axis)};
}

/// PEs of a line of one array.
int most_along(const Division& largest, Axis axis) {
  if (largest.folded()) return largest.along(axis);
  return most_pes(largest)[axis == Axis::row ? 0 : 1];
}

/// The cycles of one pencil by its length, alone in a PE.
class PencilCycles {
 public:
  PencilCycles(const FftOptions& options, const PeBytes& bytes)
      : precision_(bytes.precision()),
        pencil_(bytes.pencil()),
        parts_(options.machine, precision_, options.norm) {}

  double of(int n) {
    const wsfft::PencilAlgorithm& algorithm = wsfft::algorithm_of(pencil_);
    if (!algorithm.takes(n) || n > algorithm.longest(precision_))
      return published_pencil(n, precision_);
    try {
      return parts_.superstep({{1, 1, n}, 1, 1}, FftDirection::forward, pencil_, 0);
    } catch (const Error&) {  // it does not fit in a PE of this machine
      return published_pencil(n, precision_);
    }
  }

 private:
  FftPrecision precision_;
  FftPencil pencil_;
  Measurements parts_;
};

/// PEs along an axis that one array may take.
std::vector<int> pes_of_one(const Division& largest, Axis axis, const FftOptions& options) {
  constexpr int kLeastShare = 8;  // chosen: of an array alone fewer PEs were never quicker
  const int asked = axis == Axis::row ? options.mesh.x : options.mesh.y;
  const int most = most_along(largest, axis);
  if (options.batch == 1)
    return asked != 0 ? std::vector{asked}
                      : pes_worth_trying(largest, axis, std::max(most / kLeastShare, 1));
  if (asked == 0) return pes_worth_trying(largest, axis, 1);
  std::vector<int> all = divisors_of(asked);
  std::erase_if(all, [=](int pes) { return pes > most; });
  return all;
}

/// Arrays side by side along x and y.
struct Places {
  int across, down;
};

/// n, a half of it, a quarter, ...
std::vector<int> halved(int n) {
  std::vector<int> all;
  for (; n > 0; n /= 2) all.push_back(n);
  return all;
}

/// For a batch, each array on as many PEs as `one` has: on the mesh that is asked for, or, about
/// square, on one with room for all, and on smaller ones.
std::vector<Places> places_of(const Division& one, const FftOptions& options) {
  const auto [mesh, batch] = std::pair(options.mesh, options.batch);
  if (batch == 1) return {{1, 1}};
  const auto parts = [](int all, int size) { return (all - 1) / size + 1; };
  const int most_across = mesh.x != 0 ? mesh.x / one.px : std::max(kLongestLine / one.px, 1),
            most_down = mesh.y != 0 ? mesh.y / one.py : std::max(kLongestLine / one.py, 1);
  const int square = static_cast<int>(std::ceil(std::sqrt(batch)));
  const int widest =
      std::min(std::max(mesh.y != 0 ? 1 : square, parts(batch, most_down)), most_across);
  std::vector<Places> all;
  for (const int across : mesh.x != 0 ? std::vector{most_across} : halved(widest))
    for (const int down :
         mesh.y != 0 ? std::vector{most_down} : halved(std::min(parts(batch, across), most_down)))
      all.push_back({across, down});
  return all;
}

double exchange_cycles(const OwnForm* own, int p, int numbers, FftPrecision precision) {
  constexpr double kOfACopy = 40;  // about, as measured: its start and the next task's
  const int wavelets = numbers * wsfft::Numbers{precision}.words();
  if (p == 1) return wavelets + kOfACopy;
  return own != nullptr ? own->formula(p, wavelets) : published_exchange(p, numbers, precision);
}

double estimate(const Division& division, const OwnForm* own, FftPrecision precision,
                PencilCycles& pencils) {
  constexpr FftDirection kForward = FftDirection::forward;
  const auto order = wsfft::exchanges_of(division, kForward);
  const auto arrangements = wsfft::arrangements_of(division, kForward);
  double cycles = 0;
  for (std::size_t k = 0; k < arrangements.size(); ++k) {
    for (const wsfft::Pencils& pass : wsfft::passes_of(division, arrangements[k], kForward))
      if (pass.n > 1) cycles += pass.count * pencils.of(pass.n);
    if (k == order.size()) break;
    const int numbers = wsfft::blocks_of(division, arrangements[k], order[k]).numbers();
    cycles += exchange_cycles(own, division.along(order[k]), numbers, precision);
  }
  return cycles;
}

}  // namespace

std::vector<int> pes_worth_trying(const Division& largest, Axis axis, int least) {
  const auto blocks = [&](int pes) { return blocks_along(with_pes(largest, axis, pes), axis); };
  std::vector<int> all;
  for (int pes = most_along(largest, axis); pes >= least; --pes)
    if (pes == 1 || std::has_single_bit(static_cast<unsigned>(pes)) ||
        blocks(pes) != blocks(pes - 1))
      all.push_back(pes);
  return all;
}

std::vector<Division> quickest_divisions(const Division& largest, const FftOptions& options,
                                         const PeBytes& bytes) {
  const OwnForm* const own = own_form(bytes.transpose());
  PencilCycles pencils(options, bytes);
  std::vector<std::pair<double, Division>> divisions;
  const auto can_lie = [&](const Division& one) {
    if (own != nullptr && !own->lies(one)) return false;
    // On a line of PEs an index has other digits.
    return !largest.digits ||
           ((one.px > 1) == (largest.px > 1) && (one.py > 1) == (largest.py > 1));
  };
  for (const int px : pes_of_one(largest, Axis::row, options))
    for (const int py : pes_of_one(largest, Axis::column, options)) {
      Division one = with_pes(with_pes(largest, Axis::row, px), Axis::column, py);
      if (!can_lie(one)) continue;
      const double cycles = estimate(one, own, bytes.precision(), pencils);
      for (const auto& [across, down] : places_of(one, options)) {
        one.across = across;
        one.down = down;
        divisions.emplace_back(cycles * rounds_of(one, options.batch), one);
      }
    }
  // Of equal ones the one with fewer PEs.
  std::ranges::stable_sort(divisions, {}, [](const auto& division) {
    const auto& [cycles, one] = division;
    return std::pair(cycles, by_pes(1, {one.width(), one.height()}));
  });
  std::vector<Division> sorted;
  sorted.reserve(divisions.size());
  for (const auto& [cycles, one] : divisions) sorted.push_back(one);
  return sorted;
}

}  // namespace weft::fft
