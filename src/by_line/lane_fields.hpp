#pragma once

#include <cstddef>
#include <cstdint>

#include "model/state/counts_state.hpp"
#include "model/state/view.hpp"

/// The fields of one lane in the state of a strip, as tables: for code that moves PEs from lane to
/// lane. Fields that a strip's lanes share are not here, and are found anew.
namespace weft::by_line {

/// How a field keeps a lane's part, and so its bytes for all lanes.
enum class Kind : std::uint8_t { bit, byte, half, word, cycle };

constexpr std::size_t bytes_of(Kind kind) {
  constexpr std::size_t kBytes[] = {sizeof(model::Mask), model::kLanes,
                                    sizeof(std::uint16_t) * model::kLanes, sizeof(model::Vector),
                                    sizeof(std::uint64_t) * model::kLanes};
  return kBytes[static_cast<int>(kind)];
}

/// `count` neighbouring fields of a kind.
struct LaneField {
  Kind kind;
  std::size_t offset, count;
};

#define WEFT_FIELD(Struct, kind, name) \
  LaneField { Kind::kind, offsetof(Struct, name), sizeof(Struct::name) / bytes_of(Kind::kind) }

inline constexpr LaneField kCoreFields[] = {
#define WEFT_CORE(kind, name) WEFT_FIELD(model::CoreState, kind, name)
    WEFT_CORE(bit, placed),         WEFT_CORE(bit, running),       WEFT_CORE(bit, ending),
    WEFT_CORE(bit, waiting),        WEFT_CORE(bit, queue_blocked), WEFT_CORE(bit, input_claimed),
    WEFT_CORE(bit, output_claimed), WEFT_CORE(bit, local_active),  WEFT_CORE(bit, local_blocked),
    WEFT_CORE(bit, fabric_dsr),     WEFT_CORE(bit, shaped_dsr),    WEFT_CORE(bit, color_blocked),
    WEFT_CORE(cycle, wake),         WEFT_CORE(cycle, deadline),    WEFT_CORE(word, pc),
    WEFT_CORE(word, pending),       WEFT_CORE(word, reg),          WEFT_CORE(word, base),
    WEFT_CORE(word, length),        WEFT_CORE(word, stride),       WEFT_CORE(word, where),
    WEFT_CORE(half, program),
#undef WEFT_CORE
};

inline constexpr LaneField kMicrothreadFields[] = {
    WEFT_FIELD(model::Microthread, bit, live),
    WEFT_FIELD(model::Microthread, bit, starting),
    WEFT_FIELD(model::Microthread, bit, input_only),
    WEFT_FIELD(model::Microthread, bit, output_only),
    WEFT_FIELD(model::Microthread, bit, fifo),
};
/// Work is by lane or shared: model::work_in reads it.
inline constexpr LaneField kFirstElement[] = {WEFT_FIELD(model::Microthread, cycle, first)};

/// Without `arriving`, which is by cycle.
inline constexpr LaneField kRampFields[] = {
    WEFT_FIELD(model::RampQueue, bit, valid),
    WEFT_FIELD(model::RampQueue, bit, seen),
    WEFT_FIELD(model::RampQueue, bit, control),
};
inline constexpr LaneField kRampWavelets[] = {
    WEFT_FIELD(model::RampQueue, byte, color),
    WEFT_FIELD(model::RampQueue, word, payload),
};

/// Without what is by port.
inline constexpr LaneField kColorFields[] = {
    WEFT_FIELD(model::ColorState, bit, torn_down), WEFT_FIELD(model::ColorState, bit, filtered),
    WEFT_FIELD(model::ColorState, bit, to_queue),  WEFT_FIELD(model::ColorState, bit, routed),
    WEFT_FIELD(model::ColorState, bit, shares),
};

/// Without `code`, which is read only when a program writes a route or switch register: such ones
/// are not stepped by line.
inline constexpr LaneField kSwitchFields[] = {
    WEFT_FIELD(model::SwitchState, byte, rx),   WEFT_FIELD(model::SwitchState, byte, tx),
    WEFT_FIELD(model::SwitchState, byte, last), WEFT_FIELD(model::SwitchState, byte, initial),
    WEFT_FIELD(model::SwitchState, byte, pop),  WEFT_FIELD(model::SwitchState, bit, ring),
};
inline constexpr LaneField kPositions[] = {WEFT_FIELD(model::SwitchState, byte, position)};

inline constexpr LaneField kFilterFields[] = {
    WEFT_FIELD(model::FilterState, word, counter),
    WEFT_FIELD(model::FilterState, word, limit1),
    WEFT_FIELD(model::FilterState, word, max_counter),
    WEFT_FIELD(model::FilterState, word, limit2),
    WEFT_FIELD(model::FilterState, bit, count_data),
    WEFT_FIELD(model::FilterState, bit, count_control),
    WEFT_FIELD(model::FilterState, bit, in_window),
    WEFT_FIELD(model::FilterState, bit, range),
    WEFT_FIELD(model::FilterState, bit, filter_control),
    WEFT_FIELD(model::FilterState, bit, sparse),
    WEFT_FIELD(model::FilterState, bit, has_limit2),
};

#undef WEFT_FIELD

/// What a strip that counts keeps of each lane as bits, but for lanes with programs.
inline constexpr model::Mask model::StripCounts::*kCountBits[] = {
    &model::StripCounts::data, &model::StripCounts::room, &model::StripCounts::open,
    &model::StripCounts::starting, &model::StripCounts::in_task};

}  // namespace weft::by_line
