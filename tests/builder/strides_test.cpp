// Views whose stride a register holds.
#include <gtest/gtest.h>

#include <numeric>

#include "expect_error.hpp"
#include "run.hpp"

namespace weft::test::strides_test {
namespace {

constexpr Rect kPe{0, 0, 1, 1};

std::vector<std::int32_t> numbers(int count) {
  std::vector<std::int32_t> all(static_cast<std::size_t>(count));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

/// Row `n` of "out": four elements of u, n + 1 apart.
Design strides(bool many_vectors, bool moved) {
  return one_pe([=](PeProgram& pe) {
    const PeVector u = pe.values("u", numbers(32)), out = pe.array<std::int32_t>("out", {4, 4});
    const PeScalar step = pe.scalar<int>("step"), at = pe.scalar<int>("at");
    const PeVector four = u.slice(0, 4);
    pe.set(at, 4);
    for (int n = 0; n < 4; ++n) {
      pe.set(step, n + 1);
      const PeVector from = moved ? four.moved_by_bytes(at) : four;
      pe.copy(out.row(n), from.strided_by(step));
      pe.add(out.row(n), out.row(n), four);  // the same place with the stride of the array
      pe.sub(out.row(n), out.row(n), four);
    }
    for (int n = 0; n < (many_vectors ? 20 : 0); ++n) {
      const PeVector v = pe.array<std::int32_t>("v" + std::to_string(n), n + 1);
      pe.add(v, v, v);
    }
  });
}

TEST(Strides, OfARegister) {
  for (const bool many_vectors : {false, true})
    for (const bool moved : {false, true}) {
      std::vector<std::int32_t> expected;
      for (int n = 0; n < 4; ++n)
        for (int i = 0; i < 4; ++i) expected.push_back((moved ? 1 : 0) + i * (n + 1));
      const Design d = strides(many_vectors, moved);
      EXPECT_EQ(run(d).read<std::int32_t>(kPe, "out"), expected);
      Fabric checked = d.fabric(test_machine(), test_options(), true);
      checked.run_until_idle(kFarLimit);
      EXPECT_EQ(checked.read<std::int32_t>(kPe, "out"), expected);
    }
}

TEST(Strides, OfADestinationInALoop) {
  const Design d = one_pe([](PeProgram& pe) {
    const PeVector u = pe.array<std::int32_t>("u", 13);
    const PeScalar step = pe.scalar<int>("step");
    pe.range(step, 1, 5, 1, [&] {
      const PeVector part = u.slice(0, 4).strided_by(step);
      pe.add(part, part, 1);
    });
  });
  EXPECT_EQ(run(d).read<std::int32_t>(kPe, "u"),
            (std::vector<std::int32_t>{4, 1, 2, 2, 2, 0, 2, 0, 1, 1, 0, 0, 1}));
}

TEST(Strides, ThatCannotBeAreRefused) {
  const auto refused = [](const char* what,
                          const std::function<void(PeProgram&, PeVector, PeScalar)>& write) {
    expect_error(
        ErrorCategory::program,
        [&] {
          (void)one_pe([&](PeProgram& pe) {
            write(pe, pe.array<float>("u", {4, 4}), pe.scalar<int>("step"));
          });
        },
        what);
  };
  refused("cannot stride u (it has 2 dimensions)",
          [](PeProgram&, const PeVector& u, PeScalar s) { (void)u.strided_by(s); });
  refused("it counts elements", [](PeProgram& pe, const PeVector& u, PeScalar) {
    (void)u.row(0).strided_by(pe.scalar<float>("f"));
  });
  refused("a register strides it already", [](PeProgram&, const PeVector& u, PeScalar s) {
    (void)u.row(0).strided_by(s).strided_by(s);
  });
  refused("u has no slice (a register strides it)",
          [](PeProgram&, const PeVector& u, PeScalar s) { (void)u.row(0).strided_by(s).at(1); });
  refused("a register strides it", [](PeProgram&, const PeVector& u, PeScalar s) {
    (void)u.row(0).strided_by(s).repeated(2);
  });
}

}  // namespace
}  // namespace weft::test::strides_test
