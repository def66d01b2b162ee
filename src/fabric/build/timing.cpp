#include "fabric/build/timing.hpp"

#include "isa/table.hpp"

namespace weft::fabric {

model::Timing timing_of(const Machine& m) {
  const auto u = [](int value) { return static_cast<std::uint32_t>(value); };
  model::Timing t{};
  t.host_link = u(m.host_link_cycles);
  t.hop = u(m.hop_cycles);
  t.link_busy = u(m.link_busy_cycles);
  t.link_rest = u(m.link_rest_cycles);
  t.die_width = u(m.die_width);
  t.die_height = u(m.die_height);
  t.far_link = u(m.die_link_cycles);
  t.late = t.hop - 1 + t.far_link;
  t.crowd = t.link_period() * u(m.crowd_wavelets);
  t.ramp = u(m.ramp_cycles);
  t.scalar = u(m.scalar_cycles);
  t.scalar_f32 = u(m.scalar_f32_cycles);
  t.branch_taken = u(m.branch_taken_cycles);
  t.vector_start = u(m.vector_start_cycles);
  t.task_start = u(m.task_start_cycles);
  t.microthread_start = u(m.microthread_start_cycles);
  t.router_write = u(m.router_write_cycles);
  t.two_source_divisor = u(m.two_source_divisor);
  t.stride_4_rate = u(m.stride_4_rate);
  for (std::uint32_t& one : t.rate) one = 1;
#define WEFT_COST(...)
#define WEFT_VECTOR_COST(name, constant, ...) \
  t.rate[static_cast<int>(isa::Cost::name)] = u(m.constant);
#include "isa/costs.def"
  t.router_depth = u(m.router_queue_depth);
  t.memory_bytes = u(m.pe_memory_bytes) / 4 * 4;  // whole words
  for (int q = 0; q < kInputQueues; ++q)
    t.input_depth[q] = u(q < 2   ? m.input_queue_0_1_depth
                         : q < 4 ? m.input_queue_2_3_depth
                                 : m.input_queue_4_7_depth);
  for (int q = 0; q < kOutputQueues; ++q)
    t.output_depth[q] = u(q < 2   ? m.output_queue_0_1_depth
                          : q < 4 ? m.output_queue_2_3_depth
                                  : m.output_queue_4_5_depth);
  return t;
}

bool has_far_links(const Machine& m, int width, int height) noexcept {
  if (m.die_width == 0 && m.die_height == 0) return true;
  return (m.die_width != 0 && m.die_width < width) || (m.die_height != 0 && m.die_height < height);
}

bool links_rest(const Machine& m, int width, int height) noexcept {
  return m.link_busy_cycles != 0 && has_far_links(m, width, height);
}

}  // namespace weft::fabric
