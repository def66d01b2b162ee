// The reckoned times, and docs/gpu-performance.md, which shows them. To rewrite its table:
//   WEFT_UPDATE_DOCS=1 build/release/tests/weft-test-gpu_check --gtest_filter='Reckoned.*'
#include "gpu_check/reckoned.hpp"

#include <gtest/gtest.h>

#include "paths.hpp"
#include "support/generated_text.hpp"

namespace weft::test::reckoned_test {
namespace {

TEST(Reckoned, IsWhatTheDocumentationShows) {
  expect_generated(WEFT_SOURCE_DIR "/docs/gpu-performance.md", "reckoned",
                   gpu_check::reckoned_table());
}

TEST(Reckoned, GrowsWithTheSideAndWithWhatBounds) {
  double before = 0;
  for (int n = 4; n <= 512; n *= 2) {
    const gpu_check::Reckoned reckoned = gpu_check::reckon(n);
    EXPECT_GT(reckoned.latency, before);
    EXPECT_GT(reckoned.missing, reckoned.latency);
    EXPECT_GT(reckoned.latency, reckoned.issue);
    EXPECT_GT(reckoned.latency, reckoned.waiting);
    before = reckoned.latency;
  }
}

}  // namespace
}  // namespace weft::test::reckoned_test
