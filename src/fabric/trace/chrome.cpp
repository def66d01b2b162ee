#include <fmt/format.h>

#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "fabric/trace/arrows.hpp"
#include "fabric/trace/encoder.hpp"
#include "fabric/trace/tracks.hpp"

/// Chrome's trace events, an array of objects: a PE is a process, and its tasks, router and
/// microthreads are threads. A cycle is a nanosecond; times are in microseconds.
namespace weft::fabric {
namespace {

std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

class ChromeEncoder : public Encoder {
 public:
  explicit ChromeEncoder(EventNames names) : names_(std::move(names)), arrows_(names_) {}

  std::string front(std::uint64_t) const override {
    return "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n";
  }

  void add(const Event& event, std::string& to) override {
    const int track = track_of(event);
    const Mark mark = mark_of(event.kind);
    const std::uint64_t place = Tracks::place(event, names_.width);
    const auto [is_new_pe, is_new_track] = tracks_.note(place, track);
    if (is_new_pe) name("process_name", fmt::format("PE ({}, {})", event.x, event.y), place, 0, to);
    if (is_new_track) name("thread_name", track_name(track), place, track, to);
    if (mark == Mark::begin) tracks_.open(place, track);
    if (mark == Mark::end && !tracks_.close(place, track)) return;
    if (mark == Mark::end) return object('E', event, place, track, "", to);
    const std::string with_name = fmt::format(",\"name\":{}", quoted(name_on_track(event, names_)));
    if (mark == Mark::begin) return object('B', event, place, track, with_name, to);
    object('X', event, place, track, with_name + ",\"dur\":0.001", to);
    const std::uint64_t arrow = arrows_.follow(event);
    if (arrow == 0) return;
    const bool begins = event.kind == EventKind::sent;
    object(begins ? 's' : 'f', event, place, track,
           fmt::format(",\"name\":\"wavelet\",\"cat\":\"wavelet\",\"id\":{}{}", arrow,
                       begins ? "" : ",\"bp\":\"e\""),
           to);
  }

  void end(std::string& to) override { to += "\n]}\n"; }

 private:
  void separate(std::string& to) {
    if (!is_first_) to += ",\n";
    is_first_ = false;
  }

  void name(const char* what, const std::string& text, std::uint64_t place, int track,
            std::string& to) {
    separate(to);
    fmt::format_to(
        std::back_inserter(to),
        "{{\"ph\":\"M\",\"pid\":{},\"tid\":{},\"name\":\"{}\",\"args\":{{\"name\":{}}}}}", place,
        track, what, quoted(text));
  }

  void object(char phase, const Event& event, std::uint64_t place, int track,
              const std::string& more, std::string& to) {
    separate(to);
    const std::uint64_t cycle = event.cycle;
    fmt::format_to(std::back_inserter(to),
                   "{{\"ph\":\"{}\",\"ts\":{}.{:03},\"pid\":{},\"tid\":{}{}}}", phase, cycle / 1000,
                   cycle % 1000, place, track, more);
  }

  EventNames names_;
  Arrows arrows_;
  Tracks tracks_{};
  bool is_first_ = true;
};

}  // namespace

std::unique_ptr<Encoder> chrome_encoder(const EventNames& names) {
  return std::make_unique<ChromeEncoder>(names);
}

}  // namespace weft::fabric
