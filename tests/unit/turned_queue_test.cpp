#include "model/turned_queue.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace weft::test {
namespace {

using namespace model;

constexpr int kQueue = 1;

/// A strip whose queue has gone on by so many columns, of which new words came; and what is on the
/// link then.
template <Port link>
struct Stream {
  StripState strip{};
  std::vector<PortQueue> queues = std::vector<PortQueue>(kQueue + 1);
  View view{};
  std::vector<std::uint32_t> left;

  explicit Stream(int columns) {
    view.port_queues = queues.data();
    strip.way.queue = kQueue;
    std::uint32_t* const payload = queues[kQueue].payload[0].at;
    std::iota(payload, payload + kLanes, 0U);
    for (int n = 0; n < columns; ++n) {
      const std::uint32_t* const last = payload + place_of_last<link>(strip);
      left.insert(left.end(), last, last + kStripHeight);
      std::vector<std::uint32_t> come(kStripHeight);
      std::iota(come.begin(), come.end(), static_cast<std::uint32_t>(1000 + n * kStripHeight));
      copy_column(payload + place_of_last<link>(strip), come.data());
      turn_on<link>(strip);
    }
    turn_back(view, strip);
  }

  /// The columns' first words, from the one where wavelets come in.
  std::vector<std::uint32_t> firsts() const {
    std::vector<std::uint32_t> words;
    for (int lane = 0; lane < kLanes; lane += kStripHeight)
      words.push_back(queues[kQueue].payload[0].at[lane]);
    if (link == Port::west) std::ranges::reverse(words);
    return words;
  }
};

template <Port link>
void expect_in_order(int columns) {
  SCOPED_TRACE(columns);
  const Stream<link> stream(columns);
  std::vector<std::uint32_t> expected;
  for (int n = 0; n < kStripWidth; ++n) {
    const int column = n - columns;  // where it was at first
    expected.push_back(static_cast<std::uint32_t>(
        column < 0 ? 1000 + (columns - 1 - n) * kStripHeight
                   : (link == Port::east ? column : kStripWidth - 1 - column) * kStripHeight));
  }
  EXPECT_EQ(stream.firsts(), expected);
  EXPECT_EQ(stream.strip.turned_by, 0);
}

TEST(TurnedQueue, ColumnsKeepTheirOrder) {
  for (int columns = 0; columns <= 2 * kStripWidth + 1; ++columns) {
    expect_in_order<Port::east>(columns);
    expect_in_order<Port::west>(columns);
  }
}

TEST(TurnedQueue, TheLastColumnLeaves) {
  const Stream<Port::east> east(3);
  EXPECT_EQ(east.left,
            (std::vector<std::uint32_t>{60, 61, 62, 63, 56, 57, 58, 59, 52, 53, 54, 55}));
  const Stream<Port::west> west(2);
  EXPECT_EQ(west.left, (std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5, 6, 7}));
}

}  // namespace
}  // namespace weft::test
