#include "engine/share.hpp"

#include <algorithm>
#include <cstddef>

#include "base/processes.hpp"
#include "engine/process_ends.hpp"

namespace weft::engine {
namespace {

template <class Wake>
Wake& of_row(std::span<Wake> wakes, int row) {
  return wakes[static_cast<std::size_t>(row)];
}

}  // namespace

Share::Share(int all_rows, Processes& processes, int together)
    : processes_(processes),
      all_rows_(all_rows),
      together_(together),
      rows_(rows(processes.rank())),
      announced_(static_cast<std::size_t>(processes.size())) {
  const int rank = processes.rank();
  if (rank > 0) to_north_.emplace(processes, rank - 1);
  if (rank + 1 < processes.size()) to_south_.emplace(processes, rank + 1);
}

Share::Share(const model::View& view, Processes& processes, int together)
    : Share(view.rows, processes, together) {
  if (to_north_) north_.emplace(view, rows_.first, Port::north, *to_north_);
  if (to_south_) south_.emplace(view, rows_.last - 1, Port::south, *to_south_);
}

Cuts Share::cuts() {
  return {north_ ? &*north_ : nullptr, south_ ? &*south_ : nullptr, processes_.rank() % 2 != 0};
}

BlockNews Share::exchange(const BlockNews& mine, std::span<const std::uint64_t> wakes) {
  Announced own{mine, {}, {}};
  std::ranges::fill(own.first, model::kNever);
  std::ranges::fill(own.last, model::kNever);
  for (int k = 0; !wakes.empty() && k < std::min(kFar, rows_.count()); ++k) {
    own.first[k] = of_row(wakes, rows_.first + k);
    own.last[k] = of_row(wakes, rows_.last - 1 - k);
  }
  base::gather_into(processes_, own, announced_);
  BlockNews all;
  for (const Announced& one : announced_) {
    all.facts.add(one.news.facts);
    all.stop += one.news.stop;
    all.failed += one.news.failed;
  }
  return all;
}

void Share::add_others(std::span<std::uint64_t> wakes) const {
  for (int rank = 0; rank < processes_.size(); ++rank) {
    if (rank == processes_.rank()) continue;
    const Rows rows = this->rows(rank);
    const Announced& announced = announced_[static_cast<std::size_t>(rank)];
    for (int k = 0; k < std::min(kFar, rows.count()); ++k) {
      of_row(wakes, rows.first + k) = announced.first[k];
      of_row(wakes, rows.last - 1 - k) = announced.last[k];
    }
  }
}

int Share::stopped_by() const {
  const auto stops = [](const Announced& announced) { return announced.news.stop != 0; };
  return static_cast<int>(std::ranges::find_if(announced_, stops) - announced_.begin());
}

void Share::end_given_up(const std::exception_ptr& mine, bool announced) {
  bool all_know = true;
  for (Wire* const wire : {north(), south()})
    if (wire != nullptr) all_know &= wire->give_up();
  if (mine != nullptr && !all_know) std::rethrow_exception(mine);
  if (!announced) exchange({.facts = {}, .failed = 1}, {});
  for (Wire* const wire : {north(), south()})
    if (wire != nullptr) wire->drain();
  throw_failure(processes_, mine);
}

std::uint64_t Share::latest(std::uint64_t mine) { return base::greatest(&processes_, mine); }

}  // namespace weft::engine
