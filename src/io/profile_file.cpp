#include <fmt/format.h>
#include <zip.h>

#include <algorithm>
#include <array>
#include <deque>
#include <memory>
#include <utility>

#include "io/atomic_file.hpp"
#include "io/deflated_entries.hpp"
#include "io/input_file.hpp"
#include "io/profile_archive.hpp"
#include "weft/error.hpp"
#include "weft/fabric.hpp"
#include "weft/profile.hpp"

/// A profile's file: a ZIP archive of its entries.
namespace weft::inline v0 {
namespace {

/// Deflate makes no more of a byte.
constexpr std::uint64_t kMostGrowth = 1032;

struct Discard {
  void operator()(zip_t* archive) const noexcept { zip_discard(archive); }
};
using Archive = std::unique_ptr<zip_t, Discard>;

struct Free {
  void operator()(zip_source_t* source) const noexcept { zip_source_free(source); }
};
using Source = std::unique_ptr<zip_source_t, Free>;

struct Close {
  void operator()(zip_file_t* file) const noexcept { static_cast<void>(zip_fclose(file)); }
};

/// What libzip does that fails, while `error` has its reason.
class LibZip {
 public:
  LibZip(ErrorCategory category, std::string problem, std::string remedy)
      : category_(category), problem_(std::move(problem)), remedy_(std::move(remedy)) {
    zip_error_init(&error_);
  }
  ~LibZip() { zip_error_fini(&error_); }
  LibZip(const LibZip&) = delete;
  LibZip& operator=(const LibZip&) = delete;

  zip_error_t* error() { return &error_; }
  void need(bool done) {
    if (!done) fail(zip_error_strerror(&error_));
  }
  void need(bool done, zip_t* archive) {
    if (!done) fail(zip_strerror(archive));
  }
  [[noreturn]] void fail(const std::string& why) const {
    throw Error(category_, problem_, why, remedy_);
  }

