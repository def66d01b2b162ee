#include "fabric/stepper/lines_pay.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "fabric/build/footprint.hpp"
#include "model/lanes/lanes.hpp"

namespace weft::fabric {
namespace {

// Chosen: of a transform with n = 16, whose lines fill a quarter of their bundle, stepping by line
// takes as long.
constexpr std::ptrdiff_t kLeastAbreast = 16;

// Chosen: a transform with n = 16 has 10,336 in FP16.
constexpr double kLeastWords = 10'000;

/// The rows of a mesh, or its columns.
struct Direction {
  std::vector<bool> in_use;  ///< by line: a color leads along it
  bool passes = false;       ///< some color passes a router by

  explicit Direction(int lines) : in_use(static_cast<std::size_t>(lines)) {}

  void use(int first, int count) { std::fill_n(in_use.begin() + first, count, true); }
  bool used() const { return std::ranges::find(in_use, true) != in_use.end(); }

  /// The bundles that have lines in use are full enough of them.
  bool filled() const {
    std::ptrdiff_t lines = 0, bundles = 0;
    for (std::size_t first = 0; first < in_use.size(); first += model::kLanes) {
      const auto begin = in_use.begin() + static_cast<std::ptrdiff_t>(first);
      const std::size_t rest = in_use.size() - first;
      const auto end =
          begin + static_cast<std::ptrdiff_t>(std::min<std::size_t>(rest, model::kLanes));
      const std::ptrdiff_t count = std::count(begin, end, true);
      lines += count;
      bundles += count > 0;
    }
    return lines >= kLeastAbreast * bundles;
  }
};

/// The ports that some position of a route opens, a bit each.
struct Opened {
  unsigned rx, tx;
};

constexpr unsigned bit(Port port) { return 1U << static_cast<unsigned>(port); }

Opened ever_opened(const Route& route) {
  Opened all{route.rx.bits(), route.tx.bits()};
  for (const SwitchPosition& p : route.positions)
    (p.side == SwitchPosition::Side::rx ? all.rx : all.tx) |= bit(p.port);
  return all;
}

/// Bytes of all PEs' programs and arrays, which a run by line copies.
double bytes_of_programs(const Layout& layout) {
  double bytes = 0;
  for (const Layout::Placement& p : layout.placements())
    bytes += static_cast<double>(p.where.width) * p.where.height * p.program->memory_bytes;
  return bytes;
}

/// Copying bundles takes as long as stepping them for some thousand cycles. How long a run is, no
/// layout tells; but a program that has much memory is likely to work on it, and to exchange what
/// all PEs of a line have takes about as many cycles as these are words.
bool long_enough(const Layout& layout, int length) {
  const double pes = static_cast<double>(layout.width()) * layout.height();
  return bytes_of_programs(layout) / 4 / pes * length >= kLeastWords;
}

/// The memory that a run by line writes fits well in this host, which has a part of it.
bool arrays_fit(const Layout& layout, double part) {
  return bytes_of_programs(layout) * part <= 0.75 * host_memory();
}

}  // namespace

bool lines_pay(const Layout& layout, bool data, double part) {
  Direction rows(layout.height()), columns(layout.width());
  for (const Layout::Routing& routing : layout.routings()) {
    const Opened open = ever_opened(routing.route);
    const auto note = [&](Direction& direction, Port a, Port b, int first, int count) {
      const unsigned ports = bit(a) | bit(b);
      const bool in = (open.rx & ports) != 0, out = (open.tx & ports) != 0;
      if (in || out) direction.use(first, count);
      direction.passes |= in && out;
    };
    note(rows, Port::east, Port::west, routing.where.y, routing.where.height);
    note(columns, Port::north, Port::south, routing.where.x, routing.where.width);
  }
  if (!rows.used() && !columns.used()) return false;
  if (rows.used() && columns.used() && !(rows.passes && columns.passes)) return false;
  const int length =
      std::max(rows.used() ? layout.width() : 0, columns.used() ? layout.height() : 0);
  return rows.filled() && columns.filled() && long_enough(layout, length) &&
         (!data || arrays_fit(layout, part));
}

}  // namespace weft::fabric
