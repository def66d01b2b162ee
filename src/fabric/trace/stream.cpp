#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <exception>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "fabric/events/event_log.hpp"
#include "fabric/trace/encoder.hpp"
#include "weft/error.hpp"
#include "weft/trace.hpp"

namespace weft::fabric {
namespace {

struct Row {
  std::string_view suffix;
  bool counts;  ///< its front has the number of events, so it cannot be compressed
  std::unique_ptr<Encoder> (*encoder)(const EventNames& names);
};

constexpr Row kFormats[] = {{".pftrace", false, perfetto_encoder},
                            {".json", false, chrome_encoder},
                            {".log", false, log_encoder},
                            {".npy", true, npy_encoder}};

bool ends_in(std::string_view path, std::string_view suffix) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return path.size() > suffix.size() &&
         std::ranges::equal(path.substr(path.size() - suffix.size()), suffix, {}, lower);
}

}  // namespace

std::string clean(std::string name) {
  using Json = nlohmann::json;
  for (char& c : name)
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') c = ' ';
  const std::string quoted = Json(name).dump(-1, ' ', false, Json::error_handler_t::replace);
  return Json::parse(quoted).get<std::string>();
}

std::string name_on_track(const Event& event, const EventNames& names) {
  std::string name = clean(names.name_of(event));
  if (event.kind > EventKind::switched) return name;
  return fmt::format("{} {}", event_infos()[static_cast<std::size_t>(event.kind)].name, name);
}

}  // namespace weft::fabric

namespace weft::inline v0 {

TraceFormat trace_format(const std::string& path) {
  std::vector<std::string> known;
  for (const fabric::Row& row : fabric::kFormats) {
    const std::string suffix(row.suffix);
    if (fabric::ends_in(path, suffix)) return {row.suffix, false};
    known.push_back(suffix);
    if (row.counts) continue;
    if (fabric::ends_in(path, suffix + ".gz")) return {row.suffix, true};
    known.push_back(suffix + ".gz");
  }
  throw Error(ErrorCategory::usage, fmt::format("invalid name of a trace: '{}'", path),
              fmt::format("its suffix tells the format: {}", fmt::join(known, ", ")),
              "name it run.pftrace.gz");
}

struct TraceStream::Impl {
  const fabric::Row& row;
  std::unique_ptr<fabric::Encoder> encoder;
  bool compressed;
  std::uint64_t limit;
  Write write;
  TraceSummary summary{};
  std::uint64_t last_cycle = 0;
  bool closed = false;
  std::exception_ptr failed{};  ///< the file lacks bytes
  std::string text{};           ///< to be written
  /// None: nobody takes events any more.
  std::shared_ptr<const EventSink> sink =
      std::make_shared<const EventSink>([this](std::span<const Event> events) { take(events); });

  void take(std::span<const Event> events) {
    for (const Event& event : events) {
      if (failed || summary.lacks_from) return;
      const std::uint64_t size = summary.bytes + (compressed ? 0 : text.size());
      if (event.cycle != last_cycle && size >= limit) {
        summary.lacks_from = event.cycle;
        return;
      }
      last_cycle = event.cycle;
      encoder->add(event, text);
      ++summary.events;
      constexpr std::size_t kMany = 1 << 16;
      if (text.size() >= kMany) put();
    }
  }

  void put() {
    try {
      summary.bytes = write(text);
    } catch (...) {
      failed = std::current_exception();
    }
    text.clear();
    if (failed) std::rethrow_exception(failed);
  }
};

TraceStream::TraceStream(Fabric& fabric, const TraceFormat& format, std::uint64_t limit,
                         Write write) {
  const auto* const row = std::ranges::find(fabric::kFormats, format.suffix, &fabric::Row::suffix);
  impl_ = std::make_shared<Impl>(*row, row->encoder(fabric.event_names()), format.compressed, limit,
                                 std::move(write));
  impl_->text = impl_->encoder->front(0);
  fabric.on_events(fabric::LentSink{impl_->sink});
}

TraceStream::~TraceStream() = default;
TraceStream::TraceStream(TraceStream&&) noexcept = default;
TraceStream& TraceStream::operator=(TraceStream&& other) noexcept {
  std::swap(impl_, other.impl_);
  return *this;
}

TraceSummary TraceStream::close() {
  impl_->sink.reset();
  if (impl_->failed) std::rethrow_exception(impl_->failed);
  if (!std::exchange(impl_->closed, true)) {
    impl_->encoder->end(impl_->text);
    impl_->put();
  }
  return impl_->summary;
}

std::string TraceStream::front() const {
  return impl_->row.counts ? impl_->encoder->front(impl_->summary.events) : std::string();
}

}  // namespace weft::inline v0
