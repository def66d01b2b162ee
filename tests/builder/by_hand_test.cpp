#include <gtest/gtest.h>

#include <bit>
#include <functional>
#include <map>
#include <utility>

#include "run.hpp"

/// Cannon's product and the stencil, as program functions with patterns and as a person writes them
/// with numbers: the program takes no more cycles.
namespace weft::test::by_hand_test {
namespace {

constexpr int kPes = 4, kBlock = 4, kElements = kBlock * kBlock;

/// The colors of a PE by the routes of a design: for each, the queue from the router (or -1, where
/// its core sends).
std::map<int, int> colors_at(const Layout& layout, int x, int y) {
  std::map<int, int> colors;
  for (const Layout::Routing& r : layout.routings()) {
    const Rect& w = r.where;
    if (x < w.x || x >= w.x + w.width || y < w.y || y >= w.y + w.height) continue;
    if (r.route.rx.has(Port::ramp)) colors[r.color] = -1;
    if (r.route.tx.has(Port::ramp)) colors[r.color] = *r.route.input_queue;
  }
  return colors;
}

/// The design's routes, with programs of a person's own.
Layout with_programs(const Layout& design, const std::function<Program(int x, int y)>& program) {
  Layout layout(design.width(), design.height());
  for (const Layout::Routing& r : design.routings()) layout.route(r.where, r.color, r.route);
  for (int y = 0; y < design.height(); ++y)
    for (int x = 0; x < design.width(); ++x) layout.place({x, y, 1, 1}, program(x, y));
  return layout;
}

/// The cycle that each PE notes last, and its result.
using Outcome = std::pair<std::vector<std::int32_t>, std::vector<float>>;
Outcome outcome(Fabric fabric, const Rect& all, const std::vector<std::string>& inputs,
                const std::string& result) {
  std::size_t seed = 1;
  for (const std::string& input : inputs) {
    std::vector<float> values(fabric.elements(all, input, ElementType::f32) *
                              static_cast<std::size_t>(all.width * all.height));
    for (float& v : values) v = static_cast<float>(seed++ * 7 % 11);
    fabric.write(all, input, values);
  }
  fabric.run_until_idle(kFarLimit);
  return {fabric.read<std::int32_t>(all, "end"), fabric.read<float>(all, result)};
}

void expect_no_slower(const Outcome& program, const Outcome& by_hand) {
  EXPECT_EQ(program.second, by_hand.second);
  for (std::size_t i = 0; i < by_hand.first.size(); ++i)
    EXPECT_LE(program.first[i], by_hand.first[i]) << "PE " << i;
}

void note_end(PeProgram& pe) {
  const PeVector end = pe.array<std::int32_t>("end", 1);
  const PeScalar now = pe.scalar<std::int32_t>("now");
  pe.tsc(now);
  pe.store(end, now);
}

Design cannon() {
  Design design(kPes, kPes);
  const RingShift rows(design, design.all(), Along::rows);
  const RingShift columns(design, design.all(), Along::columns);
  design.program(design.all(), "cannon", [&](PeProgram& pe) {
    PeVector a = pe.array<float>("a", {kBlock, kBlock}), b = pe.array<float>("b", {kBlock, kBlock});
    const PeVector c = pe.array<float>("c", {kBlock, kBlock});
    PeVector next_a = pe.array<float>("next a", {kBlock, kBlock});
    PeVector next_b = pe.array<float>("next b", {kBlock, kBlock});
    pe.repeat(kPes / 2, [&] {
      for (int twice = 0; twice < 2; ++twice) {
        std::vector<PeOperation> moves = rows.start(pe, a, next_a);
        for (const PeOperation& move : columns.start(pe, b, next_b)) moves.push_back(move);
        for (int k = 0; k < kBlock; ++k)
          pe.multiply_add(c, a.column(k).repeated(kBlock), b.row(k).tiled(kBlock));
        pe.wait(moves);
        std::swap(a, next_a);
        std::swap(b, next_b);
      }
    });
    note_end(pe);
  });
  return design;
}

/// Sixteen descriptors: eleven that stay, three for the block of a and two for that of b, in turn.
Program cannon_by_hand(const std::map<int, int>& colors) {
  ProgramBuilder p("cannon by hand");
  const auto address = [&](const char* name) {
    return static_cast<int>(p.reserve<float>(name, kElements).address);
  };
  const int at_a[] = {address("a"), 0}, at_b[] = {address("b"), 0}, c = address("c");
  const int a[] = {at_a[0], address("next a")}, b[] = {at_b[0], address("next b")};
  const auto end = static_cast<int>(p.reserve<std::int32_t>("end", 1).address);
  const ShapeId repeated = p.shape({{kBlock, kBlock}, {kBlock, 0}});
  const ShapeId tiled = p.shape({{kBlock, 0}, {kBlock, 1}});
  const Reg zero{1}, left{2};
  const Dsr whole_a[] = {{0}, {1}}, whole_b[] = {{2}, {3}}, sum{4}, column{15}, row{14};
  std::vector<Dsr> out, in;
  p.start(p.local_task(0));
  p.li(zero, 0);
  for (const auto& [d, at] : {std::pair{whole_a[0], a[0]},
                              {whole_a[1], a[1]},
                              {whole_b[0], b[0]},
                              {whole_b[1], b[1]},
                              {sum, c}}) {
    p.dbase(d, at);
    p.dstride(d, 1);
    p.dlen(d, kElements);
  }
  // The first two colors are the rings of rows, the others those of columns.
  std::uint8_t next = 5;
  int queue = 3;
  for (const auto& [color, input] : colors) {
    const Dsr d{next++};
    if (input < 0) {
      p.dfabout(d, queue--, color);
      out.push_back(d);
    } else {
      p.dfabin(d, input);
      p.dlen(d, kElements);
      in.push_back(d);
    }
  }
  p.li(left, kPes / 2);
  const Label again = p.label();
  p.place(again);
  int task = 1;
  for (const int now : {0, 1}) {
    const auto option = [&](VectorOptions::AtEnd at_end, int id) {
      return VectorOptions{true, at_end, TaskKind::local, static_cast<std::uint8_t>(id)};
    };
    using AtEnd = VectorOptions::AtEnd;
    p.vmov32(out[0], whole_a[now], option(AtEnd::activate, task));
    p.vmov32(whole_a[1 - now], in[0], option(AtEnd::unblock, task));
    p.vmov32(out[1], whole_b[now], option(AtEnd::unblock, task + 1));
    p.vmov32(whole_b[1 - now], in[1], option(AtEnd::unblock, task + 2));
    for (int k = 0; k < kBlock; ++k) {
      p.dbase(column, a[now] + 4 * k);
      p.dshape(column, repeated);
      p.dbase(row, b[now] + 4 * kBlock * k);
      p.dshape(row, tiled);
      p.vfmacs(sum, column, row);
    }
    p.end();
    for (int k = 0; k < 3; ++k, ++task) {
      const Task join = p.local_task(task);
      p.start_blocked(join);
      p.block(join);
      if (k == 2) continue;
      p.activate({TaskKind::local, static_cast<std::uint8_t>(task + 1)});
      p.end();
    }
  }
  p.addi(left, left, -1);
  p.bne(left, zero, again);
  p.tsc(left);
  p.sw(left, zero, end);
  p.end();
  return p.build();
}

TEST(ByHand, CannonTakesNoMoreCyclesAsAProgramFunction) {
  const Design design = cannon();
  const Layout layout = design.layout();
  const Layout by_hand =
      with_programs(layout, [&](int x, int y) { return cannon_by_hand(colors_at(layout, x, y)); });
  expect_no_slower(outcome(design.fabric(), design.all(), {"a", "b"}, "c"),
                   outcome(Fabric(by_hand, Machine{}), design.all(), {"a", "b"}, "c"));
}

constexpr int kRows = 8, kHalo = kRows + 2, kSteps = 5;

Design stencil() {
  Design design(kPes, kPes);
  const HaloExchange halo(design, design.all());
  design.program(design.all(), "stencil", [&](PeProgram& pe) {
    const PeVector u = pe.array<float>("u", {kHalo, kHalo});
    const PeVector next = pe.array<float>("next", {kRows, kRows});
    const auto points = [&](int down, int right) {
      return u.block(1 + down, 1 + right, kRows, kRows);
    };
    pe.repeat(kSteps, [&] {
      halo.exchange(pe, u);
      pe.add(next, points(-1, 0), points(1, 0));
      pe.add(next, next, points(0, -1));
      pe.add(next, next, points(0, 1));
      pe.add(next, next, points(0, 0));
      pe.mul(points(0, 0), next, 0.2);
    });
    note_end(pe);
  });
  return design;
}

/// One direction of the exchange: colors, and the element of u where a border and a halo begin.
struct Side {
  bool sends, receives;
  int out, in, border, halo;
  bool column;
};

/// Ten descriptors stay: streams, `next` and the block. A column and a row of u, to send and to
/// receive, have one each, of which only the base changes; so have the two neighbours of points.
Program stencil_by_hand(int x, int y, const std::map<int, int>& colors) {
  const bool west = x > 0, east = x + 1 < kPes, north = y > 0, south = y + 1 < kPes;
  const Side sides[] = {{east, west, 0, 1, kHalo + kRows, kHalo, true},
                        {west, east, 2, 3, kHalo + 1, kHalo + kRows + 1, true},
                        {south, north, 4, 5, kRows * kHalo + 1, 1, false},
                        {north, south, 6, 7, kHalo + 1, (kRows + 1) * kHalo + 1, false}};
  ProgramBuilder p("stencil by hand");
  const auto u = static_cast<int>(p.reserve<float>("u", kHalo * kHalo).address);
  const auto next_at = static_cast<int>(p.reserve<float>("next", kRows * kRows).address);
  const auto end = static_cast<int>(p.reserve<std::int32_t>("end", 1).address);
  const ShapeId block = p.shape({{kRows, kHalo}, {kRows, 1}});
  const Reg zero{1}, left{2}, fifth{3};
  const Dsr next{8}, middle{9}, from[] = {{10}, {11}}, into[] = {{12}, {13}}, one{14}, other{15};
  p.start(p.local_task(0));
  p.li(zero, 0);
  p.li(fifth, static_cast<std::int32_t>(std::bit_cast<std::uint32_t>(0.2F)));
  p.dbase(next, next_at);
  p.dstride(next, 1);
  p.dlen(next, kRows * kRows);
  const auto points = [&](Dsr d, int down, int right) {
    p.dbase(d, u + 4 * ((1 + down) * kHalo + 1 + right));
    p.dshape(d, block);
  };
  points(middle, 0, 0);
  for (const bool column : {false, true}) {
    p.dstride(from[column ? 1 : 0], column ? kHalo : 1);
    p.dlen(from[column ? 1 : 0], kRows);
    p.dstride(into[column ? 1 : 0], column ? kHalo : 1);
  }
  const int queues[] = {3, 2, 4, 5};
  for (std::uint8_t k = 0; k < 4; ++k) {
    if (sides[k].sends) p.dfabout({k}, queues[k], sides[k].out);
    if (!sides[k].receives) continue;
    const Dsr d{static_cast<std::uint8_t>(4 + k)};
    p.dfabin(d, colors.at(sides[k].in));
    p.dlen(d, kRows);
  }
  p.li(left, kSteps);
  const Label again = p.label();
  p.place(again);
  int operations = 0;
  const auto option = [&] {
    const int n = operations++;
    return VectorOptions{true,
                         n == 0 ? VectorOptions::AtEnd::activate : VectorOptions::AtEnd::unblock,
                         TaskKind::local, static_cast<std::uint8_t>(n == 0 ? 1 : n)};
  };
  for (std::uint8_t k = 0; k < 4; ++k) {
    const std::size_t kind = sides[k].column ? 1 : 0;
    if (sides[k].sends) {
      p.dbase(from[kind], u + 4 * sides[k].border);
      p.vmov32({k}, from[kind], option());
    }
    if (!sides[k].receives) continue;
    p.dbase(into[kind], u + 4 * sides[k].halo);
    p.vmov32(into[kind], {static_cast<std::uint8_t>(4 + k)}, option());
  }
  p.end();
  for (int task = 1; task < operations; ++task) {
    const Task join = p.local_task(task);
    p.start_blocked(join);
    p.block(join);
    if (task + 1 == operations) break;
    p.activate({TaskKind::local, static_cast<std::uint8_t>(task + 1)});
    p.end();
  }
  points(one, -1, 0);
  points(other, 1, 0);
  p.vfadds(next, one, other);
  points(one, 0, -1);
  p.vfadds(next, next, one);
  points(other, 0, 1);
  p.vfadds(next, next, other);
  p.vfadds(next, next, middle);
  p.vfmulsr(middle, next, fifth);
  p.addi(left, left, -1);
  p.bne(left, zero, again);
  p.tsc(left);
  p.sw(left, zero, end);
  p.end();
  return p.build();
}

TEST(ByHand, StencilTakesNoMoreCyclesAsAProgramFunction) {
  const Design design = stencil();
  const Layout layout = design.layout();
  const Layout by_hand = with_programs(
      layout, [&](int x, int y) { return stencil_by_hand(x, y, colors_at(layout, x, y)); });
  expect_no_slower(outcome(design.fabric(), design.all(), {"u"}, "u"),
                   outcome(Fabric(by_hand, Machine{}), design.all(), {"u"}, "u"));
}

}  // namespace
}  // namespace weft::test::by_hand_test
