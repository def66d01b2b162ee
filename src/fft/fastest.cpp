#include "fft/fastest.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <ranges>
#include <utility>
#include <vector>

#include "fft/choice.hpp"
#include "fft/division/lines.hpp"
#include "fft/expectation.hpp"
#include "fft/findings.hpp"
#include "fft/fitting.hpp"
#include "fft/measurements.hpp"
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

/// Looks for the least of a plan's choices, each on the mesh that the plan takes with it.
class FastestSearch {
 public:
  /// `options`: with the mesh that is asked for. `counted`: of the plan's precision.
  FastestSearch(const Shape3& shape, FftOptions options, const fft::PeBytes& counted,
                std::vector<FftDirection> directions)
      : shape_(shape),
        options_(std::move(options)),
        counted_(counted),
        directions_(std::move(directions)),
        parts_(options_.machine, counted.precision(), options_.norm) {}

  /// Throws as a plan with the first of the choices, if it can have none.
  FftFastest least_of(const Choices& choices) {
    const FftTranspose first = choices.transposes.front();
    // Pencils first: their cycles do not depend on the transposes.
    const FftPencil pencil = choices.pencils.size() == 1 ? choices.pencils.front()
                                                         : least_pencil(choices.pencils, first);
    FftFastest best{first, pencil, 0, {}};
    // From the last one, as the published form takes most: often its streams alone tell that.
    for (const FftTranspose transpose : choices.transposes | std::views::reverse) {
      const auto division = division_by(transpose, pencil);
      if (!division) continue;
      if (best.cycles != 0 &&
          least(*division, transpose, pencil) > static_cast<double>(best.cycles))
        continue;
      try {
        const FftFastest one = chosen(*division, transpose, pencil);
        if (best.cycles == 0 || one.cycles <= best.cycles) best = one;
      } catch (const Error&) {  // this machine cannot have it
      }
    }
    return best.cycles != 0 ? best : only_choice(first, pencil);
  }

 private:
  fft::PeBytes bytes_of(FftTranspose transpose, FftPencil pencil) const {
    return counted_.of_others(pencil, transpose);
  }
  FftOptions options_of(FftTranspose transpose, FftPencil pencil) const {
    FftOptions options = options_;
    options.transpose = transpose;
    options.pencil = pencil;
    return options;
  }

  std::optional<Division> division_by(FftTranspose transpose, FftPencil pencil) const {
    const auto division =
        fft::find_division(shape_, options_of(transpose, pencil), bytes_of(transpose, pencil));
    const bool has = division && fft::has_filters(*division, transpose, options_.machine);
    return has ? division : std::nullopt;
  }

  FftPencil least_pencil(const std::vector<FftPencil>& pencils, FftTranspose transpose) {
    FftPencil best = pencils.front();
    double least = 0;
    for (const FftPencil pencil : pencils) {
      const auto division = division_by(transpose, pencil);
      if (!division) continue;
      double cycles = 0;
      for (const FftDirection direction : directions_)
        cycles += parts_.supersteps(*division, direction, pencil);
      cycles *= fft::rounds_of(*division, options_.batch);
      if (least != 0 && cycles >= least) continue;
      least = cycles;
      best = pencil;
    }
    return best;
  }

  double least(const Division& division, FftTranspose transpose, FftPencil pencil) {
    double cycles = 0;
    for (const FftDirection direction : directions_)
      cycles += parts_.least(division, direction, pencil, transpose);
    return cycles * fft::rounds_of(division, options_.batch);
  }

  FftFastest chosen(const Division& division, FftTranspose transpose, FftPencil pencil) {
    std::uint64_t cycles = 0;
    for (const FftDirection direction : directions_)
      cycles += fft::Expectation::measured(division, direction, pencil, transpose, parts_).cycles();
    const auto rounds = static_cast<std::uint64_t>(fft::rounds_of(division, options_.batch));
    return {transpose, pencil, rounds * cycles, {division.width(), division.height()}};
  }

  FftFastest only_choice(FftTranspose transpose, FftPencil pencil) {
    const Division division =
        fft::choose_division(shape_, options_of(transpose, pencil), bytes_of(transpose, pencil));
    fft::check_filters(division, transpose, options_.machine);
    return chosen(division, transpose, pencil);
  }

  Shape3 shape_;
  FftOptions options_;
  fft::PeBytes counted_;
  std::vector<FftDirection> directions_;
  fft::Measurements parts_;
};

}  // namespace

namespace fft {

FftOptions with_fastest(const Shape3& shape, FftOptions options, const PeBytes& counted) {
  const bool transposes = options.transpose == FftTranspose::fastest;
  const bool pencils = options.pencil == FftPencil::fastest;
  if (!transposes && !pencils) return options;
  Choices choices = all_choices(shape);
  if (!transposes) choices.transposes = {options.transpose};
  if (!pencils) choices.pencils = {options.pencil};
  std::vector<FftDirection> directions{FftDirection::forward, FftDirection::inverse};
  if (options.fastest_for) directions = {*options.fastest_for};
  const FftFastest best =
      FastestSearch(shape, options, counted, std::move(directions)).least_of(choices);
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
  FftOptions options = options_;
  options.mesh = found_->asked;
  return FastestSearch(shape_, std::move(options), *found_->choice.bytes, {direction})
      .least_of(choices);
}

}  // namespace v0
}  // namespace weft
