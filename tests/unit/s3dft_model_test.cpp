// The way of S3DFT's data, as a model: complex numbers in double precision, PEs by their places in
// rings, and one hop from a place to the one before it in each step. What each PE multiplies is
// told by the values that it has at launch, and nothing else.
#include <gtest/gtest.h>

#include <bit>
#include <complex>
#include <map>
#include <numbers>
#include <vector>

#include "fft/s3dft/placement.hpp"
#include "fft/s3dft/program.hpp"
#include "io/volume_file.hpp"
#include "reference/reference.hpp"
#include "weft/fabric.hpp"
#include "weft/patterns.hpp"

namespace weft::test::s3dft_model_test {
namespace {

using Number = std::complex<double>;
using s3dft::Axis;

/// A PE's pencils: x[k][j] along axis 0.
using Block = std::vector<std::vector<std::vector<Number>>>;

Number root(std::int64_t index, int n) {
  return std::polar(1.0, 2 * std::numbers::pi * static_cast<double>(index % n) / n);
}

struct Model {
  s3dft::Transform t;
  std::map<std::pair<int, int>, Block> x;  ///< by PE of the mesh
  int steps = 0;

  int n(int axis) const { return t.division.sides[static_cast<std::size_t>(axis)]; }

  /// What lies in each PE goes to the PE at the place before in its row or column.
  template <class What>
  void roll(std::map<std::pair<int, int>, What>& what, Axis ring) {
    const int p = t.division.along(ring);
    std::map<std::pair<int, int>, What> there;
    for (auto& [pe, value] : what) {
      const auto [x_at, y_at] = pe;
      const int from = ring == Axis::row ? x_at : y_at;
      const int to = RingShift::pe_at((RingShift::place_of(from, p) + p - 1) % p, p);
      EXPECT_LE(std::abs(to - from), 2) << "rings are folded";
      there[ring == Axis::row ? std::pair{to, y_at} : std::pair{x_at, to}] = std::move(value);
    }
    what = std::move(there);
    ++steps;
  }

  /// Stages 1 and 2: an index of the table of roots for each product, counted down from what the PE
  /// was given.
  void roll_array(const s3dft::Stage& stage, std::size_t number) {
    const int p = t.division.along(stage.ring), bytes = 2 * t.part_bytes();
    struct Counting {
      std::int64_t k, root, step;
    };
    std::map<std::pair<int, int>, Counting> counting;
    std::map<std::pair<int, int>, Block> sums, under_way = x;
    const int n_summed = n(stage.summed);
    for (auto& [pe, block] : x) {
      const auto words = s3dft::launch_words(t, pe.first, pe.second);
      const auto word = [&](std::size_t k) {
        return std::int64_t{words[s3dft::kLaunchWords * number + k]} / bytes;
      };
      counting[pe] = {word(1), word(2), word(3)};
      sums[pe] =
          Block(block.size(),
                std::vector(block[0].size(), std::vector<Number>(static_cast<std::size_t>(n(0)))));
    }
    for (int step = 0; step < p; ++step) {
      if (step > 0) roll(under_way, stage.ring);
      for (auto& [pe, block] : under_way) {
        Counting& c = counting[pe];
        Block& y = sums[pe];
        const std::size_t others = stage.summed == 2 ? block[0].size() : block.size();
        const std::size_t along = stage.summed == 2 ? block.size() : block[0].size();
        for (std::size_t source = 0; source < along; ++source) {
          std::int64_t index = c.root;
          for (std::size_t result = 0; result < along; ++result) {
            const Number factor = root(index, n_summed);  // conj(c)^index
            for (std::size_t other = 0; other < others; ++other)
              for (std::size_t l = 0; l < static_cast<std::size_t>(n(0)); ++l) {
                if (stage.summed == 2)
                  y[result][other][l] += block[source][other][l] * factor;
                else
                  y[other][result][l] += block[other][source][l] * factor;
              }
            index = (index - c.k + n_summed) % n_summed;
          }
          c.root = (c.root - c.step + n_summed) % n_summed;
          c.k = (c.k + 1) % n_summed;
        }
      }
    }
    x = std::move(sums);
  }

