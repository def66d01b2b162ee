#pragma once

#include <sys/resource.h>

namespace weft::test {

/// While it lives, this process, and those that it starts, get no more of a resource (RLIMIT_...)
/// than this.
class ResourceLimit {
 public:
  using Resource = decltype(RLIMIT_FSIZE);

  ResourceLimit(Resource resource, rlim_t most) : resource_(resource) {
    ::getrlimit(resource_, &old_);
    const rlimit limit{most, old_.rlim_max};
    ::setrlimit(resource_, &limit);
  }
  ~ResourceLimit() { ::setrlimit(resource_, &old_); }
  ResourceLimit(const ResourceLimit&) = delete;
  ResourceLimit& operator=(const ResourceLimit&) = delete;

 private:
  Resource resource_;
  rlimit old_{};
};

}  // namespace weft::test
