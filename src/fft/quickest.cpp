#include "fft/quickest.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <map>
#include <utility>

#include "fft/division/lines.hpp"
#include "fft/expectation.hpp"
#include "fft/own_forms.hpp"
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
      : machine_(options.machine), precision_(bytes.precision()), pencil_(bytes.pencil()) {}

  double of(int n) {
    const auto [found, is_new] = known_.try_emplace(n, published_pencil(n, precision_));
    const wsfft::PencilAlgorithm& algorithm = wsfft::algorithm_of(pencil_);
    if (!is_new || !algorithm.takes(n) || n > algorithm.longest(precision_)) return found->second;
    try {
      found->second = static_cast<double>(
          compute_cycles({{1, 1, n}, 1, 1}, precision_, FftDirection::forward, machine_, pencil_));
    } catch (const Error&) {  // it does not fit in a PE of this machine
    }
    return found->second;
  }

 private:
  const Machine& machine_;
  FftPrecision precision_;
  FftPencil pencil_;
  std::map<int, double> known_{};
};

double exchange_cycles(const OwnForm* own, int p, int numbers, FftPrecision precision) {
  return own != nullptr ? own->formula(p, numbers * wsfft::Numbers{precision}.words())
                        : published_exchange(p, numbers, precision);
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

std::vector<FftMesh> quickest_meshes(const Division& largest, const FftOptions& options,
                                     const PeBytes& bytes) {
  const FftMesh& asked = options.mesh;
  const OwnForm* const own = own_form(bytes.transpose());
  PencilCycles pencils(options, bytes);
  std::vector<std::pair<double, FftMesh>> meshes;
  const auto pes = [&](Axis axis, int one) {
    constexpr int kLeastShare = 8;  // chosen: fewer PEs were never quicker
    if (one != 0) return std::vector{one};
    return pes_worth_trying(largest, axis, std::max(most_along(largest, axis) / kLeastShare, 1));
  };
  const auto can_lie = [&](const Division& one) {
    if (own != nullptr && !own->lies(one)) return false;
    // On a line of PEs an index has other digits.
    return !largest.digits ||
           ((one.px > 1) == (largest.px > 1) && (one.py > 1) == (largest.py > 1));
  };
  for (const int px : pes(Axis::row, asked.x))
    for (const int py : pes(Axis::column, asked.y)) {
      const Division one = with_pes(with_pes(largest, Axis::row, px), Axis::column, py);
      if (can_lie(one))
        meshes.emplace_back(estimate(one, own, bytes.precision(), pencils), FftMesh{px, py});
    }
  // Of equal ones the one with fewer PEs.
  std::ranges::stable_sort(
      meshes, {}, [](const auto& mesh) { return std::pair(mesh.first, by_pes(1, mesh.second)); });
  std::vector<FftMesh> sorted;
  sorted.reserve(meshes.size());
  for (const auto& [cycles, mesh] : meshes) sorted.push_back(mesh);
  return sorted;
}

}  // namespace weft::fft