  /// Stage 3: rows of the matrix go round, and x(l) meets row l.
  void roll_matrix(const s3dft::Stage& stage) {
    const int p = t.division.along(stage.ring), n0 = n(0);
    std::map<std::pair<int, int>, s3dft::MatrixRows> rows;
    std::map<std::pair<int, int>, Block> sums;
    for (const auto& [pe, block] : x) {
      rows[pe] = s3dft::rows_of(
          n0, t.division.part_at(stage.ring == Axis::row ? pe.first : pe.second, stage.ring), p);
      sums[pe] =
          Block(block.size(),
                std::vector(block[0].size(), std::vector<Number>(static_cast<std::size_t>(n0))));
    }
    for (int step = 0; step < p; ++step) {
      if (step > 0) roll(rows, stage.ring);
      for (const auto& [pe, block] : x)
        for (int row = 0; row < rows[pe].count; ++row)
          for (std::size_t k = 0; k < block.size(); ++k)
            for (std::size_t j = 0; j < block[k].size(); ++j)
              for (int i = 0; i < n0; ++i) {
                const int l = rows[pe].first + row;
                sums[pe][k][j][static_cast<std::size_t>(i)] +=
                    block[k][j][static_cast<std::size_t>(l)] *
                    std::conj(root(std::int64_t{l} * i, n0));
              }
    }
    x = std::move(sums);
  }
};

/// A number of the array in its PE.
template <class F>
void for_numbers(const s3dft::Division& d, F f) {
  const int bx = s3dft::numbers_along_x(d), by = s3dft::numbers_along_y(d);
  for (int i = 0; i < d.sides[0]; ++i)
    for (int j = 0; j < d.sides[1]; ++j)
      for (int k = 0; k < d.sides[2]; ++k)
        f(static_cast<std::size_t>((i * d.sides[1] + j) * d.sides[2] + k),
          std::pair{RingShift::pe_at(k / bx, d.px), RingShift::pe_at(j / by, d.py)},
          static_cast<std::size_t>(k % bx), static_cast<std::size_t>(j % by),
          static_cast<std::size_t>(i));
}

TEST(S3dftModel, IsTheFourierTransform) {
  struct Case {
    int n0, n1, n2, px, py;
  };
  for (const auto& [n0, n1, n2, px, py] :
       {Case{8, 8, 8, 8, 8}, Case{8, 8, 8, 4, 2}, Case{6, 6, 6, 3, 3}, Case{5, 4, 6, 3, 2},
        Case{7, 5, 9, 9, 5}, Case{3, 6, 4, 2, 6}}) {
    s3dft::Division d{{n0, n1, n2}, px, py};
    d.ring = true;
    Model model{s3dft::transform_of(d, FftPrecision::fp32, FftDirection::forward, FftNorm::backward,
                                    S3dftForm::held),
                {}};
    const Volume input = io::random_volume(
        {static_cast<std::size_t>(n0), static_cast<std::size_t>(n1), static_cast<std::size_t>(n2)},
        3);
    const Block empty(static_cast<std::size_t>(n2 / px),
                      std::vector(static_cast<std::size_t>(n1 / py),
                                  std::vector<Number>(static_cast<std::size_t>(n0))));
    for_numbers(d, [&](std::size_t at, auto pe, std::size_t k, std::size_t j, std::size_t i) {
      model.x.try_emplace(pe, empty).first->second[k][j][i] = Number(input.data[at]);
    });
    const auto stages = s3dft::stages_of(d);
    model.roll_array(stages[0], 0);
    model.roll_array(stages[1], 1);
    model.roll_matrix(stages[2]);
    const auto expected = reference::fftw(input, FftDirection::forward);
    for_numbers(d, [&](std::size_t at, auto pe, std::size_t k, std::size_t j, std::size_t i) {
      EXPECT_LT(std::abs(model.x[pe][k][j][i] - expected[at]), 1e-9);
    });
    EXPECT_EQ(model.steps, px - 1 + py - 1 + std::max(px, py) - 1);
  }
}

/// A PE by its places in the ring of a stage and in that of the other axis.
struct Places {
  const s3dft::Stage& stage;
  int p;

