#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "expect_error.hpp"
#include "run.hpp"

/// Numbers that a program is given: constants that their type holds, and sizes that a PE has.
namespace weft::test::numbers_test {
namespace {

void expect_refused(const std::function<void(PeProgram&)>& program, const std::string& message) {
  expect_error(
      ErrorCategory::program,
      [&] {
        PeProgram pe("p");
        program(pe);
        (void)pe.build();
      },
      message);
}

TEST(Constants, AreHeldByTheirType) {
  const auto refused = [](auto value, ElementType type) {
    expect_error(
        ErrorCategory::program, [&] { (void)PeValue(value).bits(type); },
        "invalid number of type ");
  };
  refused(70000, ElementType::f16);
  refused(65520.0, ElementType::f16);  // would round to 2^16
  refused(-1e6, ElementType::f16);
  refused(1e40, ElementType::f32);
  refused(-1e39, ElementType::f32);
  refused(std::int64_t{1} << 40U, ElementType::i32);
  refused(~std::uint64_t{0}, ElementType::i32);  // not -1
  refused(~std::uint64_t{0}, ElementType::i16);
  refused(std::int64_t{1} << 40U, ElementType::u32);
  refused(1.5, ElementType::i32);
  refused(std::nan(""), ElementType::i32);
  refused(HUGE_VAL, ElementType::u16);
  refused(1, ElementType::c64);
  refused(1, ElementType::unspecified);
  EXPECT_EQ(PeValue(65519.0).bits(ElementType::f16), 0x7bffU);
  EXPECT_EQ(PeValue(0.1).bits(ElementType::f16), 0x2e66U);
  EXPECT_EQ(PeValue(HUGE_VAL).bits(ElementType::f16), 0x7c00U);
  EXPECT_EQ(PeValue(-HUGE_VAL).bits(ElementType::f32), 0xff800000U);
  EXPECT_EQ(PeValue(std::nan("")).bits(ElementType::f32) & 0x7fc00000U, 0x7fc00000U);
  EXPECT_EQ(PeValue(3.4028235e38).bits(ElementType::f32), 0x7f7fffffU);
  EXPECT_EQ(PeValue(1e-60).bits(ElementType::f32), 0U);
}

TEST(Constants, AreCheckedWhereverTheyStand) {
  const std::int64_t far = std::int64_t{1} << 40U;
  const auto held = [](const auto& use) {
    expect_refused(
        [&](PeProgram& pe) {
          use(pe, pe.array<Half>("h", 2), pe.array<float>("v", 2), pe.scalar<std::int32_t>("i"));
        },
        "invalid number of type ");
  };
  held([](auto& pe, auto h, auto, auto) { pe.fill(h, 70000); });
  held([](auto& pe, auto, auto v, auto) { pe.fill(v, 1e40); });
  held([](auto& pe, auto h, auto, auto) { pe.add(h, h, 1e5); });
  held([](auto& pe, auto, auto v, auto) { pe.mul(v, v, 1e39); });
  held([](auto& pe, auto h, auto, auto) { pe.multiply_add(h, h, 65536); });
  held([&](auto& pe, auto, auto, auto i) { pe.set(i, far); });
  held([&](auto& pe, auto, auto, auto i) { pe.add(i, i, far); });
  held([](auto& pe, auto, auto, auto i) { pe.mul(i, i, 0.5); });
  held([&](auto& pe, auto, auto, auto i) { pe.when(i == far, [] {}); });
  held([&](auto& pe, auto, auto, auto i) { pe.repeat_while(i < far, [] {}); });
  held([](auto& pe, auto, auto, auto) { pe.constant(1e5, ElementType::f16); });
  held([](auto& pe, auto, auto, auto) {
    pe.range(pe.template scalar<std::int16_t>("n"), 0, 40000, 1, [] {});
  });
  // The count would wrap around before it passes the end.
  held([](auto& pe, auto, auto, auto i) {
    pe.range(i, 0, std::numeric_limits<int>::max(), 2, [] {});
  });
}

TEST(Constants, AtLaunchAreHeldByTheirType) {
  Design d(2, 1);
  d.program(d.all(), "p", [](PeProgram& pe) {
    pe.at_start(pe.array<Half>("h", 1), [](int x, int) { return std::vector<PeValue>{x * 1e5}; });
  });
  expect_error(
      ErrorCategory::program, [&] { (void)d.fabric(); },
      "invalid values of h at PE (1, 0) (invalid number of type Half: 100000: the largest");
}

TEST(Sizes, AreCountedInFull) {
  const auto refused = [](const std::vector<int>& extents, const std::string& message) {
    expect_refused([&](PeProgram& pe) { pe.array("u", ElementType::f32, extents); }, message);
    expect_error(
        ErrorCategory::program,
        [&] { (void)PeVector::in_memory("u", ElementType::f32, 0, extents); }, "no room for u");
  };
  refused({46341, 46341}, "no room for u (8589953124 bytes) (a PE has 48 KB");
  refused({256, 256, 256, 256}, "no room for u (17179869184 bytes)");
  refused({65535, 65535, 65535, 65535}, "no room for u (2^64 bytes or more)");
  refused({65535, 5}, "no room for u (1310700 bytes)");
  expect_refused([](PeProgram& pe) { pe.array<float>("u", 2).tiled(65535).tiled(65535); },
                 "cannot repeat u 65535 times");
  ProgramBuilder b("p");
  expect_error(
      ErrorCategory::program, [&] { b.reserve<float>("u", std::numeric_limits<int>::max()); },
      "no room for u (8589934588 bytes)");
  expect_error(
      ErrorCategory::program, [&] { b.reserve<float>("u", -1); }, "no room for u");
}

TEST(Numbers, OfFieldsAreInTheirRange) {
  expect_refused([](PeProgram& pe) { pe.dfabin(Dsr{0}, 256); }, "has an operand out of range");
  expect_refused([](PeProgram& pe) { pe.dfabout(Dsr{0}, -1, 3); }, "has an operand out of range");
  expect_refused([](PeProgram& pe) { pe.li(Reg{16}, 1); }, "has an operand out of range");
  expect_refused([](PeProgram& pe) { pe.input_queue({24}, 0); }, "there is no color 24");
  expect_refused([](PeProgram& pe) { pe.output_queue({-1}, 0); }, "there is no color -1");
  for (const int entry : {-1, 31, 64, 256})
    expect_refused([&](PeProgram& pe) { pe.on_control(entry, [](PeScalar) {}); }, "start no task");
  expect_refused(
      [](PeProgram& pe) {
        pe.send({1}, pe.array<float>("v", 2)).then_activate({TaskKind::local, 200});
      },
      "vmov32 names task 200, which does not exist");
  for (const int count : {-1, 65536})
    expect_refused([&](PeProgram& pe) { pe.from({1}, count); }, "invalid count of a stream");
  Design d(1, 1);
  expect_error(
      ErrorCategory::program, [&] { d.control_entry("none", 31); },
      "invalid control entry of none: 31");
  for (const int entry : {-1, 64, std::numeric_limits<int>::max()}) {
    ControlWavelet w;
    w.entry = entry;
    expect_error(
        ErrorCategory::usage, [&] { (void)w.payload(); }, "a control wavelet has no entry");
  }
  ControlWavelet w;
  w.slots[0].command = static_cast<ControlWavelet::Command>(4);
  expect_error(
      ErrorCategory::usage, [&] { (void)w.payload(); }, "a control wavelet has no command 4");
}

TEST(Advice, Works) {
  const auto refused = [](const auto& use, const std::string& advice) {
    expect_refused(
        [&](PeProgram& pe) {
          use(pe, pe.array<float>("f", 2), pe.array<std::int32_t>("i", 2), pe.array<Half>("h", 2));
        },
        advice);
  };
  refused([](auto& pe, auto f, auto i, auto) { pe.copy(f, i); },
          "declare them with one type, or convert the numbers on the host");
  refused([](auto& pe, auto f, auto, auto h) { pe.mul(f, f, h); }, "convert one of them with copy");
  refused([](auto& pe, auto, auto i, auto) { pe.mul(i, i, 2); },
          "(it takes float, Half); declare vectors of such a type");
  refused([](auto& pe, auto, auto i, auto) { pe.absolute(i, i); },
          "(it takes float, Half); declare vectors of such a type");
  refused([](auto& pe, auto, auto,
             auto) { pe.fill(pe.template array<std::complex<float>>("c", 2), 1); },
          "declare their real and imaginary parts as vectors of real numbers");
  refused(
      [](auto& pe, auto, auto, auto) {
        const PeVector c = pe.template array<std::complex<float>>("c", 2);
        pe.copy(c, c);
      },
      "declare their real and imaginary parts as vectors of real numbers");
}

}  // namespace
}  // namespace weft::test::numbers_test
