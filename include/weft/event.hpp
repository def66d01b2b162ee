#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weft/types.hpp"

namespace weft::inline v0 {

/// A kind of event: a row of events.def each.
enum class EventKind : std::uint8_t {
#define WEFT_EVENT(name, group, number, value, meaning) name,
#include "weft/events.def"
#undef WEFT_EVENT
};

/// Past the kinds: the core takes wavelets off input queues or puts one into an output queue. Only
/// the critical path gets it (weft/path.hpp); no sink gets it. Its number is the microthread
/// whose element it is, or kTakenByCore; its value has a bit for each input queue, and kPut.
inline constexpr EventKind kElementEvent =
    static_cast<EventKind>(static_cast<int>(EventKind::fault) + 1);
inline constexpr int kTakenByCore = kInputQueues;
inline constexpr std::uint32_t kPut = 1U << kInputQueues;

/// One row of events.def.
struct EventInfo {
  EventKind kind;
  std::string_view name, group, number, value, meaning;
};

/// All kinds, in the order of events.def.
std::span<const EventInfo> event_infos() noexcept;

/// The kinds that a word means: one, or all of a group ("wavelet"). Throws Error(usage) that names
/// the nearest.
std::vector<EventKind> event_kinds(std::string_view word);

/// Something that happened in a PE. docs/model.md defines each kind, and the order of events.
struct Event {
  std::uint64_t cycle : 48 = 0;
  EventKind kind{};
  std::uint8_t number = 0;       ///< of a color, task or microthread: as EventInfo::number says
  std::uint32_t value : 24 = 0;  ///< as EventInfo::value says
  Port from = Port::ramp;        ///< hop, delivered, refused, held: where the wavelet came in
  std::uint16_t x = 0, y = 0;    ///< the PE

  constexpr Event() = default;
  constexpr Event(std::uint64_t when, int pe_x, int pe_y, EventKind what, int number_of_it,
                  std::uint32_t value_of_it, Port came_by = Port::ramp) noexcept
      : cycle(when & kMostCycle),
        kind(what),
        number(static_cast<std::uint8_t>(number_of_it)),
        value(value_of_it & kMostValue),
        from(came_by),
        x(static_cast<std::uint16_t>(pe_x)),
        y(static_cast<std::uint16_t>(pe_y)) {}

  /// Cycle, row, column, kind, number, value, port: the order of a trace.
  std::strong_ordering operator<=>(const Event& other) const noexcept {
    return when() != other.when() ? when() <=> other.when() : what() <=> other.what();
  }
  bool operator==(const Event& other) const noexcept {
    return when() == other.when() && what() == other.what();
  }

 private:
  static constexpr std::uint64_t kMostCycle = (std::uint64_t{1} << 48U) - 1;
  static constexpr std::uint32_t kMostValue = (1U << 24U) - 1;
  std::uint64_t when() const noexcept { return std::uint64_t{cycle} << 16U | y; }
  std::uint64_t what() const noexcept {
    return std::uint64_t{x} << 48U | std::uint64_t{static_cast<std::uint8_t>(kind)} << 40U |
           std::uint64_t{number} << 32U | std::uint64_t{value} << 8U |
           static_cast<std::uint8_t>(from);
  }
};
static_assert(sizeof(Event) == 16);

/// Events that a fabric is to emit: those for which all of this holds. Of several choices, each
/// event comes once.
struct EventChoice {
  std::optional<Rect> pes{};          ///< none: all
  std::vector<EventKind> kinds{};     ///< none: all
  std::vector<std::string> colors{};  ///< of wavelets and switches, by name or number; none: all
  std::uint64_t from = 0;             ///< the first cycle
  std::uint64_t to = std::numeric_limits<std::uint64_t>::max();  ///< the one after the last
  bool operator==(const EventChoice&) const = default;
};

/// Takes events in order, whole cycles at a time, while the fabric runs, on the thread that called
/// its run. What it throws ends the run as an exception of FabricOptions::progress does.
using EventSink = std::function<void(std::span<const Event>)>;

/// The names that events stand for, of one fabric.
struct EventNames {
  struct OfProgram {
    std::string name;
    std::map<int, std::string> tasks{};       ///< by Event::number; those that have one
    std::vector<std::string> instructions{};  ///< "copy(to(halo), u) (heat.py:31)", or empty
  };
  int width = 0, height = 0;            ///< PEs
  std::map<int, std::string> colors{};  ///< those that have one
  std::vector<OfProgram> programs{};
  std::vector<std::int32_t> program{};  ///< of each PE, row by row; -1: none
  std::function<bool(const Event&)> is_chosen{};
  bool from_start = false;  ///< no cycle that the fabric has run, or will, is left out

  /// The program of a PE; null: it has none.
  const OfProgram* program_of(const Event& event) const noexcept;
  /// What the event is about: "color 3 (halo east)", "main", "copy(to(halo), u) (heat.py:31)".
  std::string name_of(const Event& event) const;
};

}  // namespace weft::inline v0
