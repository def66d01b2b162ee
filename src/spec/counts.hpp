#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "weft/observation.hpp"
#include "weft/op.hpp"
#include "weft/profile.hpp"
#include "weft/program.hpp"

/// What docs/model.md says is counted, in the plainest form.
namespace weft::spec {

struct PeCounts {
  std::array<std::uint64_t, kCounts> of{};
  std::array<std::array<std::uint64_t, kPorts>, kColors> wavelets{};  ///< by the port they left by
  std::array<std::uint64_t, kColors> held{};
  std::vector<std::uint64_t> cycles{};  ///< of a task, by the instruction that they belong to
};

/// The class of an instruction that is no vector instruction.
Count class_of(Op op);

class Counts {
 public:
  Counts(std::size_t pes, const Observation& asked);

  /// The PE will run this program.
  void place(std::size_t pe, const Program& program);

  /// Before what is counted of a cycle. Where it needs one window too many, all double in length.
  void begin_cycle(std::uint64_t cycle);
  void add(std::size_t pe, Count count, std::uint64_t n = 1);
  /// The PE is in this phase of its program from now on, or in none.
  void enter(std::size_t pe, int phase);
  /// A task of this phase of its program, or a stream, is there.
  void note_phase(std::size_t pe, int phase, std::uint64_t cycle);

  std::vector<PeCounts> pe;
  /// By count, window, PE; those that have windows.
  std::array<std::vector<std::uint32_t>, kCounts> windowed;
  std::uint64_t window_cycles = 1;
  std::size_t windows;              ///< 0: only totals
  std::vector<PhaseCounts> phases;  ///< of all programs, those of one name once

 private:
  void join_neighbours();

  std::size_t window_ = 0;                ///< of the present cycle
  std::vector<std::vector<int>> phases_;  ///< by PE: the phases of its program, by their number
  std::vector<int> phase_;                ///< by PE: in `phases`; -1: none
};

}  // namespace weft::spec
