#include "spec/counts.hpp"

#include <algorithm>
#include <iterator>

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
    : pe(pes), windows(static_cast<std::size_t>(asked.windows)), phases_(pes), phase_(pes, -1) {
  for (const CountInfo& row : count_infos())
    if (row.windowed) windowed[static_cast<std::size_t>(row.count)].resize(windows * pes);
}

void Counts::place(std::size_t which, const Program& program) {
  for (const std::string& name : program.notes.phase_names) {
    auto known = std::ranges::find(phases, name, &PhaseCounts::name);
    if (known == phases.end()) {
      PhaseCounts& made = phases.emplace_back();
      made.name = name;
      made.first.assign(pe.size(), PhaseCounts::kNever);
      made.last.assign(pe.size(), 0);
      for (const CountInfo& row : count_infos())
        if (is_by_phase(row)) made.counts[static_cast<std::size_t>(row.count)].resize(pe.size());
      known = std::prev(phases.end());
    }
    phases_[which].push_back(static_cast<int>(known - phases.begin()));
  }
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
  if (phase_[which] < 0) return;
  PhaseCounts& phase = phases[static_cast<std::size_t>(phase_[which])];
  if (auto& in_phase = phase.counts[static_cast<std::size_t>(count)]; !in_phase.empty())
    in_phase[which] += n;
}

void Counts::enter(std::size_t which, int phase) {
  phase_[which] = phase < 0 ? -1 : phases_[which][static_cast<std::size_t>(phase)];
}

void Counts::note_phase(std::size_t which, int phase, std::uint64_t cycle) {
  if (phase < 0) return;
  PhaseCounts& its =
      phases[static_cast<std::size_t>(phases_[which][static_cast<std::size_t>(phase)])];
  its.first[which] = std::min(its.first[which], cycle);
  its.last[which] = cycle;
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
