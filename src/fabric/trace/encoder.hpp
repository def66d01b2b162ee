#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "weft/event.hpp"

/// Formats of traces. An encoder appends bytes to the end of a text that somebody else writes.
namespace weft::fabric {

class Encoder {
 public:
  Encoder() = default;
  Encoder(const Encoder&) = delete;
  Encoder& operator=(const Encoder&) = delete;
  virtual ~Encoder() = default;

  /// What stands before the first event. Its length is always the same: it may be written anew when
  /// all events are known.
  virtual std::string front(std::uint64_t events) const = 0;
  virtual void add(const Event& event, std::string& to) = 0;
  virtual void end(std::string& /*to*/) {}
};

std::unique_ptr<Encoder> perfetto_encoder(const EventNames& names);
std::unique_ptr<Encoder> chrome_encoder(const EventNames& names);
std::unique_ptr<Encoder> npy_encoder(const EventNames& names);
std::unique_ptr<Encoder> log_encoder(const EventNames& names);

/// Without line breaks and other controls, in UTF-8: names may be any bytes.
std::string clean(std::string name);
/// The name that an event has on a track.
std::string name_on_track(const Event& event, const EventNames& names);

}  // namespace weft::fabric
