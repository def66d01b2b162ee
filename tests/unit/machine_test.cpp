#include "weft/machine.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string_view>

#include "support/expect_error.hpp"

namespace weft::test::machine_test {
namespace {

TEST(Machine, DefaultsAreTheTables) {
  const Machine machine;
  EXPECT_EQ(machine.name, "wse2");
  for (const MachineConstant& constant : machine_constants()) {
    EXPECT_EQ(machine.*constant.member, constant.default_value) << constant.name;
  }
  EXPECT_NO_THROW(check_machine(machine));
}

TEST(Machine, EveryRowIsWhole) {
  const std::set<std::string_view> units = {"cycles", "wavelets",       "bytes",
                                            "kHz",    "elements/cycle", "count"};
  std::set<std::string_view> names;
  for (const MachineConstant& constant : machine_constants()) {
    EXPECT_TRUE(names.insert(constant.name).second) << constant.name << " stands twice";
    EXPECT_LE(constant.low, constant.default_value) << constant.name;
    EXPECT_GE(constant.high, constant.default_value) << constant.name;
    EXPECT_TRUE(units.contains(constant.unit)) << constant.name << " in " << constant.unit;
    EXPECT_FALSE(constant.meaning.empty()) << constant.name;
  }
}

TEST(Machine, EveryRowHasItsOwnField) {
  Machine machine;
  for (const MachineConstant& constant : machine_constants()) machine.*constant.member = 0;
  int next = 1;
  for (const MachineConstant& constant : machine_constants()) machine.*constant.member = next++;
  next = 1;
  for (const MachineConstant& constant : machine_constants()) {
    EXPECT_EQ(machine.*constant.member, next++) << constant.name;
  }
}

TEST(Machine, BothEndsOfARangeAreAllowedAndNothingBeyond) {
  for (const MachineConstant& constant : machine_constants()) {
    Machine machine;
    machine.*constant.member = constant.low;
    EXPECT_NO_THROW(check_machine(machine)) << constant.name;
    machine.*constant.member = constant.high;
    EXPECT_NO_THROW(check_machine(machine)) << constant.name;
    machine.*constant.member = constant.low - 1;
    expect_error(
        ErrorCategory::machine_profile, [&] { check_machine(machine); }, constant.name);
    machine.*constant.member = constant.high + 1;
    expect_error(
        ErrorCategory::machine_profile, [&] { check_machine(machine); }, constant.name, "allowed");
  }
}

TEST(Machine, OriginsHaveNames) {
  EXPECT_EQ(to_string(ConstantOrigin::published), "published");
  EXPECT_EQ(to_string(ConstantOrigin::calibrated), "calibrated");
  EXPECT_EQ(to_string(ConstantOrigin::chosen), "chosen");
}

}  // namespace
}  // namespace weft::test::machine_test
