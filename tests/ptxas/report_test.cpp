// The report of ptxas on the kernels when this build compiled them, against a GPU's limits.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <ostream>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

namespace weft::test::report_test {
namespace {

// A multiprocessor has one block of 1,024 threads, and 64 Ki registers (compute capability 8.0 and
// 9.0).
constexpr int kMostRegisters = 64 * 1024 / 1024;

// A block has 163 KiB (8.0) or 227 KiB (9.0) of shared memory, most of it for what is near, by
// CUDA's programming guide. Variables in the kernel may take this much from it:
constexpr int kMostStaticShared = 1024;

/// Bytes of a thread's local memory that the functions of a shape's kernel take at most, on any
/// architecture: what they took when the table was made. Most of the stack is OwnState
/// (cuda/pe/own_state.cuh). What is spilled is to become less only.
struct Budget {
  std::string_view kernel;
  int stack, spill_stores, spill_loads;
};
constexpr Budget kBudgets[] = {
    {"kernel_4_2", 2880, 206, 660},         {"kernel_8_2", 3552, 218, 704},
    {"kernel_8_4", 3648, 350, 1032},        {"kernel_24_4", 6368, 158, 412},
    {"kernel_8_4_hosted", 3664, 386, 1184}, {"kernel_24_4_hosted", 6400, 158, 508},
    {"kernel_counting", 6400, 326, 860},
};

/// One function of the machine code; of kernels also what they use.
struct Function {
  std::string name, architecture;
  int stack = -1, spill_stores = -1, spill_loads = -1;  // bytes
  int registers = -1, shared = -1;                      // bytes of shared memory
};

void PrintTo(const Function& f, std::ostream* out) { *out << f.name << ", " << f.architecture; }

int number_before(const std::string& line, const std::string& words) {
  std::smatch match;
  if (!std::regex_search(line, match, std::regex("([0-9]+) " + words))) return -1;
  return std::stoi(match[1]);
}

std::vector<Function> parse(std::istream& report) {
  static const std::regex entry("Compiling entry function '(.*)' for '(.*)'");
  static const std::regex properties("Function properties for (.*)");
  std::vector<Function> functions;
  std::string kernel, architecture;
  std::smatch match;
  for (std::string line; std::getline(report, line);) {
    if (std::regex_search(line, match, entry)) {
      kernel = match[1];
      architecture = match[2];
    } else if (std::regex_search(line, match, properties)) {
      functions.push_back({.name = match[1], .architecture = architecture});
    } else if (functions.empty()) {
      continue;
    } else if (line.find("bytes stack frame") != std::string::npos) {
      Function& f = functions.back();
      f.stack = number_before(line, "bytes stack frame");
      f.spill_stores = number_before(line, "bytes spill stores");
      f.spill_loads = number_before(line, "bytes spill loads");
    } else if (line.find("Used ") != std::string::npos && functions.back().name == kernel) {
      functions.back().registers = number_before(line, "registers");
      functions.back().shared = number_before(line, "bytes smem");
    }
  }
  return functions;
}

class PtxasReport : public testing::Test {
 protected:
  void SetUp() override {
    if (std::string_view(WEFT_PTXAS_REPORT).empty()) GTEST_SKIP() << "built without nvcc";
    for (const Budget& budget : kBudgets) {
      const std::string name(budget.kernel);
      std::ifstream report(WEFT_PTXAS_REPORT "/" + name + ".cu.o.txt");
      reports[name] = parse(report);
      ASSERT_FALSE(reports[name].empty())
          << "nothing on " << name << " in " << WEFT_PTXAS_REPORT << "; compile it again";
    }
  }

  std::map<std::string, std::vector<Function>> reports;  ///< by kernel
};

TEST_F(PtxasReport, LocalMemoryIsAsBudgeted) {
  for (const auto& [kernel, functions] : reports) {
    const auto* const budget = std::ranges::find(kBudgets, kernel, &Budget::kernel);
    for (const Function& f : functions) {
      EXPECT_LE(f.stack, budget->stack) << testing::PrintToString(f);
      EXPECT_LE(f.spill_stores, budget->spill_stores) << testing::PrintToString(f);
      EXPECT_LE(f.spill_loads, budget->spill_loads) << testing::PrintToString(f);
    }
  }
}

TEST_F(PtxasReport, TheStepFitsOnAMultiprocessor) {
  for (const auto& [name, functions] : reports) {
    int kernels = 0;
    for (const Function& f : functions) {
      if (f.name.find("step_tiles") == std::string::npos || f.registers < 0) continue;
      ++kernels;
      EXPECT_GT(f.registers, 0) << testing::PrintToString(f);
      EXPECT_LE(f.registers, kMostRegisters) << testing::PrintToString(f);
      EXPECT_LE(f.shared, kMostStaticShared) << testing::PrintToString(f);
    }
    EXPECT_GT(kernels, 0) << "no step_tiles in the report on " << name;
  }
}

}  // namespace
}  // namespace weft::test::report_test
