#include <gtest/gtest.h>

#include <array>
#include <complex>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "expect_error.hpp"
#include "mesh.hpp"

namespace weft::test::typed_access_test {
namespace {

constexpr Rect kFour{0, 0, 4, 1};

/// A program that does nothing, with named memory.
Program idle(const std::string& name, const std::function<void(ProgramBuilder&)>& reserve) {
  ProgramBuilder p(name);
  reserve(p);
  p.start(p.local_task(0));
  p.end();
  return p.build();
}

/// A row of PEs with one program, or two: PEs 0 and 1 have the first, 2 and 3 the second.
Fabric row(const Program& first, const Program& second) {
  Layout layout(5, 1);
  layout.place({0, 0, 2, 1}, first);
  layout.place({2, 0, 2, 1}, second);
  return {layout, test_machine(), test_options()};
}
Fabric row(const Program& program) { return row(program, program); }

template <class T>
T number(int i) {
  if constexpr (std::is_same_v<T, std::complex<float>>)
    return {static_cast<float>(i) + 0.5F, static_cast<float>(-i)};
  else if constexpr (std::is_same_v<T, ComplexHalf>)
    return {Half(static_cast<float>(i)), Half(static_cast<float>(i) / 4)};
  else if constexpr (std::is_same_v<T, Half>)
    return Half(static_cast<float>(i) / 2);
  else
    return static_cast<T>(i % 2 == 0 ? i : -i);
}

template <class T>
class TypedAccess : public testing::Test {};
using Types = testing::Types<float, Half, std::int32_t, std::uint32_t, std::int16_t, std::uint16_t,
                             std::complex<float>, ComplexHalf>;
TYPED_TEST_SUITE(TypedAccess, Types);

TYPED_TEST(TypedAccess, GivesBackAnyNumberOfElements) {
  for (const int each : {1, 2, 3, 7}) {
    Fabric f = row(idle("p", [&](ProgramBuilder& p) { p.reserve<TypeParam>("u", each); }));
    std::vector<TypeParam> values;
    for (int i = 0; i < 4 * each; ++i) values.push_back(number<TypeParam>(i));
    f.write(kFour, "u", values);
    EXPECT_EQ(f.read<TypeParam>(kFour, "u"), values) << each << " elements";
    // PE by PE, the elements of each.
    const std::vector<TypeParam> third(values.begin() + 2 * each, values.begin() + 3 * each);
    EXPECT_EQ(f.read<TypeParam>({2, 0, 1, 1}, "u"), third) << each << " elements";
    EXPECT_EQ(f.elements(kFour, "u", element_of<TypeParam>), static_cast<std::size_t>(each));
  }
}

TYPED_TEST(TypedAccess, LeavesTheBytesBehindAsTheyAre) {
  Fabric f = row(idle("p", [](ProgramBuilder& p) { p.reserve<TypeParam>("u", 3); }));
  const std::vector<std::uint32_t> ones(4 * 7, 0xffffffff);  // more than u has
  f.write(kFour, 0, ones);
  f.write(kFour, "u", std::vector<TypeParam>(4 * 3));
  constexpr std::size_t kBytes = 3 * sizeof(TypeParam);
  for (int x = 0; x < 4; ++x) {
    std::array<std::uint32_t, 7> words{};
    f.read({x, 0, 1, 1}, 0, words);
    for (std::size_t byte = 0; byte < sizeof words; ++byte)
      EXPECT_EQ(words[byte / 4] >> (byte % 4 * 8) & 0xffU, byte < kBytes ? 0U : 0xffU)
          << "PE " << x << ", byte " << byte;
  }
}

TEST(SymbolAccess, TakesSpansArraysAndVectors) {
  Fabric f = row(idle("p", [](ProgramBuilder& p) { p.reserve<float>("u", 1); }));
  const std::array<float, 4> array{1, 2, 3, 4};
  f.write<float>(kFour, "u", array);
  EXPECT_EQ(f.read<float>(kFour, "u"), (std::vector<float>{1, 2, 3, 4}));
  std::vector<float> values{5, 6, 7, 8};
  f.write<float>(kFour, "u", values);
  f.write<float>({0, 0, 1, 1}, "u", std::span(values).last(1));
  std::array<float, 4> back{};
  f.read(kFour, "u", std::span<float>(back));
  EXPECT_EQ(back, (std::array<float, 4>{8, 6, 7, 8}));
}

TEST(SymbolAccess, FindsASymbolAtTheAddressThatEachProgramHas) {
  const Program low = idle("low", [](ProgramBuilder& p) { p.reserve<std::int16_t>("u", 3); });
  const Program high = idle("high", [](ProgramBuilder& p) {
    p.reserve<float>("before", 5);
    p.reserve<std::int16_t>("u", 3);
  });
  Layout layout(2, 3);  // of each row another order
  layout.place({0, 0, 1, 2}, low);
  layout.place({1, 0, 1, 2}, high);
  layout.place({0, 2, 1, 1}, high);
  layout.place({1, 2, 1, 1}, low);
  Fabric f(layout, test_machine(), test_options());
  std::vector<std::int16_t> values;
  for (std::int16_t i = 0; i < 2 * 3 * 3; ++i) values.push_back(i);
  f.write({0, 0, 2, 3}, "u", values);
  EXPECT_EQ(f.read<std::int16_t>({0, 0, 2, 3}, "u"), values);
  for (int y = 0; y < 3; ++y)
    for (int x = 0; x < 2; ++x) {
      std::array<std::uint32_t, 2> words{};
      f.read({x, y, 1, 1}, (x == 0) == (y < 2) ? 0 : 20, words);
      const auto first = static_cast<std::uint32_t>(3 * (2 * y + x));
      EXPECT_EQ(words[0], first | (first + 1) << 16) << x << ", " << y;
      EXPECT_EQ(words[1], first + 2) << x << ", " << y;
    }
}

TEST(SymbolAccess, ASymbolOfBytesTakesAnyTypeThatFillsIt) {
  Fabric f = row(idle("p", [](ProgramBuilder& p) { p.reserve("u", 8); }));
  EXPECT_EQ(f.elements(kFour, "u", ElementType::f32), 2U);
  EXPECT_EQ(f.elements(kFour, "u", ElementType::f16), 4U);
  EXPECT_EQ(f.elements(kFour, "u", ElementType::c64), 1U);
  Fabric odd = row(idle("p", [](ProgramBuilder& p) { p.reserve("u", 6); }));
  EXPECT_EQ(odd.elements(kFour, "u", ElementType::i16), 3U);
  expect_error(
      ErrorCategory::usage, [&] { odd.read<float>(kFour, "u"); },
      "u does not hold float (it holds 6 bytes of bytes)");
}

TEST(SymbolAccess, ErrorsNameTheSymbolAndTheReason) {
  Fabric f = row(idle("p", [](ProgramBuilder& p) {
    p.reserve<float>("velocity", 3);
    p.reserve<std::int32_t>("cycle", 1);
  }));
  const auto refused = [](const std::function<void()>& action, std::vector<std::string> parts) {
    expect_error_with(ErrorCategory::usage, action, parts);
  };
  refused(
      [&] { f.read<float>(kFour, "velocty"); },
      {"PE (0, 0) has no velocty", "its program p has no such symbol", "the nearest is velocity"});
  refused([&] { f.read<float>(kFour, "zzzzzz"); }, {"it has cycle, velocity"});
  refused([&] { f.read<std::int32_t>(kFour, "velocity"); },
          {"velocity does not hold int32", "12 bytes of float"});
  refused([&] { f.write(kFour, "velocity", std::vector<float>(11)); },
          {"11 values do not fill velocity", "3 elements in each of 4 x 1 PEs: 12"});
  refused([&] { f.write(kFour, "velocity", std::vector<float>()); }, {"0 values do not fill"});
  refused(
      [&] {
        f.read<float>({3, 0, 2, 1}, "velocity");
      },
      {"PE (4, 0) has no velocity", "it has no program"});
  refused([&] { f.read<float>({2, 0, 4, 1}, "velocity"); }, {"the fabric is 5 x 1"});
}

TEST(SymbolAccess, ASymbolThatDiffersBetweenPesIsRefusedAndBothNamed) {
  const auto with = [](const std::function<void(ProgramBuilder&)>& reserve) {
    return idle("p", reserve);
  };
  const Program three = with([](ProgramBuilder& p) { p.reserve<float>("u", 3); });
  const Program four = with([](ProgramBuilder& p) { p.reserve<float>("u", 4); });
  const Program other = with([](ProgramBuilder& p) { p.reserve<std::int32_t>("u", 3); });
  for (const Program* second : {&four, &other}) {
    Fabric f = row(three, *second);
    expect_error_with(ErrorCategory::usage, [&] { f.read<float>(kFour, "u"); },
                      {"u is not the same in all these PEs", "12 bytes of float at PE (0, 0)",
                       second == &four ? "16 of float at PE (2, 0)" : "12 of int32 at PE (2, 0)"});
    EXPECT_EQ(f.read<float>({0, 0, 2, 1}, "u").size(), 6U);  // apart they can be read
  }
}

TEST(Half, RoundsToNearestEven) {
  const auto bits = [](float value) { return Half(value).bits; };
  EXPECT_EQ(bits(1.0F), 0x3c00);
  EXPECT_EQ(bits(-2.0F), 0xc000);
  EXPECT_EQ(bits(1.0F + 1.0F / 2048), 0x3c00);  // half way: to the even one
  EXPECT_EQ(bits(1.0F + 3.0F / 2048), 0x3c02);
  EXPECT_EQ(bits(65520.0F), 0x7c00);  // infinity
  EXPECT_EQ(bits(0x1p-24F), 0x0001);  // the smallest
  EXPECT_EQ(bits(0x1p-25F), 0x0000);
  EXPECT_EQ(static_cast<float>(Half(0.1F)), 0.0999755859375F);
}

}  // namespace
}  // namespace weft::test::typed_access_test
