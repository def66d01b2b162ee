#include "fabric/stepper/sharing.hpp"

#include <algorithm>
#include <cstddef>
#include <tuple>
#include <vector>

#include "base/processes.hpp"
#include "fabric/stepper/stepper.hpp"
#include "model/lanes/lanes.hpp"

namespace weft::fabric {

engine::Rows pe_rows(const engine::Share& share, int rank, int height) {
  const engine::Rows strips = share.rows(rank);
  return {std::min(strips.first * model::kStripHeight, height),
          std::min(strips.last * model::kStripHeight, height)};
}

void share_words(const engine::Share& share, const Rect& where, std::span<std::uint32_t> words) {
  Processes& processes = share.processes();
  const std::size_t each_row =
      words_each(where, words.size()) * static_cast<std::size_t>(where.width);
  for (int rank = 0; rank < processes.size(); ++rank) {
    const engine::Rows rows = pe_rows(share, rank, where.y + where.height);
    const int begin = std::max(rows.first, where.y) - where.y;
    const int end = rows.last - where.y;
    if (begin >= end) continue;
    processes.broadcast(rank, std::as_writable_bytes(
                                  words.subspan(static_cast<std::size_t>(begin) * each_row,
                                                static_cast<std::size_t>(end - begin) * each_row)));
  }
}

Fault first_of_all(Processes& processes, const Fault& mine) {
  const std::vector<Fault> all = base::gathered(processes, mine);
  return *std::ranges::min_element(all, {}, [](const Fault& fault) {
    return std::tuple(fault.kind == FaultKind::none, fault.cycle, fault.y, fault.x);
  });
}

engine::Totals sum_of_all(Processes& processes, const engine::Totals& mine) {
  engine::Totals all;
  for (const engine::Totals& one : base::gathered(processes, mine)) all.add(one);
  return all;
}

void refuse_uncollected() {
  throw Error(ErrorCategory::emulator, "a PE's state is asked for where nobody has collected it",
              "of processes that share a fabric the first one has all PEs, after collect_states",
              "please report it");
}

void refuse_to_collect() {
  throw Error(ErrorCategory::environment, "no memory to look at all PEs",
              "process 0 looks at them: a run has ended, and something is left to do",
              "start process 0 on a host with more memory, or take a smaller mesh");
}

}  // namespace weft::fabric
