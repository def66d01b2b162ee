#include "cli/fft/parts_accuracy.hpp"

#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/first_error.hpp"
#include "base/processes.hpp"
#include "fft/parts.hpp"
#include "reference/definition.hpp"

namespace weft::cli {
namespace {

using Number = std::complex<float>;

/// The arrays before the transform, or after it: which process has which index along the divided
/// axis, and the numbers of those that are here.
class Side {
 public:
  Side(std::vector<FftPart> parts, int rank, std::span<const Number> numbers)
      : parts_(std::move(parts)),
        numbers_(numbers),
        places_(mine(rank)),
        around_(fft::around_axis(mine(rank))) {
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
  const FftPart& mine(int rank) const { return parts_[static_cast<std::size_t>(rank)]; }

  std::vector<FftPart> parts_;  ///< by process
  std::span<const Number> numbers_;
  fft::PlacesInPart places_;
  fft::AroundAxis around_;
  std::vector<int> owners_{};
};

/// take(row) in the process `to`, of what make() gives in the process `from`.
template <class Make, class Take>
void send_row(Processes& processes, int from, int to, const Make& make, const Take& take) {
  const int rank = processes.rank();
  if (rank == from && from == to) return take(std::span<const Number>(make()));
  std::vector<std::byte> message;
  if (rank == from) {
    processes.send(to, std::as_bytes(std::span<const Number>(make())));
    processes.receive(to, message);  // one row is under way
  } else if (rank == to) {
    processes.receive(from, message);
    std::vector<Number> row(message.size() / sizeof(Number));
    std::memcpy(row.data(), message.data(), message.size());
    take(std::span<const Number>(row));
    processes.send(from, {});
  }
}

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
  SharedComparison(const MakeSharedTransform& make, const Arrays& arrays, const Side& before,
                   const Side& after, double factor, Processes& processes)
      : before_(before), after_(after), factor_(factor), processes_(processes) {
    const SharedShape shape = shared_shape(arrays, before.axis(), after.axis());
    base::in_all(&processes, [&] { transform_ = make(shape); });
    base::in_all(&processes, [&] { transform_->plan(); });
  }

  void give(std::size_t array) {
    for (std::size_t index = 0; index < before_.indices(); ++index)
      send_row(
          processes_, before_.owner(array, index), transform_->owner_before(index),
          [&] { return before_.row(array, index); },
          [&](std::span<const Number> row) { transform_->give(index, row); });
  }

  void run() { transform_->run(); }

  /// Of the numbers that this process compares.
  reference::ErrorSums compare(std::size_t array) {
    reference::ErrorSums sums;
    for (std::size_t index = 0; index < after_.indices(); ++index)
      send_row(
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

Accuracy accuracy_of_parts(const reference::Reference& reference, const MakeSharedTransform& make,
                           const Arrays& arrays, const FftPlan& plan, double bound, Volume&& input,
                           const Volume& output) {
  Processes& processes = *plan.options().processes;
  const int rank = processes.rank();
  Volume given = std::move(input);
  std::optional<Side> sides[2];
  base::in_all(&processes, [&] {
    sides[0].emplace(parts_of_all(plan, arrays.direction, true), rank, given.data);
    sides[1].emplace(parts_of_all(plan, arrays.direction, false), rank, output.data);
  });
  const Side &before = *sides[0], &after = *sides[1];
  const FftNorm norm = plan.options().norm;
  Accuracy worst{&reference, {}, bound, 0};
  const auto note = [&](std::size_t array, const reference::ErrorSums& mine) {
    reference::ErrorSums sums;
    for (const reference::ErrorSums& one : base::gathered(processes, mine)) sums.add(one);
    const reference::Difference one = sums.difference();
    if (array == 0 || one.rel_l2 > worst.difference.rel_l2) worst.difference = one;
  };
  const auto count = static_cast<std::size_t>(arrays.batch);
  if (before.indices() == 1) {
    for (std::size_t array = 0; array < count; ++array) {
      reference::ErrorSums mine;
      base::in_all(&processes, [&] {
        if (before.owner(array, 0) != rank) return;
        const reference::Transformed exact =
            transform_one(reference, arrays, {arrays.input_shape(), before.row(array, 0)}, norm,
                          reference::Arithmetic::fp64);
        mine = reference::error_sums(after.row(array, 0), exact.values);
      });
      note(array, mine);
    }
    return worst;
  }
  SharedComparison comparison(make, arrays, before, after,
                              reference::scale(norm, arrays.direction, arrays.shape.size()),
                              processes);
  for (std::size_t array = 0; array < count; ++array) {
    comparison.give(array);
    if (array + 1 == count) given = Volume{};
    comparison.run();
    note(array, comparison.compare(array));
  }
  return worst;
}

}  // namespace weft::cli
