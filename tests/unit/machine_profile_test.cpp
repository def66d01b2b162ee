#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "support/expect_error.hpp"
#include "support/temporary_folder.hpp"
#include "weft/machine.hpp"

namespace weft::test::machine_profile_test {
namespace {

constexpr const char* kSource = "test.json";

Machine parse(std::string_view text) { return parse_machine(text, kSource); }

template <typename... Parts>
void expect_refused(std::string_view text, Parts... parts) {
  SCOPED_TRACE(text);
  expect_error(
      ErrorCategory::machine_profile, [&] { parse(text); }, kSource, parts...);
}

TEST(MachineProfile, AnEmptyObjectIsTheDefault) { EXPECT_EQ(parse("{}"), Machine{}); }

TEST(MachineProfile, ConstantsNotNamedKeepTheirDefault) {
  Machine expected;
  expected.name = "slow ramp";
  expected.ramp_cycles = 5;
  EXPECT_EQ(parse(R"({"name": "slow ramp", "ramp_cycles": 5})"), expected);
}

TEST(MachineProfile, EveryConstantCanBeSet) {
  for (const MachineConstant& constant : machine_constants()) {
    for (const int value : {constant.low, constant.high}) {
      const Machine machine = parse(fmt::format("{{\"{}\": {}}}", constant.name, value));
      EXPECT_EQ(machine.*constant.member, value) << constant.name;
    }
  }
}

TEST(MachineProfile, ValuesOutOfRangeAreRefused) {
  for (const MachineConstant& constant : machine_constants()) {
    for (const int value : {constant.low - 1, constant.high + 1}) {
      expect_refused(fmt::format("{{\"{}\": {}}}", constant.name, value), constant.name,
                     "needed: an integer from");
    }
  }
}

TEST(MachineProfile, NumbersBeyondAnyIntegerAreRefused) {
  for (const char* value :
       {"2147483648", "4294967298", "9223372036854775808", "18446744073709551615",
        "18446744073709551616", "-9223372036854775808", "-9223372036854775809", "1e30", "1e999"}) {
    expect_refused(fmt::format("{{\"ramp_cycles\": {}}}", value));
  }
}

TEST(MachineProfile, ValuesThatAreNoIntegersAreRefused) {
  for (const char* value : {"2.0", "2.5", "2e0", "\"2\"", "true", "null", "[2]", "{\"a\": 2}"}) {
    expect_refused(fmt::format("{{\"ramp_cycles\": {}}}", value), "\"ramp_cycles\" is",
                   "an integer from 1 to 7, in cycles", "default is 2");
  }
}

TEST(MachineProfile, AnUnknownKeyNamesTheNearest) {
  expect_refused(R"({"ramp_cycle": 2})", "unknown key \"ramp_cycle\"", "is \"ramp_cycles\"");
  expect_refused(R"({"clock_mhz": 850})", "is \"clock_khz\"");
  expect_refused(R"({"nam": "x"})", "is \"name\"");
  expect_refused(R"({"": 1})", "unknown key \"\"");
}

TEST(MachineProfile, AKeyCannotSpoilTheMessage) {
  expect_refused(fmt::format("{{\"{}\": 1}}", std::string(100000, 'x')), "xxx...");
  expect_refused(R"({"ramp\ncycles": 2})", R"("ramp\ncycles")");
}

TEST(MachineProfile, AKeyThatStandsTwiceIsRefused) {
  expect_refused(R"({"ramp_cycles": 2, "clock_khz": 850000, "ramp_cycles": 2})",
                 "the key \"ramp_cycles\" stands twice");
  expect_refused(R"({"name": "a", "name": "a"})", "the key \"name\" stands twice");
  expect_refused(R"({"name": "a", "n\u0061me": "b"})", "the key \"name\" stands twice");
}

TEST(MachineProfile, NamesAreShortPrintableText) {
  EXPECT_EQ(parse(fmt::format("{{\"name\": \"{}\"}}", std::string(64, 'n'))).name.size(), 64u);
  for (const char* value : {"\"\"", "3", "null", "[\"a\"]", "\"a\\nb\"", "\"a\\u0000b\""}) {
    expect_refused(fmt::format("{{\"name\": {}}}", value), "\"name\" is");
  }
  expect_refused(fmt::format("{{\"name\": \"{}\"}}", std::string(65, 'n')), "\"name\" is");
}

TEST(MachineProfile, SyntaxErrorsSayWhere) {
  expect_refused("{\"ramp_cycles\": 2,\n \"clock_khz\" 850000}", "not JSON", "line 2, column");
  expect_refused("", "not JSON", "line 1, column 1");
  expect_refused("{", "not JSON");
  expect_refused("{}{}", "not JSON");
  expect_refused("\xff\xfe{}", "not JSON");
}

TEST(MachineProfile, OnlyAnObjectIsAProfile) {
  for (const char* text : {"[]", "3", "\"wse2\"", "null", "true", "[[1], 2]"}) {
    expect_refused(text, "not a machine profile");
  }
}

TEST(MachineProfile, DeepNestingIsRefusedNotFollowed) {
  const std::size_t depth = 200000;
  const std::string nested = std::string(depth, '[') + std::string(depth, ']');
  EXPECT_THROW(parse(nested), Error);
  EXPECT_THROW(parse("{\"ramp_cycles\": " + nested + "}"), Error);
  EXPECT_THROW(parse(std::string(depth, '[')), Error);
}

TEST(MachineFile, IsReadAndNamedInMessages) {
  const TemporaryFolder folder;
  const std::string good = folder.write("good.json", R"({"ramp_cycles": 3})");
  EXPECT_EQ(load_machine(good).ramp_cycles, 3);
  const std::string bad = folder.write("bad.json", R"({"ramp_cycles": 0})");
  expect_error(
      ErrorCategory::machine_profile, [&] { load_machine(bad); }, bad);
}

TEST(MachineFile, ThatCannotBeReadIsAnInputError) {
  const TemporaryFolder folder;
  for (const std::string& path : {folder.file("missing.json"), folder.file("."), std::string()}) {
    expect_error(
        ErrorCategory::input, [&] { load_machine(path); }, "cannot read the machine file");
  }
  const std::string long_file = folder.write("long.json", std::string((1 << 20) + 1, ' '));
  expect_error(
      ErrorCategory::input, [&] { load_machine(long_file); }, "longer than 1048576 bytes");
  expect_error(
      ErrorCategory::input, [] { load_machine("/dev/zero"); }, "longer than");
}

}  // namespace
}  // namespace weft::test::machine_profile_test
