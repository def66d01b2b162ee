#include "cli/fft/parts_accuracy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <complex>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/first_error.hpp"
#include "base/of_first.hpp"
#include "base/processes.hpp"
#include "cli/fft/parts_of_all.hpp"
#include "fft/parts.hpp"
#include "reference/definition.hpp"
#include "weft/error.hpp"

namespace weft::cli {
namespace {

using Number = std::complex<float>;

/// Which process has which index along the divided axis, before the transform or after it, and the
/// numbers of those that are here.
class Side {
 public:
  Side(const PartsOfAll& all, int rank)
      : parts_(all.parts),
        numbers_(all.mine),
        places_(parts_[static_cast<std::size_t>(rank)]),
        around_(fft::around_axis(parts_.front())) {
    const std::size_t arrays = parts_.front().ranges.size();
    owners_.resize(arrays * indices());
    for (std::size_t process = 0; process < parts_.size(); ++process)
      for (std::size_t array = 0; array < arrays; ++array)
        for (const auto& [first, last] : parts_[process].ranges[array])
          for (std::size_t index = first; index < last; ++index)
            owners_[array * indices() + index] = static_cast<int>(process);
  }

  int axis() const { return parts_.front().axis; }
  std::size_t indices() const { return around_.indices; }
  int owner(std::size_t array, std::size_t index) const {
    return owners_[array * indices() + index];
  }
  /// The numbers of an index that is here.
  std::vector<Number> row(std::size_t array, std::size_t index) const {
    std::vector<Number> row;
    const auto& [outer, indices, inner] = around_;
    row.reserve(outer * inner);
    for (std::size_t o = 0; o < outer; ++o) {
      const std::size_t number = ((array * outer + o) * indices + index) * inner;
      const auto some = numbers_.subspan(places_(number), inner);
      row.insert(row.end(), some.begin(), some.end());
    }
    return row;
  }

 private:
  const std::vector<FftPart>& parts_;
  std::span<const Number> numbers_;
  fft::PlacesInPart places_;
  fft::AroundAxis around_;
  std::vector<int> owners_{};
};

struct BothSides {
  Side before, after;
};

/// Where axis 2 is divided, axis 0 or 1 has one number, and is left out.
SharedShape shared_shape(const Arrays& arrays, int before, int after) {
  const auto& [n0, n1, n2, n3] = arrays.shape;
  const bool planes = std::max(before, after) == 2;
  SharedShape shape{{n0, n1, n2, n3}, before != after, arrays.kind, arrays.direction};
  if (planes) shape.sides = {std::max(n0, n1), n2, n3, 1};
  if (before == (planes ? 2 : 1)) std::swap(shape.sides[0], shape.sides[1]);
  return shape;
}

/// Of one array, by a transform among all processes.
class SharedComparison {
 public:
  SharedComparison(const MakeSharedTransform& make, const Arrays& arrays, const BothSides& sides,
                   double factor, Processes& processes)
      : before_(sides.before), after_(sides.after), factor_(factor), processes_(processes) {
    const SharedShape shape = shared_shape(arrays, before_.axis(), after_.axis());
    base::in_all(&processes, [&] { transform_ = make(shape); });
    base::in_all(&processes, [&] { transform_->plan(); });
  }

  void give(std::size_t array) {
    for (std::size_t index = 0; index < before_.indices(); ++index)
      send_numbers(
          processes_, before_.owner(array, index), transform_->owner_before(index),
          [&] { return before_.row(array, index); },
          [&](std::span<const Number> row) { transform_->give(index, row); });
  }

  void run() { transform_->run(); }

  /// Of the numbers that this process compares.
  reference::ErrorSums compare(std::size_t array) {
    reference::ErrorSums sums;
    for (std::size_t index = 0; index < after_.indices(); ++index)
      send_numbers(
          processes_, after_.owner(array, index), transform_->owner_after(index),
          [&] { return after_.row(array, index); },
          [&](std::span<const Number> row) {
            std::vector<std::complex<double>> exact = transform_->take(index);
            if (factor_ != 1.0)
              for (std::complex<double>& number : exact) number *= factor_;
            sums.add(reference::error_sums(row, exact));
          });
    return sums;
  }

 private:
  const Side& before_;
  const Side& after_;
  double factor_;
  Processes& processes_;
  std::unique_ptr<SharedTransform> transform_{};
};

/// All that a comparison takes.
struct PartsComparison {
  const reference::Reference& reference;
  const Arrays& arrays;
  FftNorm norm;
  PartsOfAll before, after;
  Volume& given;  ///< the numbers of `before`: left empty once they are not needed
  Processes& processes;

