#include "cli/fft/report_lines.hpp"

#include <gtest/gtest.h>

namespace weft::test::report_lines_test {
namespace {

using cli::ReportLines;

TEST(ReportLines, PutValuesInOneColumn) {
  ReportLines lines("title");
  lines.add("cycles", "12");
  lines.add("by phase, which has no value");
  EXPECT_EQ(lines.text(), "title\n  cycles            12\n  by phase, which has no value\n");
  lines.add_cycles("  transpose columns", 3, 12);
  EXPECT_EQ(lines.text(),
            "title\n  cycles              12\n  by phase, which has no value\n"
            "    transpose columns             3   25.0 %\n");
}

}  // namespace
}  // namespace weft::test::report_lines_test
