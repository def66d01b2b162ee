#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "fabric/build/footprint.hpp"
#include "fabric/path/records.hpp"
#include "fabric/path/tracks.hpp"
#include "model/state/timing.hpp"
#include "weft/event.hpp"
#include "weft/layout.hpp"
#include "weft/machine.hpp"

namespace weft::fabric::path {

/// A PE whose events are followed from a cycle on, as it is then. It has no wavelets in its router.
struct Unknown {
  struct Queue {
    int wavelets = 0;
    int color = -1;
  };
  std::int32_t pe = 0;
  std::uint64_t from = 0;                   ///< the first cycle
  std::int32_t before = 0;                  ///< a number of the caller's
  std::array<Queue, kInputQueues> input{};  ///< of the ramp
  std::array<Queue, kOutputQueues> output{};
  std::array<std::int32_t, kInputQueues> microthread{};  ///< their instructions; -1: none
};

/// Follows the events of a run, and keeps what came last before each wait. From the last event one
/// then walks back to cycle 0 (pieces.hpp). That takes all events; or those of the PEs that the way
/// leads to, each from some cycle on (missing.hpp).
class Recorder {
 public:
  Recorder(const Layout& layout, const Machine& machine);

  /// All events of a PE in a cycle, or of whole cycles, in order, elements too. PEs of which no
  /// wavelet comes to the others may follow each other, each with all its cycles.
  void take(std::span<const Event> events);
  /// What a PE did up to now is not known.
  void begin(const Unknown& pe);

  const Records& records() const { return records_; }
  /// The cause that the last event left, and its PE.
  const Cause& last() const { return last_; }
  std::int32_t last_pe() const { return last_pe_; }
  const PeTrack& track(std::int32_t pe) const {
    static const PeTrack kNone{};
    const auto& track = tracks_[static_cast<std::size_t>(pe)];
    return track ? *track : kNone;
  }
  const Program* program(std::int32_t pe) const { return programs_[static_cast<std::size_t>(pe)]; }
  const Machine& machine() const { return machine_; }
  int width() const { return width_; }

 private:
  /// A wavelet that leaves a router.
  struct Leaving {
    int color;
    Port from;
    unsigned links;  ///< a bit each
    int queue;       ///< of the core; -1: none
    Cause cause;
  };
  /// What a wait was for.
  struct Wait {
    Since since{};
    PathKind why = PathKind::core;
    std::int32_t via = -1;  ///< -1: the PE itself
  };

  void take_pe(std::span<const Event> events);
  void find_leaving(std::span<const Event> events);
  void leave(Leaving& wavelet);
  Wait wait_to_leave(const Leaving& wavelet, const ColorTrack& color);
  Wait wait_for_link(const Leaving& wavelet) const;
  Wait wait_for_room(const Leaving& wavelet);
  Since left_beyond(std::int32_t to, int color, Port port);
  void send(const Event& event);
  void do_element(const Event& event);
  std::optional<Waiting> take_off(std::uint32_t queues);
  void note_room(std::uint32_t queues, const Cause& by);
  void end_microthread(const Event& event);
  void start_task(const Event& event);
  void issue(const Event& event, bool starts_stream);
  void start_microthread(const Event& event);
  void switch_color(const Event& event);
  void at_end(const VectorOptions& options, const Since& since);

  Cause core() const { return {track_->task, now_}; }
  void see(const Cause& cause);
  void touch(const Cause& cause, std::uint64_t since);
  std::uint32_t wait(Wait wait, Work work, int color, std::int32_t pc = -1);
  std::int32_t beyond(Port link) const;
  PeTrack& track_of(std::int32_t pe);
  int color_inside(std::int32_t pe, int color, Port port) const;

  Machine machine_;
  model::Timing timing_;
  int width_, height_;
  std::vector<std::shared_ptr<const Program>> kept_{};
  std::vector<const Program*> programs_;                    ///< by PE; null: none
  std::vector<std::unique_ptr<PeTrack>> tracks_;            ///< by PE; null: it had no event yet
  std::array<std::vector<std::uint8_t>, kColors> swaps_{};  ///< by PE, if some route does
  double host_bytes_ = host_memory();
  Records records_{};
  std::uint64_t instructions_ = 0;  ///< of all tracks
  Cause last_{};
  std::int32_t last_pe_ = 0;

  std::uint64_t now_ = 0;  ///< of the PE that is looked at
  std::int32_t pe_ = 0;
  PeTrack* track_ = nullptr;
  std::vector<Leaving> gone_{};        ///< what has left its router in this cycle
  std::optional<Waiting> for_task_{};  ///< the wavelet that its core has taken in this cycle
  std::uint32_t for_task_queues_ = 0;  ///< off this queue, as a bit
};

}  // namespace weft::fabric::path
