#include "cli/text/text_table.hpp"

#include <gtest/gtest.h>

#include "cli/text/number_text.hpp"

namespace weft::cli::text_table_test {
namespace {

TEST(TextTable, AlignsItsColumns) {
  EXPECT_EQ(text_table({{"name", Align::left}, {"n", Align::right}, {"note", Align::left}},
                       {{"a", "1,000", ""}, {"longer", "2", "x"}}),
            "  name        n  note\n"
            "  a       1,000\n"
            "  longer      2  x\n");
}

TEST(TextTable, MayHaveNoRows) { EXPECT_EQ(text_table({{"a", Align::left}}, {}), "  a\n"); }

TEST(Folded, FitsAHundredColumns) {
  const std::string ten(10, 'x');
  EXPECT_EQ(folded("", 4), "");
  EXPECT_EQ(folded("one two", 4), "one two");
  EXPECT_EQ(folded(ten + " " + ten, 79), ten + " " + ten) << "100 columns";
  EXPECT_EQ(folded(ten + " " + ten, 80), ten + "\n" + std::string(80, ' ') + ten) << "101";
  EXPECT_EQ(folded(std::string(200, 'x'), 4), std::string(200, 'x')) << "words stay whole";
}

TEST(NumberText, GroupsThousands) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(12345678), "12,345,678");
}

TEST(NumberText, DurationsHaveThreeDigitsAndAUnit) {
  EXPECT_EQ(duration_text(123.4), "123 s");
  EXPECT_EQ(duration_text(2.113), "2.11 s");
  EXPECT_EQ(duration_text(0.0345), "34.5 ms");
  EXPECT_EQ(duration_text(0.000987), "987 us");
  EXPECT_EQ(duration_text(1.2e-7), "0.12 us");
  EXPECT_EQ(duration_text(0), "0.00 us");
  EXPECT_EQ(duration_text(0.9996), "1.00 s");
  EXPECT_EQ(duration_text(0.009996), "10.0 ms");
  EXPECT_EQ(duration_text(99.96), "100 s");
}

}  // namespace
}  // namespace weft::cli::text_table_test