  std::pair<int, int> pe(int own, int other) const {
    const int a = RingShift::pe_at(own % p, p), b = RingShift::pe_at(other % p, p);
    return stage.ring == Axis::row ? std::pair{a, b} : std::pair{b, a};
  }
};

/// By places: the number of the block of the array that a PE has when all are aligned, as the
/// values at launch tell its way.
std::map<std::pair<int, int>, int> aligned(const s3dft::Transform& t, const Places& places,
                                           std::size_t number) {
  std::map<std::pair<int, int>, int> blocks;
  const int p = places.p;
  for (int own = 0; own < p; ++own)
    for (int other = 0; other < p; ++other) {
      const auto [x, y] = places.pe(own, other);
      const auto words = s3dft::launch_words(t, x, y);
      const auto count = static_cast<int>(words[s3dft::kLaunchWords * number + 1]);
      const bool onwards = words[s3dft::kLaunchWords * number + 2] >= 3;
      EXPECT_LE(count, p / 2) << "the shorter way round";
      blocks[{(own + (onwards ? count : p - count)) % p, other}] = own;
    }
  EXPECT_EQ(blocks.size(), static_cast<std::size_t>(p * p));
  return blocks;
}

/// Cannon: in each step, the coefficients that came along the other axis are those of the block of
/// the array that is there, and of the PE's own numbers.
TEST(S3dftModel, CannonsBlocksMeetTheirCoefficients) {
  for (const auto& [n, p] :
       {std::pair{8, 8}, std::pair{7, 7}, std::pair{6, 3}, std::pair{10, 5}, std::pair{4, 2}}) {
    SCOPED_TRACE(p);
    s3dft::Division d{{n, n, n}, p, p};
    d.ring = true;
    const s3dft::Transform t = s3dft::transform_of(d, FftPrecision::fp32, FftDirection::forward,
                                                   FftNorm::backward, S3dftForm::cannon);
    const s3dft::TransformProgram program = s3dft::build_transform(t);
    Fabric fabric(s3dft::lay_out(program.program, t), Machine{});
    s3dft::write_coefficients(fabric, t, program, 1);
    const int side = n / p;
    for (const std::size_t number : {0, 1}) {
      const s3dft::Stage stage = s3dft::stages_of(d)[number];
      const Places places{stage, p};
      auto blocks = aligned(t, places, number);
      for (int step = 0; step < p; ++step)
        for (int own = 0; own < p; ++own)
          for (int other = 0; other < p; ++other) {
            const auto [x, y] = places.pe(own, other + step);  // where these factors began
            const MemorySpan at =
                s3dft::half_of(program.factors[number], s3dft::first_room(t, stage, x, y));
            std::vector<std::uint32_t> words(at.bytes / 4);
            fabric.read({x, y, 1, 1}, at.address, words);
            const int there = blocks[{(own + step) % p, other}];
            for (int source = 0; source < side; ++source)
              for (int result = 0; result < side; ++result) {
                const auto word = static_cast<std::size_t>(2 * (source * side + result));
                const Number factor{std::bit_cast<float>(words[word]),
                                    std::bit_cast<float>(words[word + 1])};
                const std::int64_t index =
                    std::int64_t{there * side + source} * (own * side + result);
                EXPECT_LT(std::abs(factor - std::conj(root(index, n))), 1e-6);
              }
          }
    }
  }
}

TEST(S3dftModel, PesShareTheRowsOfTheMatrix) {
  for (const int n : {1, 2, 7, 12, 30})
    for (const int p : {1, 2, 5, 12, 30}) {
      int next = 0;
      for (int place = 0; place < p; ++place) {
        const s3dft::MatrixRows rows = s3dft::rows_of(n, place, p);
        if (rows.count > 0) {
          EXPECT_EQ(rows.first, next);
        }
        EXPECT_LE(rows.count, s3dft::most_rows(n, p));
        next += rows.count;
      }
      EXPECT_EQ(next, n);
    }
}

}  // namespace
}  // namespace weft::test::s3dft_model_test
