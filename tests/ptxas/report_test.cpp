// The report of ptxas on the kernels when this build compiled them, against a GPU's limits.
#include <gtest/gtest.h>

#include <fstream>
#include <ostream>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

namespace weft::test::report_test {
namespace {

// 512 x 512 PEs are 128 rows of 32 strips, 4,096 in all. An H100 has 132 multiprocessors, and all
// blocks must run at once: a row a block, so 128 blocks of 32 strips.
constexpr int kRows = 128, kStripsPerRow = 32, kMultiprocessors = 132;
constexpr int kRowsPerBlock = (kRows + kMultiprocessors - 1) / kMultiprocessors;
constexpr int kWarps = 16;  // of a block: 2 strips each
static_assert(kRowsPerBlock == 1);
static_assert(kRowsPerBlock * kStripsPerRow / kWarps == 2);

// One block of them is all that a multiprocessor's registers are for.
constexpr int kRegistersOfMultiprocessor = 64 * 1024;  // compute capability 8.0 and 9.0
constexpr int kMostRegisters = kRegistersOfMultiprocessor / (kWarps * 32);
static_assert(kMostRegisters == 128);

// A block has 163 KiB (8.0) or 227 KiB (9.0) of shared memory for what is staged at launch, by
// CUDA's programming guide. Variables in the kernel may take this much from it:
constexpr int kMostStaticShared = 1024;

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
    std::ifstream report(WEFT_PTXAS_REPORT);
    functions = parse(report);
    ASSERT_FALSE(functions.empty())
        << "nothing in " << WEFT_PTXAS_REPORT << "; compile cuda/tile_kernel.cu again";
  }

  std::vector<Function> functions;
};

TEST_F(PtxasReport, NothingIsSpilled) {
  for (const Function& f : functions) {
    EXPECT_EQ(f.stack, 0) << testing::PrintToString(f);
    EXPECT_EQ(f.spill_stores, 0) << testing::PrintToString(f);
    EXPECT_EQ(f.spill_loads, 0) << testing::PrintToString(f);
  }
}

TEST_F(PtxasReport, TheStepFitsOnAMultiprocessor) {
  int kernels = 0;
  for (const Function& f : functions) {
    if (f.name.find("step_tiles") == std::string::npos || f.registers < 0) continue;
    ++kernels;
    EXPECT_GT(f.registers, 0) << testing::PrintToString(f);
    EXPECT_LE(f.registers, kMostRegisters) << testing::PrintToString(f);
    EXPECT_LE(f.shared, kMostStaticShared) << testing::PrintToString(f);
  }
  EXPECT_GT(kernels, 0) << "no step_tiles in " << WEFT_PTXAS_REPORT;
}

}  // namespace
}  // namespace weft::test::report_test
