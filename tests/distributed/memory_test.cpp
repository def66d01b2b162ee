// Plans of processes that share a fabric: those on one host share its memory, and an error tells
// how many it would take.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "fabric/build/footprint.hpp"
#include "fabric/own_rows.hpp"
#include "weft/error.hpp"
#include "weft/fft.hpp"
#include "weft/processes.hpp"

namespace weft::test::memory_test {
namespace {

/// So many processes, of which nobody has started any: plans ask only how many there are.
class Planned : public Processes {
 public:
  Planned(int size, int on_a_host) : size_(size), on_a_host_(on_a_host) {}

  int rank() const override { return 0; }
  int size() const override { return size_; }
  int most_on_a_host() const override { return on_a_host_; }
  void send(int, std::span<const std::byte>) override { FAIL(); }
  void receive(int, std::vector<std::byte>&) override { FAIL(); }
  void gather(std::span<const std::byte>, std::span<std::byte>) override { FAIL(); }
  void broadcast(int, std::span<std::byte>) override { FAIL(); }

 private:
  const int size_, on_a_host_;
};

/// A mesh of 300 rows has five bundles of rows, the last one of 44: of two processes the second one
/// has three.
TEST(SharedMemory, PlansCountWithTheProcessThatHasMost) {
  for (const bool of_lines : {true, false})
    for (int size = 1; size <= 9; ++size) {
      const Planned processes(size, 1);
      int most = 0;
      for (int rank = 0; rank < size; ++rank)
        most = std::max(most, fabric::own_pe_rows(processes, rank, 300, of_lines).count());
      EXPECT_EQ(fabric::most_pe_rows(size, 300, of_lines), most) << size << " processes";
    }
  EXPECT_EQ(fabric::most_pe_rows(2, 300, true), 172);
  EXPECT_EQ(fabric::most_pe_rows(2, 300, false), 152);
}

constexpr int kSide = 16384;  // of the mesh, on which sixteen arrays are side by side

/// The error of a plan for more PEs than a host holds; empty: there is none.
std::string error_of(int processes, int on_a_host) {
  FftOptions options{.mesh = {kSide, kSide}, .batch = 16, .data = false};
  options.engine = Engine::host;
  options.machine.pe_memory_bytes = 1 << 17;
  options.processes = std::make_shared<Planned>(processes, on_a_host);
  try {
    const FftPlan plan({kSide / 4, kSide / 4, 2}, FftPrecision::fp32, options);
  } catch (const Error& error) {
    EXPECT_EQ(error.category(), ErrorCategory::environment) << error.what();
    return error.what();
  }
  return "";
}

TEST(SharedMemory, AnErrorSaysHowManyProcessesItTakes) {
  if (fabric::host_memory() > 0x1p40) GTEST_SKIP() << "this host holds all of the mesh";
  const std::string one = error_of(1, 1), before = "or share it among ";
  const std::size_t at = one.find(before);
  ASSERT_NE(at, std::string::npos) << one;
  const int enough = std::stoi(one.substr(at + before.size()));
  EXPECT_EQ(error_of(enough, 1), "");
  EXPECT_NE(error_of(enough - 1, 1).find(before + std::to_string(enough)), std::string::npos);
}

TEST(SharedMemory, ProcessesOnOneHostShareIt) {
  if (fabric::host_memory() > 0x1p40) GTEST_SKIP() << "this host holds all of the mesh";
  int enough = 1;
  while (enough < kSide / 8 && !error_of(enough, 1).empty()) enough *= 2;
  const std::string all_here = error_of(enough, enough);
  EXPECT_NE(all_here.find("for " + std::to_string(enough) + " of " + std::to_string(enough) +
                          " processes on one host"),
            std::string::npos)
      << all_here;
  EXPECT_NE(error_of(2 * enough, 4), "") << "four have half the memory that they need";
}

}  // namespace
}  // namespace weft::test::memory_test
