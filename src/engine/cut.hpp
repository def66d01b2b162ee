#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/wire.hpp"
#include "model/state.hpp"

namespace weft::engine {

/// Where a fabric is cut between two processes: a row of strips of this one, and the row beyond it,
/// which the other one steps. What the step reads of that row comes in messages, two each way in a
/// cycle: what left it, after step 1, and the room of its routers, after step 3. So the state has
/// that row too, but nothing steps it here.
class Cut {
 public:
  /// `side`: of the row, where the cut is.
  Cut(const model::View& view, int row, Port side, Wire& wire);

  /// Before a block: both processes find alike whether anything can cross before `end`. If not, no
  /// messages come in this block. `wakes`: as for reachable().
  void begin(std::span<const std::uint64_t> wakes, std::uint64_t end);
  bool open() const { return open_; }

  /// Rooms that are not as they were when they were sent last.
  void send_rooms();
  void take_rooms();
  void send_departures(std::uint64_t now);
  void take_departures(std::uint64_t now);

  /// As Wire::give_up.
  void give_up() noexcept { wire_.give_up(); }

 private:
  /// A color of the row's strips, and the room that the other process knows.
  struct Known {
    std::uint32_t column, color;
    std::int32_t state;  ///< in View::colors
    model::Mask room;
  };

  int strip(int column) const { return row_ * view_.strips + column; }
  int strip_beyond(int column) const { return beyond_ * view_.strips + column; }

  const model::View view_;
  const int row_, beyond_;
  const int out_, in_;      ///< the links over the cut, from here and to here
  const model::Mask edge_;  ///< lanes beside the cut
  Wire& wire_;
  bool open_ = false;
  std::vector<Known> known_{};
  std::vector<std::uint32_t> words_{};  ///< of a message
};

/// Of the rows of a process; null: they end where the fabric does.
struct Cuts {
  Cut *north = nullptr, *south = nullptr;
  bool odd = false;  ///< the process has an odd number
};

}  // namespace weft::engine
