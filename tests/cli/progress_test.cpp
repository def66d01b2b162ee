#include "cli/text/progress.hpp"

#include <gtest/gtest.h>

#include "cli/text/number_text.hpp"

namespace weft::cli::progress_test {
namespace {

const Shown kQuarter = {0.25, "8,000 of ~32,000 cycles", 100'000'000};

TEST(BarText, SaysWhatThereIsRoomFor) {
  const std::string rest = " 25 %  8,000 of ~32,000 cycles  30 s left";
  EXPECT_EQ(bar_text(kQuarter, 10, 120),
            "[#########.............................]  25 %  8,000 of ~32,000 cycles  30 s left  "
            "1.0e+07 PE-cycles/s");
  EXPECT_EQ(bar_text(kQuarter, 10, 80),
            "[###...........]  25 %  8,000 of ~32,000 cycles  30 s left  1.0e+07 PE-cycles/s");
  EXPECT_EQ(bar_text(kQuarter, 10, 60), "[###............] " + rest);
  EXPECT_EQ(bar_text(kQuarter, 10, 42), rest);
  EXPECT_EQ(bar_text(kQuarter, 10, 41), "[#......]  25 %  8,000 of ~32,000 cycles");
  EXPECT_EQ(bar_text(kQuarter, 10, 20), " 25 %  30 s left");
  EXPECT_EQ(bar_text(kQuarter, 10, 3), " 25 %") << "never less";
}

TEST(BarText, IsNarrowerThanTheTerminal) {
  for (int columns = 10; columns < 200; ++columns) {
    EXPECT_LT(bar_text(kQuarter, 10, columns).size(), static_cast<std::size_t>(columns));
  }
}

TEST(BarText, GoesWithoutAFraction) {
  const Shown unknown = {std::nullopt, "8,000 cycles", 100'000'000};
  EXPECT_EQ(bar_text(unknown, 10, 80), "8,000 cycles  1.0e+07 PE-cycles/s");
  EXPECT_EQ(bar_text(unknown, 10, 33), "8,000 cycles");
  EXPECT_EQ(bar_text(unknown, 10, 12), "") << "the last column stays free";
}

TEST(BarText, KeepsItsNumbersInBounds) {
  EXPECT_EQ(bar_text({0, "x", 0}, 2, 12), "  0 %  x") << "the time left is not known";
  EXPECT_EQ(bar_text({1.5, "x", 0}, 2, 22), "100 %  x  0 s left");
  EXPECT_EQ(bar_text({0.999, "", 0}, 2, 8), " 99 %  ") << "100 is the end";
}

TEST(StopText, SaysWhere) {
  const FftProgress progress{8000, 1, [] { return FftExpectation{32000, 0.25, "transpose rows"}; }};
  EXPECT_EQ(stop_text(progress, 3.421),
            "at cycle 8,000 of about 32,000 (transpose rows), after 3.42 s");
  EXPECT_EQ(cycles_text(progress), "8,000 of ~32,000 cycles");
}

TEST(StopText, GoesWithoutAnExpectation) {
  const FftProgress progress{.cycle = 8000};
  EXPECT_EQ(stop_text(progress, 3.421), "at cycle 8,000, after 3.42 s");
  EXPECT_EQ(cycles_text(progress), "8,000 cycles");
}

TEST(LongDuration, HasTwoUnitsAtMost) {
  EXPECT_EQ(long_duration_text(0.4), "0 s");
  EXPECT_EQ(long_duration_text(59.4), "59 s");
  EXPECT_EQ(long_duration_text(59.6), "1 min 0 s");
  EXPECT_EQ(long_duration_text(3599), "59 min 59 s");
  EXPECT_EQ(long_duration_text(7500), "2 h 5 min");
}

}  // namespace
}  // namespace weft::cli::progress_test
