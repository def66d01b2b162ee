#include <exception>
#include <utility>

#include "io/atomic_file.hpp"
#include "io/deflate.hpp"
#include "weft/trace.hpp"

namespace weft::inline v0 {

struct Trace::Impl {
  io::NewFile file;
  std::optional<io::Deflater> gzip{};
  std::uint64_t bytes = 0;
  std::optional<TraceStream> stream{};
  bool closed = false;
  std::exception_ptr failed{};  ///< the file lacks bytes

  Impl(Fabric& fabric, const std::string& path, const TraceFormat& format, std::uint64_t limit)
      : file(path) {
    if (format.compressed) gzip.emplace(io::Deflater::Form::gzip, io::Deflater::Effort::more);
    stream.emplace(fabric, format, limit, [this](std::string_view more) { return put(more); });
  }

  std::uint64_t put(std::string_view more, bool is_last = false) {
    if (!gzip) {
      file.write(more);
      return bytes += more.size();
    }
    std::string deflated;
    gzip->deflate(more, is_last, deflated);
    file.write(deflated);
    return bytes += deflated.size();
  }

  TraceSummary close() {
    TraceSummary summary = stream->close();
    if (!std::exchange(closed, true)) {
      if (gzip) put({}, true);
      if (const std::string front = stream->front(); !front.empty()) file.write_over_front(front);
      file.finish();
    }
    summary.bytes = bytes;
    return summary;
  }
};

Trace::Trace(Fabric& fabric, const std::string& path, std::uint64_t limit)
    : impl_(std::make_unique<Impl>(fabric, path, trace_format(path), limit)) {}
Trace::~Trace() = default;
Trace::Trace(Trace&&) noexcept = default;
Trace& Trace::operator=(Trace&&) noexcept = default;

TraceSummary Trace::close() {
  if (impl_->failed) std::rethrow_exception(impl_->failed);
  try {
    return impl_->close();
  } catch (...) {
    impl_->failed = std::current_exception();
    throw;
  }
}

}  // namespace weft::inline v0
