#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace weft::base {

/// Asks for large pages of the host's memory under an array that is swept again and again: its
/// small ones are more than the processor's tables of addresses hold. To be called before the array
/// is touched. A refusal costs time only.
inline void ask_for_large_pages(void* first, std::size_t bytes) {
  constexpr std::size_t kLarge = std::size_t{1} << 21U;  // of x86-64
  const std::size_t before = (kLarge - reinterpret_cast<std::uintptr_t>(first) % kLarge) % kLarge;
  if (bytes < before + kLarge) return;
  madvise(static_cast<std::byte*>(first) + before, (bytes - before) / kLarge * kLarge,
          MADV_HUGEPAGE);
}

/// Reserves room for `count` elements of an empty vector, on large pages.
template <class T>
void reserve_on_large_pages(std::vector<T>& items, std::size_t count) {
  items.reserve(count);
  ask_for_large_pages(items.data(), count * sizeof(T));
}

/// Takes pages for what will be read and then written. A page that is read first is one of zeros
/// for all: the write would fault once more, and stop all threads, as each has to forget that page.
template <class T>
void populate(T* first, std::size_t count) {
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  auto* const begin =
      reinterpret_cast<std::byte*>(first) - reinterpret_cast<std::uintptr_t>(first) % page;
  auto* const end = reinterpret_cast<std::byte*>(first + count);
  // An error (Linux before 5.14) costs time only.
  madvise(begin, static_cast<std::size_t>(end - begin), MADV_POPULATE_WRITE);
}

/// Gives back the whole pages of such an array of zeros: they are zeros again, and take no memory.
template <class T>
void forget(T* first, std::size_t count) {
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto at = reinterpret_cast<std::uintptr_t>(first);
  const std::uintptr_t before = (page - at % page) % page;  // the next page begins there
  const std::uintptr_t bytes = count * sizeof(T);
  if (bytes < before + page) return;
  madvise(reinterpret_cast<std::byte*>(first) + before, (bytes - before) / page * page,
          MADV_DONTNEED);
}

}  // namespace weft::base
