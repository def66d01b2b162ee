#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "weft/fabric.hpp"

namespace weft::inline v0 {

/// What a trace's file has.
struct TraceSummary {
  std::uint64_t events = 0;
  std::uint64_t bytes = 0;
  /// The cycle from which on events lack, because the file came to its limit. None: it has all.
  std::optional<std::uint64_t> lacks_from{};
};

inline constexpr std::uint64_t kTraceLimit = std::uint64_t{256} << 20U;  ///< bytes

/// A format of a trace, by the suffix of its file: .pftrace (Perfetto's protobuf), .json (Chrome's
/// trace events), .npy (a structured array), .log (a line each); all but .npy may be compressed, as
/// gzip does (.pftrace.gz).
struct TraceFormat {
  std::string_view suffix{};  ///< without .gz
  bool compressed = false;
};

/// Throws Error(usage) for a path of another suffix.
TraceFormat trace_format(const std::string& path);

/// Turns the events of a fabric (FabricOptions::observe) into the bytes of a trace while the fabric
/// runs, for one who has a file. Of wavelets whose whole way is traced, from cycle 0 on, .pftrace
/// and .json have arrows from sender to receiver.
class TraceStream {
 public:
  /// Takes the next bytes of the file, before they are compressed. Returns how many the file has
  /// then. What it throws ends the run as EventSink says.
  using Write = std::function<std::uint64_t(std::string_view bytes)>;

  /// Takes the fabric's events from now on (Fabric::on_events). At about `limit` bytes of the file
  /// it takes no more. Throws Error(usage) for a fabric that emits none, or has an open trace.
  TraceStream(Fabric& fabric, const TraceFormat& format, std::uint64_t limit, Write write);
  /// Events that come later are lost.
  ~TraceStream();
  TraceStream(TraceStream&&) noexcept;
  TraceStream& operator=(TraceStream&&) noexcept;

  /// Writes what is left.
  TraceSummary close();
  /// After that: to be written over the first bytes of the file, if it is not empty.
  std::string front() const;

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

/// A trace in a file. It is written beside its place, and appears whole when it is closed. In the
/// library weft-io.
class Trace {
 public:
  /// Throws as trace_format and TraceStream do, and Error(environment) if the file cannot be
  /// written.
  explicit Trace(Fabric& fabric, const std::string& path, std::uint64_t limit = kTraceLimit);
  /// Unless it was closed, there is no file, and one that was there before stays.
  ~Trace();
  Trace(Trace&&) noexcept;
  Trace& operator=(Trace&&) noexcept;

  /// The file appears. Throws Error(environment).
  TraceSummary close();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace weft::inline v0
