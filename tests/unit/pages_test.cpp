// Large arrays on large pages.

#include "base/pages.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "base/zeroed_array.hpp"
#include "fabric/stepper/array_pages.hpp"
#include "weft/layout.hpp"

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

/// The state of so many strips whose programs have an array of so many bytes.
fabric::State strips_with_array(int strips, std::uint64_t bytes) {
  ProgramBuilder p("idle");
  p.reserve("array", bytes);
  p.local_task(0);
  p.end();
  Layout layout(16 * strips, 4);
  layout.place({0, 0, 16 * strips, 4}, p.build());
  return fabric::build(layout, Machine{});
}

/// Pages of the PEs' memory that the host has given.
std::ptrdiff_t pages_given(const fabric::State& s) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t bytes = s.memory.size() * sizeof(std::uint32_t);
  std::vector<unsigned char> given((bytes + page - 1) / page);
  EXPECT_EQ(mincore(s.memory.data(), bytes, given.data()), 0);
  return std::ranges::count_if(given, [](unsigned char of_page) { return (of_page & 1U) != 0; });
}

TEST(Pages, OfLargeArraysAreLarge) {
  if (!host_has_large_pages()) GTEST_SKIP() << "this kernel has none";
  for (const bool large : {false, true}) {
    const fabric::State s = strips_with_array(8, large ? 40000 : 4000);
    fabric::ask_for_pages_of_arrays(s);
    EXPECT_EQ(asked_for(s.memory.data() + s.memory.size() / 2), large);
  }
}

TEST(Pages, OfArraysAreThereBeforeARun) {
  const fabric::State s = strips_with_array(1, 4096);
  EXPECT_EQ(pages_given(s), 0);
  fabric::populate_arrays(s, 2);
  const std::ptrdiff_t pages = pages_given(s) * sysconf(_SC_PAGESIZE);
  if (pages == 0) GTEST_SKIP() << "this kernel gives pages when they are touched only";
  EXPECT_GE(pages, 64 * 4096);
  EXPECT_LT(pages, 64 * 8192);
}

}  // namespace
}  // namespace weft::base