  std::size_t count() const { return static_cast<std::size_t>(arrays.batch); }
  void leave_input_after(std::size_t array) const {
    if (array + 1 == count()) given = Volume{};
  }
  reference::Transformed transformed(const Volume& input) const {
    return transform_one(reference, arrays, input, norm, reference::Arithmetic::fp64);
  }
  BothSides sides() const {
    const int rank = processes.rank();
    return base::in_all(&processes, [&] { return BothSides{{before, rank}, {after, rank}}; });
  }
};

/// Of the array that differs most; difference(array) is the same in all processes.
template <class F>
reference::Difference greatest(const PartsComparison& c, const F& difference) {
  reference::Difference worst;
  for (std::size_t array = 0; array < c.count(); ++array) {
    const reference::Difference one = difference(array);
    if (array == 0 || one.rel_l2 > worst.rel_l2) worst = one;
  }
  return worst;
}

reference::Difference sum_of_all(Processes& processes, const reference::ErrorSums& mine) {
  reference::ErrorSums sums;
  for (const reference::ErrorSums& one : base::gathered(processes, mine)) sums.add(one);
  return sums.difference();
}

/// The first process compares whole arrays, one at a time.
reference::Difference in_first(const PartsComparison& c) {
  Collection inputs(c.before, c.arrays.input_shape(), c.processes);
  Collection outputs(c.after, c.arrays.output_shape(), c.processes);
  return greatest(c, [&](std::size_t array) {
    const Volume input = inputs.next();
    c.leave_input_after(array);
    const Volume output = outputs.next();
    return base::of_first(
        c.processes, [&] { return reference::compare(output.data, c.transformed(input).values); });
  });
}

/// Each process compares the arrays that are whole in it.
reference::Difference by_owners(const PartsComparison& c) {
  const auto [before, after] = c.sides();
  return greatest(c, [&, &before = before, &after = after](std::size_t array) {
    reference::ErrorSums mine;
    base::in_all(&c.processes, [&] {
      if (before.owner(array, 0) != c.processes.rank()) return;
      const Volume input{c.arrays.input_shape(), before.row(array, 0)};
      mine = reference::error_sums(after.row(array, 0), c.transformed(input).values);
    });
    return sum_of_all(c.processes, mine);
  });
}

/// All processes compare their parts.
reference::Difference together(const PartsComparison& c, const MakeSharedTransform& make) {
  const BothSides sides = c.sides();
  const double factor = reference::scale(c.norm, c.arrays.direction, c.arrays.shape.size());
  SharedComparison comparison(make, c.arrays, sides, factor, c.processes);
  return greatest(c, [&](std::size_t array) {
    comparison.give(array);
    c.leave_input_after(array);
    comparison.run();
    return sum_of_all(c.processes, comparison.compare(array));
  });
}

std::vector<FftPart> parts_of_all(const FftPlan& plan, FftDirection direction, bool at_start) {
  std::vector<FftPart> parts;
  const int processes = plan.options().processes->size();
  parts.reserve(static_cast<std::size_t>(processes));
  for (int rank = 0; rank < processes; ++rank)
    parts.push_back(at_start ? plan.input_part(direction, rank)
                             : plan.output_part(direction, rank));
  return parts;
}

}  // namespace

Comparing comparing_of(const reference::Reference& reference, bool has_shared, const FftPlan& plan,
                       FftDirection direction) {
  const fft::AroundAxis around = fft::around_axis(plan.input_part(direction, 0));
  const bool whole = around.indices == 1, of_shared_axis = around.outer == 1 && around.inner == 1;
  const bool is_fftw = &reference == &reference::references().front();
  if (!is_fftw || of_shared_axis || (!whole && !has_shared)) return Comparing::in_first;
  return whole ? Comparing::by_owners : Comparing::together;
}

void check_memory(const reference::Reference& reference, Comparing comparing, const Arrays& arrays,
                  const FftPlan& plan, double host_bytes) {
  if (comparing != Comparing::in_first) return;
  const auto numbers = [](std::size_t count) {
    return static_cast<double>(count) * sizeof(Number);
  };
  const FftDirection direction = arrays.direction;
  const double parts =
      base::processes_on_a_host(plan.options().processes.get()) *
      numbers(plan.input_part(direction).size() + plan.output_part(direction).size());
  const double doubles = 2 * numbers(arrays.shape.size());
  const double need =
      parts + doubles + numbers(arrays.input_shape().size() + arrays.output_shape().size());
  if (need <= host_bytes) return;
  throw Error(
      ErrorCategory::environment, fmt::format("no memory to compare with {}", reference.title),
      fmt::format("the first process takes whole arrays, about {:.1f} GiB with its part, and "
                  "Weft plans with {:.1f} GiB of its host",
                  need / 0x1p30, host_bytes / 0x1p30),
      "use --reference none, or compare with FFTW in a Weft built with FFTW for MPI");
}

Accuracy accuracy_of_parts(const reference::Reference& reference, Comparing comparing,
                           const MakeSharedTransform& make, const Arrays& arrays,
                           const FftPlan& plan, double bound, Volume&& input,
                           const Volume& output) {
  Volume given = std::move(input);
  const PartsComparison comparison{reference,
                                   arrays,
                                   plan.options().norm,
                                   {parts_of_all(plan, arrays.direction, true), given.data},
                                   {parts_of_all(plan, arrays.direction, false), output.data},
                                   given,
                                   *plan.options().processes};
  switch (comparing) {
    case Comparing::in_first:
      return {&reference, in_first(comparison), bound, 0, true};
    case Comparing::by_owners:
      return {&reference, by_owners(comparison), bound};
    case Comparing::together:
      break;
  }
  return {&reference, together(comparison, make), bound};
}

}  // namespace weft::cli
