#pragma once

#include "model/core/microthreads.hpp"

/// What keeps microthreads from their next elements.
namespace weft::counting {

using namespace model;

/// Lanes, of microthreads that have begun. Where a control wavelet stands, there is no data.
struct Lacks {
  Mask data = 0, room = 0;
};

WEFT_INLINE Mask without_data(const CoreState& core, int q) {
  return ~core.in[q].seen[0] | core.in[q].control[0];
}

/// One operand, the destination or a source, in these lanes.
static WEFT_INLINE void note_lack(const View& v, const CoreState& core, std::uint32_t where,
                                  bool destination, Mask lanes, Lacks& lacks) {
  const int q = static_cast<int>(Operand::queue(where));
  switch (Operand::kind(where)) {
    case Operand::fabric_in:
      lacks.data |= lanes & without_data(core, q);
      return;
    case Operand::fabric_out:
      lacks.room |= lanes & ~vacant(v, core, q);
      return;
    case Operand::fifo:
      for_each(lanes, [&](int lane) {
        const FifoLane f = FifoLane::of(v, core, lane, where);
        if (destination ? f.full() : f.empty())
          (destination ? lacks.room : lacks.data) |= lane_bit(lane);
      });
      return;
    default:
      return;
  }
}

/// Of microthread u, in lanes in which it has other operands than one queue.
[[gnu::noinline]] WEFT_OWN Lacks lacks_of_others(const View& v, const CoreState& core, int u,
                                                 Mask lanes) {
  const Microthread& t = core.microthread[u];
  Lacks lacks;
  if (const Mask formed = lanes & t.formed; formed != 0)
    for (int k = 0; k < 3; ++k) note_lack(v, core, t.form.where[k], k == 0, formed, lacks);
  for_each(lanes & ~t.formed, [&](int lane) {
    for (int k = 0; k < 3; ++k)
      note_lack(v, core, t.where[k].at[lane], k == 0, lane_bit(lane), lacks);
  });
  return lacks;
}

/// Of microthread u, which has begun in these lanes. In most lanes it can lack one queue alone, and
/// masks tell.
static WEFT_INLINE Lacks lacks_of(const View& v, const CoreState& core, int u, Mask lanes) {
  const Microthread& t = core.microthread[u];
  Mask data = 0, room = 0;
  if (const Mask only = lanes & t.input_only; only != 0) data = only & without_data(core, u);
  if (const Mask only = lanes & t.output_only; only != 0) room = only & ~vacant(v, core, u);
  lanes &= ~t.input_only & ~t.output_only;
  if (lanes == 0) return {data, room};
  const Lacks others = lacks_of_others(v, core, u, lanes);
  return {data | others.data, room | others.room};
}

/// Of all microthreads.
static WEFT_INLINE Lacks lacks_of_all(const View& v, const CoreState& core) {
  Lacks all;
  for_each(core.live, [&](int u) {
    const Microthread& t = core.microthread[u];
    const Lacks one = lacks_of(v, core, u, t.live & ~t.starting);
    all.data |= one.data;
    all.room |= one.room;
  });
  return all;
}

}  // namespace weft::counting
