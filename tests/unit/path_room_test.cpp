// The records of a critical path may not take more memory than the host can give.
#include <gtest/gtest.h>

#include <cstdint>
#include <string_view>

#include "fabric/path/room.hpp"
#include "weft/error.hpp"

namespace weft::test::path_room_test {
namespace {

constexpr double kGiB = 1 << 30;

TEST(PathRoom, IsAQuarterOfTheHosts) {
  EXPECT_NO_THROW(fabric::path::check_room(1'000'000, 1'000'000, kGiB));
  EXPECT_THROW(fabric::path::check_room(1, 40'000'000, kGiB), Error);
  EXPECT_NO_THROW(fabric::path::check_room(1, 40'000'000, 2 * kGiB));
}

TEST(PathRoom, IsNumberedBy32Bits) {
  EXPECT_THROW(fabric::path::check_room(UINT32_MAX, 0, 1e6 * kGiB), Error);
}

TEST(PathRoom, TheErrorHasSizesAndARemedy) {
  try {
    fabric::path::check_room(10'000'000, 0, kGiB);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.category(), ErrorCategory::environment);
    EXPECT_NE(error.reason().find("10000000 waits"), std::string_view::npos) << error.what();
    EXPECT_NE(error.remedy().find("smaller array"), std::string_view::npos) << error.what();
  }
}

}  // namespace
}  // namespace weft::test::path_room_test
