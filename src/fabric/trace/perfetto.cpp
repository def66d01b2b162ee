#include <fmt/format.h>

#include <map>
#include <utility>

#include "fabric/trace/arrows.hpp"
#include "fabric/trace/encoder.hpp"
#include "fabric/trace/protobuf.hpp"
#include "fabric/trace/tracks.hpp"

/// Perfetto's protobuf (protos/perfetto/trace of google/perfetto): a stream of packets, in which a
/// PE is a track, and its tasks, router and microthreads are tracks in it. A cycle is a nanosecond.
namespace weft::fabric {
namespace {

namespace pb = protobuf;

// Numbers of the fields that are used, by message.
namespace trace {
constexpr std::uint32_t kPacket = 1;
}
namespace packet {
constexpr std::uint32_t kClockSnapshot = 6, kTimestamp = 8, kSequence = 10, kTrackEvent = 11,
                        kInterned = 12, kFlags = 13, kDefaults = 59, kTrackDescriptor = 60;
constexpr std::uint64_t kCleared = 1, kNeedsState = 2;  // flags
}  // namespace packet
namespace clocks {
constexpr std::uint32_t kClock = 1, kId = 1, kTime = 2, kIncremental = 3, kUnit = 4;
constexpr std::uint64_t kBoot = 6, kOwn = 64;
}  // namespace clocks
namespace defaults {
constexpr std::uint32_t kClock = 58;
}
namespace descriptor {
constexpr std::uint32_t kId = 1, kName = 2, kParent = 5;
}
namespace interned {
constexpr std::uint32_t kNames = 2, kId = 1, kName = 2;
}
namespace track_event {
constexpr std::uint32_t kType = 9, kName = 10, kTrack = 11, kFlow = 47, kLastOfFlow = 48;
}

constexpr std::uint64_t kSequence = 1;

class PerfettoEncoder : public Encoder {
 public:
  explicit PerfettoEncoder(EventNames names) : names_(std::move(names)), arrows_(names_) {}

  std::string front(std::uint64_t) const override {
    std::string snapshot, boot, own, defaults;
    pb::number(boot, clocks::kId, clocks::kBoot);
    pb::number(boot, clocks::kTime, 0);
    pb::number(own, clocks::kId, clocks::kOwn);
    pb::number(own, clocks::kTime, 0);
    pb::number(own, clocks::kIncremental, 1);
    pb::number(own, clocks::kUnit, 1);
    pb::bytes(snapshot, clocks::kClock, boot);
    pb::bytes(snapshot, clocks::kClock, own);
    pb::number(defaults, defaults::kClock, clocks::kOwn);
    std::string first, all;
    pb::number(first, packet::kSequence, kSequence);
    pb::number(first, packet::kFlags, packet::kCleared);
    pb::bytes(first, packet::kClockSnapshot, snapshot);
    pb::bytes(first, packet::kDefaults, defaults);
    pb::bytes(all, trace::kPacket, first);
    return all;
  }

  void add(const Event& event, std::string& to) override {
    const int track = track_of(event);
    const Mark mark = mark_of(event.kind);
    const std::uint64_t place = Tracks::place(event, names_.width);
    describe(event, place, track, to);
    if (mark == Mark::begin) tracks_.open(place, track);
    if (mark == Mark::end && !tracks_.close(place, track)) return;
    constexpr std::uint64_t kTypes[] = {1, 2, 3};  // of the marks
    event_.clear();
    packet_.clear();
    pb::number(packet_, packet::kTimestamp, event.cycle - now_);
    now_ = event.cycle;
    pb::number(packet_, packet::kSequence, kSequence);
    pb::number(packet_, packet::kFlags, packet::kNeedsState);
    pb::number(event_, track_event::kType, kTypes[static_cast<int>(mark)]);
    pb::number(event_, track_event::kTrack, id_of(place, track));
    if (mark != Mark::end) pb::number(event_, track_event::kName, intern(event));
    if (const std::uint64_t flow = arrows_.follow(event); flow != 0)
      pb::fixed64(event_,
                  event.kind == EventKind::sent ? track_event::kFlow : track_event::kLastOfFlow,
                  flow);
    pb::bytes(packet_, packet::kTrackEvent, event_);
    pb::bytes(to, trace::kPacket, packet_);
  }

 private:
  static constexpr std::uint64_t kTracks = 16;  ///< of a PE, at most

  /// 0 is the default track.
  static std::uint64_t id_of(std::uint64_t place, int track) {
    return place * kTracks + static_cast<std::uint64_t>(track) + 2;
  }

  void describe(const Event& event, std::uint64_t place, int track, std::string& to) {
    const auto [is_new_pe, is_new_track] = tracks_.note(place, track);
    const std::uint64_t pe = id_of(place, -1);
    const auto put = [&](std::uint64_t id, const std::string& name, std::uint64_t parent) {
      std::string text, all;
      pb::number(text, descriptor::kId, id);
      pb::bytes(text, descriptor::kName, name);
      if (parent != 0) pb::number(text, descriptor::kParent, parent);
      pb::number(all, packet::kSequence, kSequence);
      pb::bytes(all, packet::kTrackDescriptor, text);
      pb::bytes(to, trace::kPacket, all);
    };
    if (is_new_pe) put(pe, fmt::format("PE ({}, {})", event.x, event.y), 0);
    if (is_new_track) put(id_of(place, track), track_name(track), pe);
  }

  /// The number of an event's name, which goes into the packet where it is new.
  std::uint64_t intern(const Event& event) {
    const auto* const program = names_.program_of(event);
    const auto [known, is_new] = interned_.try_emplace(
        {program, event.kind, event.number, event.value}, interned_.size() + 1);
    if (is_new) {
      std::string name, all;
      pb::number(name, interned::kId, known->second);
      pb::bytes(name, interned::kName, name_on_track(event, names_));
      pb::bytes(all, interned::kNames, name);
      pb::bytes(packet_, packet::kInterned, all);
    }
    return known->second;
  }

  /// What an event's name depends on.
  struct Key {
    const EventNames::OfProgram* program;
    EventKind kind;
    std::uint8_t number;
    std::uint32_t value;
    auto operator<=>(const Key&) const = default;
  };

  EventNames names_;
  Arrows arrows_;
  Tracks tracks_{};
  std::map<Key, std::uint64_t> interned_{};
  std::uint64_t now_ = 0;
  std::string event_{}, packet_{};
};

}  // namespace

std::unique_ptr<Encoder> perfetto_encoder(const EventNames& names) {
  return std::make_unique<PerfettoEncoder>(names);
}

}  // namespace weft::fabric
