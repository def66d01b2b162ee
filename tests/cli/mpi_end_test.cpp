// How processes of MPI end together: this test starts itself as each of them.
#include "mpi_command.hpp"

#if WEFT_HAVE_MPI
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "weft/mpi.hpp"

namespace weft::test::mpi_end_test {
namespace {

constexpr const char* kCodes = "WEFT_TEST_EXIT_CODES";  // a digit for each process

[[noreturn]] void end_as_process(const char* codes) {
  const int rank = mpi_world()->rank();
  const int code = codes[rank] - '0';
  std::_Exit(mpi_finish(code, fmt::format("process {} says {}\n", rank, code)));
}

CommandResult end_with(const std::string& codes) {
  setenv(kCodes, codes.c_str(), 1);
  CommandResult result = run_processes(static_cast<int>(codes.size()),
                                       "--gtest_filter=MpiEnd.TheMessageOfTheFirstThatFails*",
                                       std::filesystem::read_symlink("/proc/self/exe").string());
  unsetenv(kCodes);
  return result;
}

/// What processes say at the end, one after the other.
std::vector<std::string> said(const std::string& text) {
  std::vector<std::string> all;
  for (std::size_t at = text.find("process "); at != std::string::npos;
       at = text.find("process ", at + 1))
    if (text.compare(at + 9, 6, " says ") == 0) all.push_back(text.substr(at, 16));
  return all;
}

TEST(MpiEnd, TheMessageOfTheFirstThatFailsIsPrintedOnce) {
  if (const char* const codes = std::getenv(kCodes)) end_as_process(codes);
  SKIP_WITHOUT_MPI();
  struct Case {
    const char* codes;
    int code;
    std::vector<std::string> said;
  };
  for (const Case& c : {Case{"1", 1, {"process 0 says 1"}}, Case{"11", 1, {"process 0 says 1"}},
                        Case{"02", 2, {"process 1 says 2"}}, Case{"032", 3, {"process 1 says 3"}},
                        Case{"00", 0, {}}}) {
    const CommandResult result = end_with(c.codes);
    EXPECT_EQ(result.exit_code, c.code) << c.codes << ": " << result.err;
    EXPECT_EQ(said(result.err), c.said) << c.codes << ": " << result.err;
  }
}

}  // namespace
}  // namespace weft::test::mpi_end_test
#endif
