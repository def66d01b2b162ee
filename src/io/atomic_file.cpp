#include "io/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <filesystem>

#include "weft/error.hpp"

namespace weft::io {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void throw_unwritable(const std::string& path, const std::string& why,
                                   const std::string& remedy) {
  throw Error(ErrorCategory::environment, fmt::format("cannot write '{}'", path), why, remedy);
}

[[noreturn]] void throw_errno(const std::string& path, int error) {
  const bool is_full = error == ENOSPC || error == EDQUOT;
  throw_unwritable(path, std::strerror(error),
                   is_full ? "free some space or write elsewhere"
                   : error == EFBIG
                       ? "raise the limit on the size of files (ulimit -f) or write elsewhere"
                       : "name a file in a folder that exists and is writable");
}

/// While it lives, a write beyond the limit on the size of files only fails with EFBIG: the signal
/// that comes with it, which would end the process, is kept from this thread and taken back.
/// Otherwise the process treats such signals as it likes.
class NoFileSizeSignal {
 public:
  NoFileSizeSignal() {
    sigemptyset(&signal_);
    sigaddset(&signal_, SIGXFSZ);
    sigset_t pending;
    was_pending_ = ::sigpending(&pending) == 0 && sigismember(&pending, SIGXFSZ) == 1;
    ::pthread_sigmask(SIG_BLOCK, &signal_, &before_);
  }
  ~NoFileSizeSignal() {
    constexpr timespec kNoWait{};
    if (!was_pending_) ::sigtimedwait(&signal_, nullptr, &kNoWait);
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  NoFileSizeSignal(const NoFileSizeSignal&) = delete;
  NoFileSizeSignal& operator=(const NoFileSizeSignal&) = delete;

 private:
  sigset_t signal_, before_;
  bool was_pending_;
};

/// A file beside the one to be written. Gone when this ends, unless it was renamed.
class TemporaryFile {
 public:
  TemporaryFile(const fs::path& folder, const std::string& for_path) : for_path_(for_path) {
    static std::atomic<unsigned> counter{0};
    do {
      name_ = folder / fmt::format(".weft-{}-{}.tmp", ::getpid(), counter++);
      // With open() the new file gets the user's usual permissions; mkstemp's would be private.
      descriptor_ = ::open(name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    } while (descriptor_ < 0 && errno == EEXIST);
    if (descriptor_ < 0) throw_errno(for_path_, errno);
  }

  ~TemporaryFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!name_.empty()) ::unlink(name_.c_str());
  }

  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  void write(std::string_view bytes) {
    const NoFileSizeSignal while_writing;
    while (!bytes.empty()) {
      const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) throw_errno(for_path_, errno);
      bytes.remove_prefix(static_cast<std::size_t>(written));
    }
  }

  void reserve(std::uint64_t bytes) {
    const NoFileSizeSignal while_writing;
    const auto size = static_cast<off_t>(bytes);
    int failed = 0;
    do {
      failed = ::fallocate(descriptor_, 0, 0, size) != 0 ? errno : 0;
    } while (failed == EINTR);
    // Some file systems cannot keep room for later.
    if (failed != 0 && failed != EOPNOTSUPP && failed != ENOSYS) throw_errno(for_path_, failed);
    if (::ftruncate(descriptor_, size) != 0) throw_errno(for_path_, errno);
  }

  const fs::path& name() const { return name_; }

  void write_over_front(std::string_view bytes) {
    if (::lseek(descriptor_, 0, SEEK_SET) != 0) throw_errno(for_path_, errno);
    write(bytes);
    if (::lseek(descriptor_, 0, SEEK_END) < 0) throw_errno(for_path_, errno);
  }

  /// Flushes to the disk and takes the place of `target`.
  void become(const fs::path& target) {
    struct stat old {};
    if (::stat(target.c_str(), &old) == 0) {
      // The new file keeps the old one's permissions where that is allowed.
      static_cast<void>(::fchmod(descriptor_, old.st_mode & 07777));
    }
    if (::fsync(descriptor_) != 0) throw_errno(for_path_, errno);
    const int descriptor = descriptor_;
    descriptor_ = -1;
    if (::close(descriptor) != 0) throw_errno(for_path_, errno);
    if (::rename(name_.c_str(), target.c_str()) != 0) throw_errno(for_path_, errno);
    name_.clear();
  }

