#include "spec/counts.hpp"

#include <algorithm>

namespace weft::spec {

Count class_of(Op op) {
  switch (op) {
    case Op::jump:
    case Op::beq:
    case Op::bne:
    case Op::blt:
    case Op::bge:
    case Op::bltu:
    case Op::bgeu:
    case Op::call:
    case Op::ret:
      return Count::branches;
    case Op::fcount:
    case Op::flimit:
    case Op::fmax:
    case Op::setpos:
    case Op::setroute:
    case Op::setswitch:
    case Op::texit:
      return Count::router_writes;
    default:
      return Count::scalars;
  }
}

Counts::Counts(std::size_t pes, const Observation& asked)
    : pe(pes), windows(static_cast<std::size_t>(asked.windows)) {
  for (const CountInfo& row : count_infos())
    if (row.windowed) windowed[static_cast<std::size_t>(row.count)].resize(windows * pes);
}

void Counts::begin_cycle(std::uint64_t cycle) {
  if (windows == 0) return;
  if (cycle == windows * window_cycles) join_neighbours();
  window_ = static_cast<std::size_t>(cycle / window_cycles);
}

void Counts::add(std::size_t which, Count count, std::uint64_t n) {
  pe[which].of[static_cast<std::size_t>(count)] += n;
  if (auto& in_time = windowed[static_cast<std::size_t>(count)]; !in_time.empty())
    in_time[window_ * pe.size() + which] += static_cast<std::uint32_t>(n);
}

void Counts::join_neighbours() {
  window_cycles *= 2;
  for (auto& in_time : windowed) {
    if (in_time.empty()) continue;
    for (std::size_t w = 0; w < windows; ++w)
      for (std::size_t n = 0; n < pe.size(); ++n) {
        const auto of = [&](std::size_t window) {
          return window < windows ? in_time[window * pe.size() + n] : 0;
        };
        in_time[w * pe.size() + n] = of(2 * w) + of(2 * w + 1);
      }
  }
}

}  // namespace weft::spec
