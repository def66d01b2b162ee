#include "engine/share.hpp"

#include <algorithm>
#include <cstddef>

#include "base/processes.hpp"

namespace weft::engine {
namespace {

template <class Wake>
Wake& of_row(std::span<Wake> wakes, int row) {
  return wakes[static_cast<std::size_t>(row)];
}

}  // namespace

Share::Share(const model::View& view, Processes& processes)
    : processes_(processes),
      all_rows_(view.rows),
      rows_(rows_of(processes, processes.rank(), view.rows)),
      told_(static_cast<std::size_t>(processes.size())) {
  const int rank = processes.rank();
  if (rank > 0) north_.emplace(view, rows_.first, Port::north, processes, rank - 1);
  if (rank + 1 < processes.size())
    south_.emplace(view, rows_.last - 1, Port::south, processes, rank + 1);
}

Cuts Share::cuts() {
  return {north_ ? &*north_ : nullptr, south_ ? &*south_ : nullptr, processes_.rank() % 2 != 0};
}

BlockNews Share::exchange(const BlockNews& mine, std::span<const std::uint64_t> wakes) {
  Told own{mine, {}, {}};
  std::ranges::fill(own.first, model::kNever);
  std::ranges::fill(own.last, model::kNever);
  for (int k = 0; k < std::min(kFar, rows_.count()); ++k) {
    own.first[k] = of_row(wakes, rows_.first + k);
    own.last[k] = of_row(wakes, rows_.last - 1 - k);
  }
  told_ = base::gathered(processes_, own);
  BlockNews all;
  for (const Told& one : told_) {
    all.facts.add(one.news.facts);
    all.stop += one.news.stop;
  }
  return all;
}

void Share::add_others(std::span<std::uint64_t> wakes) const {
  for (int rank = 0; rank < processes_.size(); ++rank) {
    if (rank == processes_.rank()) continue;
    const Rows rows = rows_of(processes_, rank, all_rows_);
    const Told& told = told_[static_cast<std::size_t>(rank)];
    for (int k = 0; k < std::min(kFar, rows.count()); ++k) {
      of_row(wakes, rows.first + k) = told.first[k];
      of_row(wakes, rows.last - 1 - k) = told.last[k];
    }
  }
}

std::uint64_t Share::latest(std::uint64_t mine) {
  return std::ranges::max(base::gathered(processes_, mine));
}

}  // namespace weft::engine
