#include "evaluation/folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "io/atomic_file.hpp"
#include "weft/error.hpp"

namespace weft::evaluation {

Folder::Folder(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error)
    throw Error(ErrorCategory::environment, fmt::format("cannot create folder '{}'", path),
                error.message(), "choose another folder with --output");
  io::check_writable(path + "/results.json");
  file_ = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  // A file system without locks is no reason to refuse.
  if (file_ < 0 || ::flock(file_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
  ::close(file_);
  throw Error(ErrorCategory::environment, fmt::format("'{}' is in use", path),
              "another run of Weft writes into it",
              "wait for its end, or choose another folder with --output");
}

Folder::~Folder() {
  if (file_ >= 0) ::close(file_);
}

}  // namespace weft::evaluation
