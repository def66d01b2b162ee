#include "fft/fastest.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "fft/choice.hpp"
#include "fft/division/lines.hpp"
#include "fft/expectation.hpp"
#include "fft/findings.hpp"
#include "fft/fitting.hpp"
#include "fft/own_forms.hpp"
#include "fft/planning.hpp"
#include "fft/wsfft/pencil.hpp"
#include "weft/error.hpp"

namespace weft {
namespace {

using wsfft::Division;

/// What a plan may take.
struct Choices {
  std::vector<FftTranspose> transposes;
  std::vector<FftPencil> pencils;
};

/// For arrays of a shape.
Choices all_choices(const Shape3& shape) {
  const auto takes = [&](const wsfft::PencilAlgorithm& algorithm) {
    return std::ranges::all_of(std::array{shape.n0, shape.n1, shape.n2, shape.n3}, [&](auto side) {
      return side == 1 || algorithm.takes(static_cast<int>(side));
    });
  };
  Choices all{{FftTranspose::automatic}, {}};
  for (const fft::OwnForm& own : fft::kOwnForm)  // of those that lie as the paper's or on rings
    if (!own.in_place) all.transposes.push_back(own.transpose);
  for (const wsfft::PencilAlgorithm& algorithm : wsfft::pencil_algorithms())
    if (takes(algorithm)) all.pencils.push_back(algorithm.pencil);
  return all;
}

/// Whether transposes could divide what lies in place.
bool can_exchange(Division division) {
  division.in_place = false;
  const auto [most_x, most_y] = fft::most_pes(division);
  return division.px <= most_x && division.py <= most_y;
}

/// Pencils first: their cycles do not depend on the transposes.
FftFastest fastest_of(const Choices& choices, Division division, const fft::PeBytes& counted,
                      const std::vector<FftDirection>& directions, const FftOptions& options) {
  const FftPrecision precision = counted.precision();
  const fft::OwnForm* own = fft::own_form(choices.transposes.front());
  division.in_place = own != nullptr && own->in_place;
  const auto bytes_of = [&](FftPencil pencil, FftTranspose transpose) {
    return counted.of_others(pencil, transpose);
  };
  const auto fits = [&](FftPencil pencil, FftTranspose transpose) {
    return fft::fits_pe(division, bytes_of(pencil, transpose), options.machine) &&
           fft::has_filters(division, transpose, options.machine);
  };
  const auto with_roots = [&](FftPencil pencil, FftTranspose transpose) {
    Division with = division;
    with.least_roots =
        fft::needs_least_roots(division, bytes_of(pencil, transpose), options.machine);
    return with;
  };
  const auto sum = [&](auto cycles_of) {
    std::uint64_t cycles = 0;
    for (const FftDirection direction : directions) cycles += cycles_of(direction);
    return cycles;
  };
  FftFastest best{choices.transposes.front(), choices.pencils.front(), 0};
  std::uint64_t least = 0;
  for (const FftPencil pencil : choices.pencils) {
    const bool measured =  // alone in a PE
        wsfft::longest_pencil(division) <= wsfft::algorithm_of(pencil).longest(precision);
    if (choices.pencils.size() == 1 || !measured || !fits(pencil, choices.transposes.front()))
      continue;
    const Division with = with_roots(pencil, choices.transposes.front());
    const std::uint64_t cycles = sum([&](FftDirection direction) {
      return fft::compute_cycles(with, precision, direction, options.machine, pencil);
    });
    if (least != 0 && cycles >= least) continue;
    least = cycles;
    best.pencil = pencil;
  }
  const auto rounds = static_cast<std::uint64_t>(fft::rounds_of(division, options.batch));
  for (const FftTranspose transpose : choices.transposes) {
    if (best.cycles != 0 && !fits(best.pencil, transpose)) continue;
    try {
      const Division with = with_roots(best.pencil, transpose);
      const std::uint64_t cycles =
          rounds * sum([&](FftDirection direction) {
            return fft::Expectation(with, precision, direction, options.machine, best.pencil,
                                    fft::Model::measured, transpose)
                .cycles();
          });
      if (best.cycles != 0 && cycles >= best.cycles) continue;
      best.cycles = cycles;
      best.transpose = transpose;
    } catch (const Error&) {  // this machine cannot have it
      if (transpose == choices.transposes.back() && best.cycles == 0) throw;
    }
  }
  return best;
}

}  // namespace

namespace fft {

FftOptions with_fastest(const Shape3& shape, FftOptions options, const PeBytes& counted) {
  const bool transposes = options.transpose == FftTranspose::fastest;
  const bool pencils = options.pencil == FftPencil::fastest;
  if (!transposes && !pencils) return options;
  Choices choices = all_choices(shape);
  if (!transposes) choices.transposes = {options.transpose};
  if (!pencils) choices.pencils = {options.pencil};
  options.transpose = choices.transposes.front();
  options.pencil = choices.pencils.front();
  const PeBytes bytes = counted.of_others(options.pencil, options.transpose);
  const Division published = choose_division(shape, options, bytes);
  check_filters(published, options.transpose, options.machine);
  options.mesh = {published.width(), published.height()};
  const std::vector<FftDirection> directions =
      options.fastest_for ? std::vector{*options.fastest_for}
                          : std::vector{FftDirection::forward, FftDirection::inverse};
  const FftFastest best =
      fastest_of(choices, division_of(shape, options, bytes), counted, directions, options);
  options.transpose = best.transpose;
  options.pencil = best.pencil;
  return options;
}

}  // namespace fft

inline namespace v0 {

FftFastest FftPlan::fastest(FftDirection direction) const {
  fft::check_wsfft(*this, "choice of transposes and pencils");
  const Division& division = found_->choice.division;
  Choices choices = all_choices(shape_);
  if (division.in_place && !can_exchange(division)) choices.transposes = {options_.transpose};
  return fastest_of(choices, division, *found_->choice.bytes, {direction}, options_);
}

}  // namespace v0
}  // namespace weft
