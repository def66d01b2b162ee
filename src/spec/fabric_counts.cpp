#include "spec/fabric.hpp"

/// What a fabric counts, where it is asked to: docs/model.md, "What is counted".
namespace weft::spec {

void Fabric::count(int x, int y, Count what, std::uint64_t n) {
  if (counts) counts->add(index(y) * index(width_) + index(x), what, n);
}

/// A wavelet has left by a link, or to the core.
void Fabric::count_left(int x, int y, int color, Port port) {
  if (!counts) return;
  count(x, y, port == Port::ramp ? Count::delivered : count_of(port));
  ++counts->pe[index(y) * index(width_) + index(x)]
        .wavelets[index(color)][static_cast<std::size_t>(port)];
}

void Fabric::count_held(int x, int y, int color, Count why) {
  if (!counts) return;
  count(x, y, Count::held);
  count(x, y, why);
  ++counts->pe[index(y) * index(width_) + index(x)].held[index(color)];
}

/// After a core's step.
void Fabric::count_core(int x, int y) {
  if (!counts) return;
  const Core& core = pe(x, y).core;
  const std::size_t place = index(y) * index(width_) + index(x);
  const Deeds& did = core.did;
  counts->enter(place, core.phase);
  if (did.in_task) counts->note_phase(place, core.phase, cycle_);
  for (const int phase : did.stream_phases) counts->note_phase(place, phase, cycle_);
  count(x, y,
        did.computes       ? Count::computing
        : did.elements > 0 ? Count::moving
        : did.lacks_data   ? Count::waits_data
        : did.lacks_room   ? Count::waits_room
                           : Count::idle);
  count(x, y, Count::elements, did.elements);
  if (did.took_task) count(x, y, Count::tasks);
  if (did.instruction) count(x, y, *did.instruction);
  if (!did.in_task) return;
  std::vector<std::uint64_t>& cycles = counts->pe[place].cycles;
  cycles.resize(core.program->code.size());
  ++cycles[core.task_pc];
}

}  // namespace weft::spec
