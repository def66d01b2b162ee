// Bytes that a block of an H100 stages in shared memory, as docs/gpu-performance.md shows them. To
// rewrite its tables:
//   WEFT_UPDATE_DOCS=1 build/release/tests/weft-test-ptxas --gtest_filter='Staged.*'
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "cuda/staging.hpp"
#include "paths.hpp"
#include "support/generated_text.hpp"

namespace weft::test::staged_test {
namespace {

constexpr const char* kPage = WEFT_SOURCE_DIR "/docs/gpu-performance.md";
constexpr std::size_t kKiB = 1024, kShared = 227 * kKiB;  // of a block, CUDA's programming guide
constexpr int kTables = static_cast<int>(cuda::Group::memory);  // the groups before PE memory

/// The records that a transform has of a group in one strip.
struct Records {
  const char* name;
  int of_a_strip;
};
constexpr std::array<Records, kTables> kRecords = {{{"strips: masks, counters, link registers", 1},
                                                    {"colors", 4},
                                                    {"router queues", 8},
                                                    {"filters", 4},
                                                    {"cores", 1}}};

std::size_t bytes_of(int group, int strips) {
  const int records = kRecords[static_cast<std::size_t>(group)].of_a_strip;
  const cuda::RowStart starts[2] = {{}, {records * strips, records * strips, records * strips}};
  return cuda::staged_bytes(static_cast<cuda::Group>(group), strips, starts, 0, 0, 1);
}

/// A bit for each group that fits beside those before it.
unsigned staged(int strips) {
  unsigned fit = 0;
  std::size_t used = 0;
  for (int group = 0; group < kTables; ++group) {
    if (used + bytes_of(group, strips) > kShared) continue;
    used += bytes_of(group, strips);
    fit |= 1U << group;
  }
  return fit;
}

/// The largest side, in whole strips, of which the first `groups` groups all fit.
int largest_side(int groups) {
  const unsigned all = (1U << groups) - 1;
  int strips = 0;
  while ((staged(strips + 1) & all) == all) ++strips;
  return strips * model::kStripWidth;
}

std::string kib(std::size_t bytes) {
  const double value = static_cast<double>(bytes) / kKiB;
  return bytes % kKiB == 0 ? fmt::format("{:.0f}", value) : fmt::format("{:.1f}", value);
}

TEST(Staged, BytesOfAStripAreThoseOfTheDocumentation) {
  std::string table =
      "| Group | Records of a strip | Bytes of each | Bytes |\n"
      "| --- | ---: | ---: | ---: |\n";
  for (int group = 0; group < kTables; ++group) {
    const auto [name, records] = kRecords[static_cast<std::size_t>(group)];
    const std::size_t each = cuda::element_bytes(static_cast<cuda::Group>(group), 0);
    table += fmt::format("| {} | {} | {} | {} |\n", name, records, each,
                         each * static_cast<std::size_t>(records));
  }
  expect_generated(kPage, "strip bytes", table);
}

TEST(Staged, SidesAreThoseOfTheDocumentation) {
  std::string table =
      "| Mesh | Strips | Colors | Queues | Filters | Cores |\n"
      "| ---: | ---: | ---: | ---: | ---: | ---: |\n";
  for (const int side : {32, 128, 256, 320, 512}) {
    const int strips = side / model::kStripWidth;
    table += fmt::format("| {0} x {0} |", side);
    for (int group = 0; group < kTables; ++group) {
      const std::string bytes = kib(bytes_of(group, strips));
      const bool fits = (staged(strips) >> group & 1U) != 0;
      table += fits ? fmt::format(" {} |", bytes) : fmt::format(" ({}) |", bytes);
    }
    table += "\n";
  }
  table += fmt::format("\nAll but the cores fit up to a side of {}, the cores too up to {}.\n",
                       largest_side(kTables - 1), largest_side(kTables));
  expect_generated(kPage, "staged", table);
}

}  // namespace
}  // namespace weft::test::staged_test
