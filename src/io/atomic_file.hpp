#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace weft::io {

/// Writes `bytes` to `path` so that the file appears whole or not at all: beside it, flushed, then
/// renamed; an old file stays if anything fails. Throws Error(environment).
void write_file(const std::string& path, std::string_view bytes);

/// The same for a file that is written piece by piece: it appears when it is finished. Each method
/// throws as write_file.
class NewFile {
 public:
  explicit NewFile(const std::string& path);
  ~NewFile();
  NewFile(NewFile&&) noexcept;
  NewFile& operator=(NewFile&&) = delete;

  void write(std::string_view bytes);
  /// Over the first bytes, which are there.
  void write_over_front(std::string_view bytes);
  /// The file is to have so many bytes, of which others may be written by FilePart. Where the disk
  /// tells, throws now if there is no room.
  void reserve(std::uint64_t bytes);
  std::string temporary_name() const;  ///< until it is finished
  void finish();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// Bytes of a NewFile that another process makes. Each method throws as write_file.
class FilePart {
 public:
  /// `path`: how messages name the file.
  FilePart(const std::string& temporary_name, const std::string& path);
  ~FilePart();
  FilePart(const FilePart&) = delete;
  FilePart& operator=(const FilePart&) = delete;

  void write_at(std::uint64_t offset, std::string_view bytes);
  void finish();  ///< flushes to the disk

 private:
  std::string path_;
  int descriptor_;
};

/// Throws Error(environment) now if `path` could not be written later (folder missing or not
/// writable, path is a folder), so that long work is not lost at its end.
void check_writable(const std::string& path);

}  // namespace weft::io
