// Filters of the PE step count what is left until they change: over long streams, too.
#include <gtest/gtest.h>

#include <variant>

#include "differential/dice.hpp"
#include "pe/build/rules.hpp"
#include "spec/filter.hpp"
#include "support/effort.hpp"

namespace weft::test::filters_test {
namespace {

/// Registers where chunks of 65,535 wavelets end, and where 32 bits do.
std::uint32_t random_register(Dice& dice) {
  return dice.pick({static_cast<std::uint32_t>(dice.roll(0, 9)), 65533U, 65534U, 65535U, 65536U,
                    131071U, 100000U, ~0U, ~0U - static_cast<std::uint32_t>(dice.roll(0, 70000))});
}

Filter random_settings(Dice& dice) {
  const std::uint32_t counter = random_register(dice), limit1 = random_register(dice),
                      most = random_register(dice);
  if (dice.chance(60))
    return CounterFilter{counter, limit1, most, dice.chance(90), dice.chance(50), dice.chance(10)};
  SparseCounterFilter sparse{counter, limit1, most, {}, dice.chance(90), dice.chance(50)};
  if (dice.chance(60)) sparse.limit2 = random_register(dice);
  return sparse;
}

void write_register(Dice& dice, Filter& reference, pe::Filter& filter) {
  using pe::FilterRegister;
  const std::uint32_t value = random_register(dice);
  const FilterRegister which =
      dice.pick({FilterRegister::counter, FilterRegister::limit1, FilterRegister::max_counter});
  pe::write_register(filter, which, value);
  *(which == FilterRegister::counter  ? spec::counter(reference)
    : which == FilterRegister::limit1 ? spec::limit1(reference)
                                      : spec::max_counter(reference)) = value;
}

/// Both see the same wavelets; now and then a register is written.
void expect_same(Dice& dice, int wavelets) {
  Filter reference = random_settings(dice);
  pe::Filter filter = pe::filter_of(reference);
  bool shut = pe::refuses_data(filter);  // as a router keeps it
  for (int n = 0; n < wavelets; ++n) {
    const bool control = dice.chance(5);
    const spec::Wavelet wavelet{0, control, 0, 0};
    const bool accepted = control ? pe::accepts_control(filter) : !shut;
    ASSERT_EQ(accepted, spec::accepts(reference, wavelet)) << "wavelet " << n;
    if (pe::count_passed(filter, filter, control)) shut = pe::refuses_data(filter);
    spec::count(reference, wavelet);
    ASSERT_EQ(pe::counter_of(filter), *spec::counter(reference)) << "wavelet " << n;
    if (dice.roll(0, 29999) != 0) continue;
    write_register(dice, reference, filter);
    shut = pe::refuses_data(filter);
  }
}

TEST(PeFilters, CountAsTheReferenceDoes) {
  const int cases = by_effort(10, 30, 80);
  for (int n = 0; n < cases && !HasFatalFailure(); ++n) {
    const std::uint64_t seed = seed_from(51000000) + static_cast<std::uint64_t>(n);
    SCOPED_TRACE(seed);
    Dice dice(mixed(seed));
    expect_same(dice, 150000);
  }
}

}  // namespace
}  // namespace weft::test::filters_test
