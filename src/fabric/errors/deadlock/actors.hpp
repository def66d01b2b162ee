#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "fabric/errors/deadlock/mesh.hpp"
#include "weft/deadlock.hpp"

/// The things that may still happen in a PE: who could act there, and what its code could do.
namespace weft::fabric::deadlock {

/// A bit each.
struct Actions {
  std::uint32_t sends = 0;           ///< colors
  std::uint32_t receives = 0;        ///< input queues
  std::uint32_t pushes = 0;          ///< FIFOs
  std::uint32_t pops = 0;            ///< FIFOs
  std::uint32_t unblocks = 0;        ///< colors
  std::uint32_t unblocks_tasks = 0;  ///< local ones
  std::uint32_t switches = 0;        ///< colors whose switch or route is set, or teardown ended
};

/// Something whose going on makes code run, and all that this code could do.
struct Actor {
  std::optional<DeadlockWait::What> what{};  ///< none: wavelets that may come
  int number = 0;                            ///< as DeadlockWait's; of wavelets, their color
  Actions can{};
};

class Actors {
 public:
  explicit Actors(const Mesh& mesh) : mesh_(mesh) {}

  const std::vector<Actor>& of(int pe);

 private:
  /// What code does, whatever descriptors named before it.
  struct Code {
    Actions does;
    std::uint32_t writes = 0, reads = 0;  ///< descriptors that vector instructions do, a bit each
    std::vector<std::pair<int, OperandFacts>> names{};  ///< descriptors that it sets
  };
  using Starts = std::vector<std::int32_t>;  ///< instructions of a program

  static Code follow(const ProgramCode& program, const Starts& starts);
  Actions from(const PeState& pe, Starts starts);
  /// The end of an asynchronous instruction, which starts or unblocks a task.
  Actor at_end(const PeState& pe, const MicrothreadFacts& microthread);
  std::vector<Actor> actors_of(const PeState& pe);

  const Mesh& mesh_;
  std::map<int, std::vector<Actor>> of_{};
  std::map<std::pair<const Instruction*, Starts>, Code> known_{};
};

}  // namespace weft::fabric::deadlock