 private:
  ErrorCategory category_;
  std::string problem_, remedy_;
  zip_error_t error_{};
};

/// A source of bytes that it does not own. The archive that opens it frees it.
Source source_of(const std::string& bytes, LibZip& zip) {
  Source source(zip_source_buffer_create(bytes.data(), bytes.size(), 0, zip.error()));
  zip.need(source != nullptr);
  return source;
}

/// A source of bytes that are deflated already.
struct Written {
  io::DeflatedEntry entry;
  std::size_t read = 0;
};

zip_int64_t write_part(void* of, void* data, zip_uint64_t length, zip_source_cmd_t command) {
  Written& w = *static_cast<Written*>(of);
  switch (command) {
    case ZIP_SOURCE_SUPPORTS:
      return zip_source_make_command_bitmap(ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE,
                                            ZIP_SOURCE_STAT, ZIP_SOURCE_ERROR, ZIP_SOURCE_FREE, -1);
    case ZIP_SOURCE_STAT: {
      auto* const stat = static_cast<zip_stat_t*>(data);
      zip_stat_init(stat);
      stat->size = w.entry.size;
      stat->comp_size = w.entry.bytes.size();
      stat->comp_method = ZIP_CM_DEFLATE;
      stat->crc = w.entry.crc;
      stat->valid = ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD | ZIP_STAT_CRC;
      return sizeof(zip_stat_t);
    }
    case ZIP_SOURCE_OPEN:
      w.read = 0;
      return 0;
    case ZIP_SOURCE_READ: {
      const std::size_t n = w.entry.bytes.copy(static_cast<char*>(data), length, w.read);
      w.read += n;
      return static_cast<zip_int64_t>(n);
    }
    case ZIP_SOURCE_FREE:
      w.entry.bytes = std::string();
      return 0;
    case ZIP_SOURCE_ERROR: {
      zip_error_t error;
      zip_error_init(&error);
      return zip_error_to_data(&error, data, length);
    }
    default:
      return 0;
  }
}

std::string archive_of(const Profile& profile, int threads, LibZip& zip) {
  Source target(zip_source_buffer_create(nullptr, 0, 0, zip.error()));
  zip.need(target != nullptr);
  zip_source_keep(target.get());  // the archive frees it once
  std::deque<Written> written;
  Archive archive(zip_open_from_source(target.get(), ZIP_TRUNCATE, zip.error()));
  if (archive == nullptr) zip_source_free(target.get());
  zip.need(archive != nullptr);
  for (io::DeflatedEntry& deflated : io::deflated_entries(profile, threads)) {
    Written& entry = written.emplace_back(std::move(deflated));
    Source from(zip_source_function_create(&write_part, &entry, zip.error()));
    zip.need(from != nullptr);
    const zip_int64_t number =
        zip_file_add(archive.get(), entry.entry.name.c_str(), from.get(), ZIP_FL_ENC_UTF_8);
    zip.need(number >= 0, archive.get());
    static_cast<void>(from.release());
    const auto n = static_cast<zip_uint64_t>(number);
    zip_set_file_compression(archive.get(), n, ZIP_CM_DEFLATE, 0);
    zip_file_set_dostime(archive.get(), n, 0, 0x21, 0);  // 1980-01-01: equal runs, equal files
  }
  zip.need(zip_close(archive.get()) == 0, archive.get());
  static_cast<void>(archive.release());
  zip.need(zip_source_open(target.get()) == 0);
  std::string bytes;
  std::array<char, 1 << 16> part{};
  zip_int64_t n = 0;
  while ((n = zip_source_read(target.get(), part.data(), part.size())) > 0)
    bytes.append(part.data(), static_cast<std::size_t>(n));
  if (n < 0) zip.fail(zip_error_strerror(zip_source_error(target.get())));
  zip_source_close(target.get());
  return bytes;
}

/// Of at most `most` bytes, of which it takes its own.
std::string content_of(zip_t* archive, zip_uint64_t number, std::uint64_t& most, LibZip& zip) {
  zip_stat_t stat;
  zip.need(zip_stat_index(archive, number, 0, &stat) == 0, archive);
  if (stat.size > most)
    zip.fail(
        fmt::format("{} says that it holds {} bytes, which are not there", stat.name, stat.size));
  most -= stat.size;
  const std::unique_ptr<zip_file_t, Close> file(zip_fopen_index(archive, number, 0));
  zip.need(file != nullptr, archive);
  std::string bytes;
  std::array<char, 1 << 16> part{};
  zip_int64_t n = 0;
  while ((n = zip_fread(file.get(), part.data(), part.size())) > 0)
    bytes.append(part.data(), static_cast<std::size_t>(n));
  if (n < 0) zip.fail(fmt::format("{}: {}", stat.name, zip_file_strerror(file.get())));
  return bytes;
}

}  // namespace
}  // namespace weft::inline v0

std::string weft::io::profile_archive(const Profile& profile, const std::string& file,
                                      int threads) {
  LibZip zip(ErrorCategory::environment, fmt::format("cannot write '{}'", file),
             "give this process more memory, or count with fewer windows");
  return archive_of(profile, threads, zip);
}

namespace weft::inline v0 {

void Profile::save(const std::string& file) const {
  io::check_writable(file);
  io::write_file(file, io::profile_archive(*this, file, available_cores()));
}

Profile Profile::load(const std::string& path) {
  io::InputFile file(path);
  std::string bytes;
  file.read_until(bytes, file.largest_content());
  LibZip zip(ErrorCategory::input, fmt::format("cannot use '{}' as a run", path),
             "give a file that a profile was saved to, unchanged");
  Source source = source_of(bytes, zip);
  const Archive archive(
      zip_open_from_source(source.get(), ZIP_RDONLY | ZIP_CHECKCONS, zip.error()));
  zip.need(archive != nullptr);
  static_cast<void>(source.release());
  std::vector<ProfileEntry> entries;
  std::uint64_t most = kMostGrowth * bytes.size();
  const auto count =
      static_cast<zip_uint64_t>(std::max<zip_int64_t>(0, zip_get_num_entries(archive.get(), 0)));
  for (zip_uint64_t n = 0; n < count; ++n) {
    const char* name = zip_get_name(archive.get(), n, ZIP_FL_ENC_GUESS);
    if (name == nullptr) continue;
    const std::string_view known(name);
    if (known == "run.json" || known.ends_with(".npy"))
      entries.push_back({name, content_of(archive.get(), n, most, zip)});
  }
  return of_entries(entries, path);
}

}  // namespace weft::inline v0
