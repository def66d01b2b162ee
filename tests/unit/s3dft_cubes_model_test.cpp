// The way of the data of S3DFT's form `cubes`, as a model: blocks by their numbers go from PE to PE
// by unit shifts, as the values at launch tell; and the counts of docs/algorithms.md.
#include <gtest/gtest.h>

#include <bit>
#include <complex>
#include <map>
#include <numbers>
#include <set>
#include <vector>

#include "fft/s3dft/cubes/counts.hpp"
#include "fft/s3dft/cubes/placement.hpp"
#include "support/ring_streams.hpp"
#include "weft/fabric.hpp"

namespace weft::test::s3dft_cubes_model_test {
namespace {

using namespace s3dft::cubes;
using s3dft::cubes::Pe;  // not that of the tests

std::vector<Pe> pes_of(const Tiles& tiles) {
  std::vector<Pe> all;
  for (int y = 0; y < tiles.height(); ++y)
    for (int x = 0; x < tiles.width(); ++x) all.push_back({x, y});
  return all;
}

/// By PE.
using Blocks = std::map<Pe, Node>;

/// What lies in each PE goes on by a unit shift, in those PEs that are to move it.
template <class Moves>
void shift(Blocks& blocks, const Tiles& tiles, Ring ring, Around way, Moves moves) {
  Blocks there;
  for (const auto& [pe, block] : blocks) {
    const Pe to = moves(pe) ? next_of(tiles, ring, way, pe) : pe;
    EXPECT_LE(path(pe, to).size(), 3U) << "rings are folded";
    EXPECT_TRUE(pe.x == to.x || pe.y == to.y);
    EXPECT_TRUE(there.emplace(to, block).second) << "two blocks in a PE";
  }
  blocks = std::move(there);
}

void roll(Blocks& blocks, const Tiles& tiles, Ring ring) {
  for (int k = 0; k < shifts_of(tiles, ring); ++k)
    shift(blocks, tiles, ring, Around::backwards, [](const Pe&) { return true; });
}

/// The blocks of the array where they are multiplied first.
Blocks aligned(const Tiles& tiles, const Stage& stage) {
  Blocks blocks;
  for (const Pe& pe : pes_of(tiles)) blocks[pe] = tiles.node_at(pe);
  for (const Around way : {Around::backwards, Around::onwards})
    for (int done = 0; done < tiles.p() * tiles.p(); ++done)
      shift(blocks, tiles, stage.array, way, [&](const Pe& pe) {
        const Alignment own = alignment_of(tiles, stage, tiles.node_at(pe));
        return own.way == way && own.shifts > done;
      });
  return blocks;
}

class Cubes : public testing::TestWithParam<int> {
 protected:
  const Tiles tiles{GetParam()};
};

TEST_P(Cubes, NodesAreEachInAPe) {
  const int p = tiles.p();
  EXPECT_EQ(tiles.width() * tiles.height(), p * p * p);
  for (const Pe& pe : pes_of(tiles)) EXPECT_EQ(tiles.pe_of(tiles.node_at(pe)), pe);
}

/// In each step of each stage the node multiplies block X of some place by the block of the matrix
/// of that row, and of its own column; after all steps it has had each place once.
TEST_P(Cubes, BlocksMeetTheirCoefficients) {
  const int p = tiles.p();
  for (const Stage& stage : kStage) {
    Blocks array = aligned(tiles, stage), matrix;  // of the matrix: row in i, column in j
    for (const Pe& pe : pes_of(tiles)) {
      const Node node = tiles.node_at(pe);
      matrix[pe] = {first_row(tiles, stage, node), node.*stage.own, 0};
    }
    std::map<Pe, std::set<int>> met;
    for (int step = 0; step < p; ++step) {
      for (const Pe& pe : pes_of(tiles)) {
        const Node node = tiles.node_at(pe), block = array[pe];
        EXPECT_EQ(block.*stage.own, matrix[pe].i);
        EXPECT_EQ(node.*stage.own, matrix[pe].j);
        for (int Node::*index : {&Node::i, &Node::j, &Node::k})
          EXPECT_TRUE(index == stage.own || block.*index == node.*index);
        met[pe].insert(matrix[pe].i);
      }
      roll(array, tiles, stage.array);
      roll(matrix, tiles, stage.factors);
    }
    for (const auto& [pe, rows] : met) EXPECT_EQ(rows.size(), static_cast<std::size_t>(p));
  }
}

TEST_P(Cubes, CoefficientsLieWhereTheyAreMetFirst) {
  const Transform t{tiles, 2, FftPrecision::fp32, FftDirection::inverse, 1};
  const TransformProgram program = build_transform(t);
  Fabric fabric(lay_out(program.program, t), Machine{});
  write_factors(fabric, t, program, 2);
  for (std::size_t number = 0; number < kStages; ++number)
    for (const Pe& pe : pes_of(tiles)) {
      const Node node = tiles.node_at(pe);
      std::vector<std::uint32_t> words(8);
      fabric.read({pe.x, pe.y, 1, 1}, program.factors[number].address, words);
      for (int row = 0; row < 2; ++row)
        for (int column = 0; column < 2; ++column) {
          const auto at = static_cast<std::size_t>(2 * row + column);
          const int product = (2 * first_row(tiles, kStage[number], node) + row) *
                              (2 * (node.*kStage[number].own) + column);
          const std::complex<float> is{std::bit_cast<float>(words[at]),
                                       std::bit_cast<float>(words[4 + at])};
          EXPECT_LT(std::abs(is - std::polar(1.0F, 2 * std::numbers::pi_v<float> *
                                                       static_cast<float>(product % t.n()) /
                                                       static_cast<float>(t.n()))),
                    1e-5F);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Nodes, Cubes, testing::Values(2, 4, 8), testing::PrintToStringParamName());

/// Planes side by side, as many PEs wide as high: nodes that follow one another along i are p PEs
/// apart, and their streams lie over one another. Colors: the most that pass a router.
TEST(CubesCounts, PlanesSideBySideTakeAColorForEachOfTheirColumns) {
  for (const int p : {4, 8, 16})  // a roll of p blocks on a link
    EXPECT_EQ(streams_of_rings(p, p, {-1}), (StreamCounts{2 * p + 1, p})) << p;
}

TEST(CubesCounts, TilesTakeTheirColorsWhateverTheirNumber) {
  for (const auto& [p, colors] : {std::pair{2, 4}, {4, 4}, {8, 5}, {16, 5}, {64, 5}})
    EXPECT_EQ(Codes(Tiles(p)).colors_of_tiles(), colors) << p;
}

/// One roll of the array by p^3 nodes: a b^3 numbers on a link along k, b^3 along i.
TEST(CubesCounts, ARollAlongKTakesAsManyUnitShiftsAsATileIsWide) {
  for (const auto& [p, across, down] :
       {std::tuple{2, 2, 1}, {4, 2, 2}, {8, 4, 2}, {16, 4, 4}, {64, 8, 8}}) {
    const Tiles tiles(p);
    EXPECT_EQ(shifts_of(tiles, Ring::k), across);
    EXPECT_EQ(shifts_of(tiles, Ring::j), down);
    EXPECT_EQ(shifts_of(tiles, Ring::i), 1);
  }
}

/// The paper's Figure 5: the smallest blocks whose products take as long as their roll.
TEST(CubesCounts, RollsHideBehindProductsOfSmallBlocks) {
  struct Row {
    int p, fp32, fp16;
  };
  for (const auto& [p, fp32, fp16] : {Row{2, 2, 3}, {4, 2, 3}, {16, 3, 4}, {64, 5, 5}})
    for (const FftPrecision precision : {FftPrecision::fp32, FftPrecision::fp16}) {
      int side = 1;
      const auto hides = [&, p = p] {
        const Transform t{Tiles(p), side, precision, FftDirection::forward, 1};
        return product_cycles(t, kStage[0]) >= roll_cycles(t, kStage[0]);
      };
      while (!hides()) ++side;
      EXPECT_EQ(side, precision == FftPrecision::fp32 ? fp32 : fp16) << p;
    }
}

}  // namespace
}  // namespace weft::test::s3dft_cubes_model_test
