// Elements of PEs that are at the same words of memory, or not, are those of the reference: of each
// vector instruction, as source and destination of a stream.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "isa/info.hpp"
#include "weft/weft.hpp"

namespace weft::test::element_rows_test {
namespace {

constexpr int kWidth = 16, kHeight = 4, kLength = 9, kWords = 64, kQueue = 2;
constexpr Dsr kD{0}, kA{1}, kB{2};
constexpr Reg kScalar{2}, kX{3}, kOffset{4};

enum class Role { sends, takes };

std::uint8_t second_source(isa::OperandKind kind) {
  if (kind == isa::OperandKind::none) return 0;
  return kind == isa::OperandKind::scalar ? kScalar.index : kB.index;
}

/// In the PEs of even columns the instruction's destination is a stream, in the others its first
/// source is; a plain move is at the other end. `displaced`: by so many elements, in memory.
Program program(Op op, Role role, bool computes, int displaced) {
  ProgramBuilder p(role == Role::sends ? "sends" : "takes");
  const auto words = static_cast<int>(p.reserve<std::uint32_t>("words", kWords).address);
  p.start(p.local_task(0));
  p.li(kScalar, 0x3e004203);
  p.xcoord(kX);
  p.shri(kX, kX, 3);
  p.shli(kOffset, kX, 2);  // the eastern half is a word further
  const isa::Widths widths = isa::widths_of(isa::cost_of(op));
  const auto memory = [&](Dsr d, unsigned bytes, int first, int stride) {
    const auto size = static_cast<int>(computes ? bytes : 4U);
    p.dbaser(d, kOffset, words + first * 4 + (size == 2 ? 2 : 0) + displaced * size);
    p.dlen(d, kLength);
    p.dstride(d, stride);
  };
  memory(kD, widths.bytes[0], 0, 1);
  memory(kA, widths.bytes[1], 20, 2);
  memory(kB, widths.bytes[2], 40, 1);
  if (role == Role::sends) {
    p.dfabout(kD, kQueue, 0);
  } else {
    p.dfabin(kA, kQueue);
    p.dlen(kA, kLength);
  }
  const isa::FormatInfo& format = isa::info(isa::format_of(op));
  if (computes)
    p.instruction({op, kD.index, format.a == isa::OperandKind::none ? std::uint8_t{0} : kA.index,
                   second_source(format.b)});
  else
    p.vmov32(kD, kA);
  p.end();
  return p.build();
}

Layout layout(Op op, Role computing) {
  Layout layout(kWidth, kHeight);
  for (const Role role : {Role::sends, Role::takes}) {
    const bool computes = role == computing;
    const ProgramHandle most = layout.add(program(op, role, computes, 0)),
                        other = layout.add(program(op, role, computes, 3));
    for (int y = 0; y < kHeight; ++y)
      for (int x = role == Role::sends ? 0 : 1; x < kWidth; x += 2)
        layout.place({x, y, 1, 1}, x / 2 == y ? other : most);
  }
  Route in{.rx = Port::west, .tx = Port::ramp};
  in.input_queue = kQueue;
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x)
      layout.route({x, y, 1, 1}, 0, x % 2 == 0 ? Route{.rx = Port::ramp, .tx = Port::east} : in);
  return layout;
}

struct Result {
  std::vector<std::uint32_t> memory;
  std::uint64_t cycle = 0;
  bool operator==(const Result&) const = default;
};

Result run(const Layout& layout, const FabricOptions& options) {
  Fabric fabric(layout, Machine{}, options);
  const Rect all{0, 0, kWidth, kHeight};
  std::mt19937 random(17);
  std::vector<std::uint32_t> words(std::size_t{kWidth} * kHeight * kWords);
  for (std::uint32_t& word : words)  // also numbers that are near each other, of both sizes
    word = random() % 2 == 0 ? static_cast<std::uint32_t>(random()) : 0x3c003c00U + random() % 4096;
  fabric.write<std::uint32_t>(all, "words", words);
  fabric.run_until_idle(10'000);
  return {fabric.read<std::uint32_t>(all, "words"), fabric.cycle()};
}

std::vector<Op> vector_instructions() {
  std::vector<Op> ops;
  for (int i = 0; i < isa::kInstructions; ++i)
    if (isa::is_vector(isa::format_of(static_cast<Op>(i)))) ops.push_back(static_cast<Op>(i));
  return ops;
}

class ElementRows : public testing::TestWithParam<Op> {};

TEST_P(ElementRows, AreTheReferencesElements) {
  const Op op = GetParam();
  const bool takes = isa::info(isa::format_of(op)).a != isa::OperandKind::none;
  for (const Role role : {Role::sends, Role::takes}) {
    if (role == Role::takes && !takes) continue;
    const Layout both = layout(op, role);
    const Result expected = run(both, {.engine = Engine::reference});
    FabricOptions options;
    options.accelerate.by_line = false;
    EXPECT_EQ(run(both, options), expected) << (role == Role::sends ? "sends" : "takes");
    options.accelerate.element_rows = false;
    EXPECT_EQ(run(both, options), expected) << "one by one";
  }
}

INSTANTIATE_TEST_SUITE_P(Instructions, ElementRows, testing::ValuesIn(vector_instructions()),
                         [](const auto& op) { return std::string(mnemonic(op.param)); });

}  // namespace
}  // namespace weft::test::element_rows_test
