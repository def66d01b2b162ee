// Large arrays on large pages.

#include "base/pages.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "base/zeroed_array.hpp"

namespace weft::base {
namespace {

constexpr std::size_t kLarge = std::size_t{16} << 20U;  // bytes

/// Whether the kernel was asked for large pages at this address.
bool asked_for(const void* address) {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  std::ifstream maps("/proc/self/smaps");
  bool here = false;
  for (std::string line; std::getline(maps, line);) {
    std::uintptr_t begin = 0, end = 0;
    char dash = 0;
    std::istringstream range(line);
    if (range >> std::hex >> begin >> dash >> end && dash == '-') here = begin <= at && at < end;
    if (here && line.starts_with("VmFlags:")) return line.find(" hg") != std::string::npos;
  }
  return false;
}

bool host_has_large_pages() {
  return access("/sys/kernel/mm/transparent_hugepage/enabled", F_OK) == 0;
}

TEST(Pages, AreLargeWhereAnArrayAsks) {
  if (!host_has_large_pages()) GTEST_SKIP() << "this kernel has none";
  const ZeroedArray<std::uint8_t> small(kLarge), large(kLarge, Pages::large);
  EXPECT_FALSE(asked_for(small.data() + kLarge / 2));
  EXPECT_TRUE(asked_for(large.data() + kLarge / 2));
  std::vector<std::uint8_t> items;
  reserve_on_large_pages(items, kLarge);
  EXPECT_TRUE(asked_for(items.data() + kLarge / 2));
}

TEST(Pages, OfAnySizeAreZero) {
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, kLarge / 2 + 3}) {
    const ZeroedArray<std::uint8_t> array(size, Pages::large);
    EXPECT_EQ(std::count(array.data(), array.data() + size, 0), static_cast<std::ptrdiff_t>(size));
    if (size != 0) array[size - 1] = 1;
  }
}

}  // namespace
}  // namespace weft::base
