#include "io/deflated_entries.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include "io/deflate.hpp"

namespace weft::io {
namespace {

void deflate(const Profile& profile, DeflatedEntry& entry) {
  // Of 128^3 with 80 windows, 38 MB become 1.84 MB in 0.028 s so, and 1.82 MB in 0.030 s by more.
  Deflater deflater(Deflater::Form::raw, Deflater::Effort::least);
  profile.write_entry(entry.name, [&](std::string_view piece) {
    entry.size += piece.size();
    entry.crc = crc_of(entry.crc, piece);
    deflater.deflate(piece, false, entry.bytes);
  });
  deflater.deflate({}, true, entry.bytes);
}

}  // namespace

std::vector<DeflatedEntry> deflated_entries(const Profile& profile, int threads) {
  std::vector<std::string> names = profile.entry_names();
  std::vector<DeflatedEntry> entries(names.size());
  for (std::size_t n = 0; n < names.size(); ++n) entries[n].name = std::move(names[n]);
  std::atomic<std::size_t> next{0};
  std::exception_ptr error;
  std::mutex of_error;
  // As base::in_parallel, whose threads the shared core hides from weft-io.
  const auto work = [&] {
    try {
      for (std::size_t n = next++; n < entries.size(); n = next++) deflate(profile, entries[n]);
    } catch (...) {
      const std::scoped_lock lock(of_error);
      error = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> others;
    const auto most = std::min(static_cast<std::size_t>(std::max(threads, 1)), entries.size());
    others.reserve(most);
    try {
      while (others.size() + 1 < most) others.emplace_back(work);
    } catch (const std::system_error&) {  // fewer do it too
    }
    work();
  }
  if (error) std::rethrow_exception(error);
  return entries;
}

}  // namespace weft::io
