#pragma once

#include "engine/host_ports.hpp"
#include "model/core/group.hpp"
#include "model/state.hpp"

/// Parts of a fabric that has come to rest, and could not go on.
namespace weft::engine {

/// Some router has a wavelet.
inline bool holds_wavelets(const model::View& v) {
  for (std::size_t i = 0; i < v.strip_count(); ++i)
    for (std::uint32_t rest = v.strip[i].colors; rest != 0; rest &= rest - 1)
      for (const std::int32_t queue : v.colors[v.strip[i].color_state[model::lowest(rest)]].queue)
        if (queue >= 0 && v.port_queues[queue].valid[0] != 0) return true;
  return false;
}

/// Wavelets, microthreads or tasks are left, tasks that are active but blocked too. Strips without
/// programs and routes are not asked: perhaps nobody has touched their memory yet.
inline bool anything_left(const model::View& v) {
  model::Mask left = 0;
  for (std::size_t i = 0; i < v.strip_count(); ++i) {
    if (!v.strip[i].programmed && v.strip[i].colors == 0) continue;
    const model::CoreState& core = v.core[i];
    left |= core.running | model::with_microthreads(core);
    for (std::uint32_t rest = core.local_any; rest != 0; rest &= rest - 1)
      left |= core.local_active[model::lowest(rest)];
    for (std::uint32_t rest = core.inputs_held; rest != 0; rest &= rest - 1)
      left |= core.in[model::lowest(rest)].valid[0];
    for (std::uint32_t rest = v.strip[i].outputs_held; rest != 0; rest &= rest - 1)
      left |= core.out[model::lowest(rest)].valid[0];
  }
  return left != 0 || holds_wavelets(v) || (v.host != nullptr && host_words_left(*v.host));
}

}  // namespace weft::engine
