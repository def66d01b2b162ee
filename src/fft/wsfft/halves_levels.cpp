// The queues of levels. A queue holds one color at a time, so those of levels that may go on at the
// same time differ; and an instruction that sends has the microthread of its output queue, which no
// level under way may receive with. The small levels are over before the large ones begin. Rows and
// columns share queues where they must: there is a superstep between them, and one that came too
// early would be a fault.
#include <bit>

#include "fft/wsfft/halves.hpp"

namespace weft::wsfft {
namespace {

struct Queues {
  int in, out;
};

/// By axis and level. Chosen: the first two levels, which have nearly all wavelets, receive by
/// queues that take one in each cycle, and the first sends by a deep one.
constexpr Queues kQueues[2][6] = {{{1, 2}, {3, 0}, {6, 4}, {7, 5}, {4, 1}, {5, 3}},
                                  {{0, 3}, {2, 1}, {7, 5}, {6, 4}, {4, 0}, {5, 2}}};
constexpr int kColorsOfAnAxis = 12;

/// As many filters as the published form takes. A third level with filters would save 2 % at most.
constexpr int kLevelsWithFilters = 2;

}  // namespace

bool has_halves(int p) {
  return p <= kLongestByHalves && std::has_single_bit(static_cast<unsigned>(p));
}

int levels_of(int p) { return std::bit_width(static_cast<unsigned>(p)) - 1; }

int filters_of_halves(int p) {
  int filters = 0;
  for (int number = 0; number < levels_of(p); ++number)
    if (level_of(Axis::row, p, number).filters) ++filters;
  return filters;
}

Level level_of(Axis axis, int p, int number) {
  const int of_axis = axis == Axis::row ? 0 : 1, half = p >> (number + 1);
  const int color = of_axis * kColorsOfAnAxis + 2 * number;
  const Queues& queues = kQueues[of_axis][number];
  return {number,    half,       half > 1 && number < kLevelsWithFilters,
          queues.in, queues.out, {color, color + 1}};
}

}  // namespace weft::wsfft
