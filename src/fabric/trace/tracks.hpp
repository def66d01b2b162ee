#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>

#include "weft/event.hpp"

namespace weft::fabric {

/// The tracks of a PE: its tasks, its router, then a track for each microthread.
inline constexpr int kTaskTrack = 0, kRouterTrack = 1, kFirstMicrothread = 2;

inline int track_of(const Event& event) {
  switch (event.kind) {
    case EventKind::microthread_end:
    case EventKind::microthread_start:
      return kFirstMicrothread + event.number;
    case EventKind::task_start:
    case EventKind::task_end:
    case EventKind::instruction:
    case EventKind::fault:
      return kTaskTrack;
    default:
      return kRouterTrack;
  }
}

inline std::string track_name(int track) {
  if (track == kTaskTrack) return "tasks";
  if (track == kRouterTrack) return "router";
  return "microthread " + std::to_string(track - kFirstMicrothread);
}

/// What an event is on its track.
enum class Mark : std::uint8_t { begin, end, point };

inline Mark mark_of(EventKind kind) {
  const bool begins = kind == EventKind::task_start || kind == EventKind::microthread_start;
  const bool ends = kind == EventKind::task_end || kind == EventKind::microthread_end;
  return begins ? Mark::begin : ends ? Mark::end : Mark::point;
}

/// Which tracks a file knows, and which have an open slice.
class Tracks {
 public:
  /// "PE (3, 1)" is new, or this track of it.
  struct News {
    bool pe = false, track = false;
  };

  /// The place of a PE among all, row by row.
  static std::uint64_t place(const Event& event, int width) {
    return std::uint64_t{event.y} * static_cast<std::uint64_t>(width) + event.x;
  }

  News note(std::uint64_t place, int track) {
    std::uint32_t& known = state_[place][0];
    const News news{known == 0, (known >> track & 1U) == 0};
    known |= 1U << track;
    return news;
  }
  void open(std::uint64_t place, int track) { state_[place][1] |= 1U << track; }
  /// Whether it was open: a trace may begin in the middle of a task.
  bool close(std::uint64_t place, int track) {
    std::uint32_t& open = state_[place][1];
    const bool was = (open >> track & 1U) != 0;
    open &= ~(1U << track);
    return was;
  }

 private:
  std::unordered_map<std::uint64_t, std::array<std::uint32_t, 2>> state_;
};

}  // namespace weft::fabric
