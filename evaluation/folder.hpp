#pragma once

#include <string>

namespace weft::evaluation {

/// A folder for results, which no other process writes into while this lives. Made if it is
/// missing. Throws Error(environment) if it cannot be made, or another process uses it.
class Folder {
 public:
  explicit Folder(const std::string& path);
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

 private:
  /// The folder. Its lock ends with the process, whatever ends that.
  int file_ = -1;
};

}  // namespace weft::evaluation
