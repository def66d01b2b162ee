#pragma once

#include <fmt/format.h>
#include <sys/mman.h>

#include <cstddef>
#include <type_traits>
#include <utility>

#include "base/pages.hpp"
#include "weft/error.hpp"

namespace weft::base {

/// Of an array's pages.
enum class Pages { small, large };

/// A large array of zeros of which only the touched pages take memory.
template <class T>
class ZeroedArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  ZeroedArray() = default;
  explicit ZeroedArray(std::size_t size, Pages pages = Pages::small) : size_(size) {
    if (size == 0) return;
    void* p = mmap(nullptr, size * sizeof(T), PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED)
      throw Error(ErrorCategory::environment, "no memory for the fabric",
                  fmt::format("{} MiB of address space were refused", size * sizeof(T) >> 20U),
                  "use a smaller mesh, or raise the limit (ulimit -v)");
    data_ = static_cast<T*>(p);
    if (pages == Pages::large) ask_for_large_pages(p, size * sizeof(T));
  }
  ZeroedArray(ZeroedArray&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  ZeroedArray& operator=(ZeroedArray&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~ZeroedArray() {
    if (data_ != nullptr) munmap(data_, size_ * sizeof(T));
  }

  T* data() const noexcept { return data_; }
  std::size_t size() const noexcept { return size_; }
  T& operator[](std::size_t i) const noexcept { return data_[i]; }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace weft::base
