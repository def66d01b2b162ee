#include "cli/common/exit_code.hpp"

#include <gtest/gtest.h>

#include <new>
#include <stdexcept>

namespace weft::cli::exit_code_test {
namespace {

Error error_of(ErrorCategory category) { return Error(category, "what", "why", "do"); }

TEST(ExitCode, FollowsTheCategory) {
  EXPECT_EQ(exit_code(error_of(ErrorCategory::usage)), 2);
  EXPECT_EQ(exit_code(error_of(ErrorCategory::input)), 2);
  EXPECT_EQ(exit_code(error_of(ErrorCategory::machine_profile)), 2);
  EXPECT_EQ(exit_code(error_of(ErrorCategory::environment)), 2);
  EXPECT_EQ(exit_code(error_of(ErrorCategory::program)), 3);
  EXPECT_EQ(exit_code(error_of(ErrorCategory::layout)), 2);
  EXPECT_EQ(exit_code(error_of(ErrorCategory::emulator)), 1);
}

TEST(ExitCode, AFaultOfTheEmulatedProgramIsThree) {
  EXPECT_EQ(exit_code(FaultError(Fault{.kind = FaultKind::deadlock}, {"nothing moves", "", ""})),
            3);
}

TEST(ExitCode, OtherExceptions) {
  EXPECT_EQ(exit_code(std::bad_alloc()), 2);
  EXPECT_EQ(exit_code(std::bad_array_new_length()), 2);
  EXPECT_EQ(exit_code(std::logic_error("x")), 1);
}

TEST(ErrorLine, NamesWhoseFaultItIs) {
  EXPECT_EQ(error_line(error_of(ErrorCategory::machine_profile)),
            "weft: machine profile error: what (why); do");
  EXPECT_EQ(error_line(FaultError({}, {"cycle 3: it stopped", "why", "do"})),
            "weft: program error: cycle 3: it stopped (why); do");
}

TEST(ErrorLine, ADefectAsksForAReport) {
  EXPECT_NE(error_line(error_of(ErrorCategory::emulator)).find("please report"), std::string::npos);
  const std::string line = error_line(std::logic_error("surprise"));
  EXPECT_TRUE(line.starts_with("weft: emulator error: surprise (")) << line;
  EXPECT_NE(line.find("please report"), std::string::npos);
}

TEST(ErrorLine, MissingMemoryIsTheHosts) {
  EXPECT_TRUE(error_line(std::bad_alloc()).starts_with("weft: environment error: out of memory"));
}

TEST(ErrorLine, AnInterruptionIsNoError) {
  const Interrupted interrupted("at cycle 7");
  EXPECT_EQ(exit_code(interrupted), 130);
  EXPECT_EQ(error_line(interrupted), "weft: interrupted at cycle 7; nothing was written");
}

TEST(ErrorLine, IsOneLine) {
  const Error error(ErrorCategory::input, "cannot read 'a\nb\x1b[2J'", "why", "do");
  EXPECT_EQ(error_line(error), "weft: input error: cannot read 'a b [2J' (why); do");
}

}  // namespace
}  // namespace weft::cli::exit_code_test
