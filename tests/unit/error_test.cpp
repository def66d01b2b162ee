#include "weft/error.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string_view>

namespace weft::test {
namespace {

TEST(Error, MessageFollowsTheGrammar) {
  const Error error(Category::input, "cannot read 'x'", "no such file", "check the path");
  EXPECT_STREQ(error.what(), "cannot read 'x' (no such file); check the path");
  EXPECT_EQ(error.category(), Category::input);
}

TEST(Error, EmptyPartsLeaveNoPunctuation) {
  EXPECT_STREQ(Error(Category::usage, "what", "", "do").what(), "what; do");
  EXPECT_STREQ(Error(Category::usage, "what", "why", "").what(), "what (why)");
  EXPECT_STREQ(Error(Category::usage, "what", "", "").what(), "what");
}

TEST(Error, CategoriesHaveNamesOfTheirOwn) {
  EXPECT_EQ(name(Category::machine_profile), "machine profile");
  std::set<std::string_view> names;
  for (int i = 0; i <= static_cast<int>(Category::emulator); ++i) {
    EXPECT_TRUE(names.insert(name(static_cast<Category>(i))).second) << i;
  }
  EXPECT_EQ(names.size(), 7u);
}

TEST(Error, AFaultCarriesItsPlaceAndReport) {
  const Fault fault{
      .kind = FaultKind::unbound_task, .cycle = 12, .x = 3, .y = 4, .color = 5, .detail = 6};
  const FaultError error(fault,
                         "cycle 12, PE (3, 4): task 6 was started (it is not bound); bind it");
  EXPECT_EQ(error.category(), Category::program);
  EXPECT_EQ(error.fault().kind, FaultKind::unbound_task);
  EXPECT_EQ(error.fault().cycle, 12u);
  EXPECT_EQ(error.fault().x, 3);
  EXPECT_EQ(error.fault().y, 4);
  EXPECT_EQ(error.fault().color, 5);
  EXPECT_EQ(error.fault().detail, 6);
  EXPECT_STREQ(error.what(), "cycle 12, PE (3, 4): task 6 was started (it is not bound); bind it");
}

}  // namespace
}  // namespace weft::test
