#include "weft/error.hpp"

#include <gtest/gtest.h>

#include <set>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "fabric/errors/faults.hpp"
#include "weft/deadlock.hpp"

namespace weft::test::error_test {
namespace {

TEST(Error, MessageFollowsTheGrammar) {
  const Error error(ErrorCategory::input, "cannot read 'x'", "no such file", "check the path");
  EXPECT_STREQ(error.what(), "cannot read 'x' (no such file); check the path");
  EXPECT_EQ(error.category(), ErrorCategory::input);
}

TEST(Error, ItsPartsAreData) {
  const Error error(ErrorCategory::input, "cannot read 'x'", "no such file", "check the path");
  const Error copy = error;
  EXPECT_EQ(copy.problem(), "cannot read 'x'");
  EXPECT_EQ(copy.reason(), "no such file");
  EXPECT_EQ(copy.remedy(), "check the path");
  static_assert(std::is_nothrow_copy_constructible_v<Error>);
  static_assert(std::is_nothrow_copy_constructible_v<DeadlockError>);
  static_assert(std::is_nothrow_copy_constructible_v<LimitError>);
}

TEST(Error, EmptyPartsLeaveNoPunctuation) {
  EXPECT_STREQ(Error(ErrorCategory::usage, "what", "", "do").what(), "what; do");
  EXPECT_STREQ(Error(ErrorCategory::usage, "what", "why", "").what(), "what (why)");
  EXPECT_STREQ(Error(ErrorCategory::usage, "what", "", "").what(), "what");
}

TEST(Error, CategoriesHaveNamesOfTheirOwn) {
  EXPECT_EQ(to_string(ErrorCategory::machine_profile), "machine profile");
  std::set<std::string_view> names;
  for (int i = 0; i <= static_cast<int>(ErrorCategory::emulator); ++i) {
    EXPECT_TRUE(names.insert(to_string(static_cast<ErrorCategory>(i))).second) << i;
  }
  EXPECT_EQ(names.size(), 7u);
}

TEST(Error, AFaultCarriesItsPlaceAndReport) {
  const Fault fault{
      .kind = FaultKind::unbound_task, .cycle = 12, .x = 3, .y = 4, .color = 5, .detail = 6};
  const FaultError error = fabric::fault_error(fault);
  EXPECT_EQ(error.category(), ErrorCategory::program);
  EXPECT_EQ(error.fault().kind, FaultKind::unbound_task);
  EXPECT_EQ(error.fault().cycle, 12u);
  EXPECT_EQ(error.fault().x, 3);
  EXPECT_EQ(error.fault().y, 4);
  EXPECT_EQ(error.fault().color, 5);
  EXPECT_EQ(error.fault().detail, 6);
  EXPECT_EQ(error.problem(), "task 6 was to start, and the program does not have it");
  EXPECT_EQ(error.reason(), "at cycle 12, PE (3, 4), color 5");
  EXPECT_EQ(error.remedy(),
            "bind it with data_task, local_task or control_task, or do not start it");
  EXPECT_EQ(error.what(), error.problem() + " (" + error.reason() + "); " + error.remedy());
}

/// An engine that does not tell the instruction: the number of the check is enough.
TEST(Error, AFailedCheckNamesItsLine) {
  Program program;
  program.name = "ring";
  program.notes.operations = {{0, "a", ""}};
  program.notes.checks = {{"one", "ring.cpp:1"}, {"ring full", "ring.cpp:2"}};
  const fabric::Names names{{}, [&](int, int) { return &program; }};
  const Fault fault{.kind = FaultKind::ran_off_program, .cycle = 9, .x = 1, .detail = -3};
  const FaultError error = fabric::fault_error(fault, names);
  EXPECT_EQ(error.fault().kind, FaultKind::check_failed);
  EXPECT_EQ(error.problem(), "a check of the program failed: ring full");
  EXPECT_EQ(error.reason(), "at cycle 9, PE (1, 0), in program \"ring\", ring.cpp:2");
  EXPECT_EQ(fabric::fault_error(fault).fault().kind, FaultKind::ran_off_program);
}

TEST(Error, EveryKindOfFaultIsDescribed) {
  const std::span<const fabric::FaultRow> rows = fabric::fault_rows();
  ASSERT_EQ(rows.size(), static_cast<std::size_t>(FaultKind::cycle_limit));
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(static_cast<std::size_t>(rows[i].kind), i + 1) << rows[i].name;
    EXPECT_EQ(to_string(rows[i].kind), rows[i].name);
    EXPECT_TRUE(names.insert(rows[i].name).second) << rows[i].name;
    for (const char* words : {rows[i].whose, rows[i].problem, rows[i].remedy})
      EXPECT_FALSE(std::string_view(words).empty()) << rows[i].name;
  }
}

TEST(Error, ALimitReportsAllThatWaited) {
  const std::vector<DeadlockWait> waits = {
      {DeadlockWait::What::microthread, 1, 0, 2, 3, 4, 0},
      {DeadlockWait::What::input_queue, 5, 0, 1, 7, 1, 1},
  };
  const LimitError error({.kind = FaultKind::cycle_limit, .cycle = 99}, waits);
  EXPECT_EQ(error.waits(), waits);
  EXPECT_STREQ(
      error.what(),
      "the run is not done at cycle 99 (waiting: microthread 2 of PE (1, 0) (4 elements "
      "to go); 1 wavelet of color 7 in input queue 1 of PE (5, 0)); give it a higher limit "
      "if it still makes progress");
  EXPECT_EQ(LimitError({}, {}).reason(), "cores are busy");
}

}  // namespace
}  // namespace weft::test::error_test