 private:
  const std::string& for_path_;
  fs::path name_;
  int descriptor_ = -1;
};

fs::path folder_of(const fs::path& target) {
  return target.has_parent_path() ? target.parent_path() : fs::path(".");
}

/// The file to be replaced: the path, or what it links to. Throws if it is no place for a file.
fs::path find_target(const std::string& path) {
  if (path.empty() || path.find('\0') != std::string::npos) {
    throw_unwritable(path, "this is no file name", "name a file");
  }
  std::error_code error, missing;
  const bool is_link = fs::is_symlink(path, missing);
  fs::path target = is_link ? fs::weakly_canonical(path, error) : fs::path(path);
  if (error) throw_errno(path, error.value());
  const fs::file_status status = fs::status(target, missing);
  if (fs::is_directory(status)) {
    throw_unwritable(path, "it is a folder", "name a file in it");
  }
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    throw_unwritable(path, "it is no regular file", "name a regular file");
  }
  if (fs::exists(status) && ::access(target.c_str(), W_OK) != 0) {
    // A rename would replace it all the same, and its owner has said no.
    throw_unwritable(path, std::strerror(errno), "name another file or change its permissions");
  }
  if (!target.has_filename()) {
    throw_unwritable(path, "it names a folder that does not exist", "name a file");
  }
  return target;
}

}  // namespace

struct NewFile::Parts {
  std::string path;
  fs::path target;
  TemporaryFile temporary;

  explicit Parts(const std::string& path_)
      : path(path_), target(find_target(path)), temporary(folder_of(target), path) {}
};

NewFile::NewFile(const std::string& path) : parts_(std::make_unique<Parts>(path)) {}
NewFile::~NewFile() = default;
NewFile::NewFile(NewFile&&) noexcept = default;

void NewFile::write(std::string_view bytes) { parts_->temporary.write(bytes); }

void NewFile::write_over_front(std::string_view bytes) {
  parts_->temporary.write_over_front(bytes);
}

void NewFile::reserve(std::uint64_t bytes) { parts_->temporary.reserve(bytes); }

std::string NewFile::temporary_name() const { return parts_->temporary.name().string(); }

void NewFile::finish() {
  const fs::path& target = parts_->target;
  parts_->temporary.become(target);
  // The rename itself reaches the disk with the folder; a failure here loses nothing of the file.
  const int folder = ::open(folder_of(target).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder >= 0) {
    static_cast<void>(::fsync(folder));
    ::close(folder);
  }
}

FilePart::FilePart(const std::string& temporary_name, const std::string& path)
    : path_(path), descriptor_(::open(temporary_name.c_str(), O_WRONLY | O_CLOEXEC)) {
  if (descriptor_ >= 0) return;
  throw_unwritable(path_,
                   fmt::format("'{}', its beginning, cannot be opened: {}", temporary_name,
                               std::strerror(errno)),
                   "name a file in a folder that all hosts share");
}

FilePart::~FilePart() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void FilePart::write_at(std::uint64_t offset, std::string_view bytes) {
  const NoFileSizeSignal while_writing;
  while (!bytes.empty()) {
    const ssize_t written =
        ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw_errno(path_, errno);
    bytes.remove_prefix(static_cast<std::size_t>(written));
    offset += static_cast<std::uint64_t>(written);
  }
}

void FilePart::finish() {
  if (::fsync(descriptor_) != 0) throw_errno(path_, errno);
}

void write_file(const std::string& path, std::string_view bytes) {
  NewFile file(path);
  file.write(bytes);
  file.finish();
}

void check_writable(const std::string& path) {
  const fs::path target = find_target(path);
  // Creating a file is the one test that also sees read-only disks and access lists.
  const TemporaryFile probe(folder_of(target), path);
}

}  // namespace weft::io
