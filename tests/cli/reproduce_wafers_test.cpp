// Section 8 of the wsFFT paper: cycles on several wafers, and what links between them allow.
#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>

#include "evaluation/wsfft_runs.hpp"

namespace weft::test::reproduce_wafers_test {
namespace {

using namespace weft::evaluation;

constexpr Scope kSmall{64};  // cubes of 32^3

/// Of its runs, which are made once.
const Outcomes& measured() {
  static const Outcomes all = [] {
    Outcomes outcomes;
    for (const evaluation::Run& run : runs_of_wafers(kSmall))
      outcomes.add(run, measure(run, Machine{}, 1, [](const FftProgress&) {}));
    return outcomes;
  }();
  return all;
}

std::size_t column(const Result& result, std::string_view name) {
  return static_cast<std::size_t>(std::ranges::find(result.table.columns, name) -
                                  result.table.columns.begin());
}

/// Each transpose over links takes at least as long as they need, and little longer than estimated:
/// short streams hide behind turns.
TEST(ReproduceWafers, TransposesOverLinksAreBetweenTheirBounds) {
  const Result result = make_wafers(kSmall, measured(), {});
  const std::size_t row = column(result, "row transpose"), least = column(result, "at least"),
                    estimate = column(result, "estimate"), wafers = column(result, "wafers"),
                    rate = column(result, "rate"), over = column(result, "over one wafer");
  std::size_t several = 0;
  double before = 0;
  for (const Row& one : result.table.rows) {
    if (one[wafers].value == 1) continue;
    ++several;
    EXPECT_LE(*one[least].value, *one[row].value);
    EXPECT_GE(1.05 * *one[estimate].value, *one[row].value);
    const bool slower = *one[rate].value < 1;
    EXPECT_TRUE(!slower || *one[over].value >= before) << "with slower links";
    before = *one[over].value;
  }
  EXPECT_EQ(several, 2U * 2 * 2 * 5) << "precisions, transposes, wafers, rates";
}

/// Wafers with links of the rate that is said take about as long as one: longer with a lower rate.
TEST(ReproduceWafers, TheRateIsWhereSeveralWafersAreAsFastAsOne) {
  const Result cycles = make_wafers(kSmall, measured(), {}),
               rates = make_rates(kSmall, measured(), {});
  const std::size_t precision = column(rates, "precision"), form = column(rates, "transposes"),
                    wafers = column(rates, "wafers"), least = column(rates, "rate, at least"),
                    most = column(rates, "by the estimate");
  std::size_t compared = 0;
  for (const Row& said : rates.table.rows)
    for (const Row& one : cycles.table.rows) {
      if (one[0].text != said[precision].text || one[1].text != said[form].text ||
          one[2].value != said[2].value || one[3].value != said[wafers].value)
        continue;
      ++compared;
      const auto& of_links = one[column(cycles, "rate")].value;
      if (!of_links) continue;  // one wafer
      const double rate = *of_links;
      const double over = *one[column(cycles, "over one wafer")].value;
      EXPECT_TRUE(rate <= *said[most].value || over <= 1) << said[form].text << " " << rate;
      EXPECT_TRUE(rate >= *said[least].value || over >= 1) << said[form].text << " " << rate;
    }
  EXPECT_EQ(compared, 2U * 2 * 2 * 5) << "precisions, transposes, wafers, rates";
}

}  // namespace
}  // namespace weft::test::reproduce_wafers_test
