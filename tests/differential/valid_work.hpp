#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weft/instruction.hpp"
#include "weft/program.hpp"

/// The work of the PEs of a valid case, as plain data. Senders, receivers and numbers of words are
/// known before any program is written, so that sends and receives match.
namespace weft::test {

/// A vector instruction with a fabric operand.
struct Transfer {
  enum class Kind : std::uint8_t { send, take, relay } kind = Kind::send;
  int color = 0;          ///< that is sent; of a take, the one that comes
  int in = -1, out = -1;  ///< queues
  int words = 1;
  Op op = Op::vmov32;  ///< vmov32, or one with a second source: the words in memory
  int stride = 1;      ///< of these, in words; 1 or more, or -1
  std::vector<std::uint32_t> controls{};  ///< control wavelets that a send ends with
  bool ended = false;                     ///< a take is over when its control task was started
  bool operator==(const Transfer&) const = default;
};

/// The work of a core before a stage.
struct Pause {
  int turns = 0;                 ///< of an empty loop
  int x_shift = 0, y_shift = 0;  ///< and more of them: a coordinate, shifted; 0: none
  int by_data = 0;               ///< and more of them: a word of memory modulo this power of two
  int elements = 0;              ///< of a vector instruction over memory
  bool operator==(const Pause&) const = default;
};

/// An instruction that writes to a color's filter or switch.
struct RouterWrite {
  Op op = Op::flimit;
  int color = 0;
  int value = 0;
  bool operator==(const RouterWrite&) const = default;
};

/// Transfers side by side; the stage is over when all of them are.
struct Stage {
  Pause pause;
  std::vector<Transfer> transfers;
  bool peeks = false;  ///< the core looks at their words in memory while they are under way
  std::vector<RouterWrite> writes{};  ///< after the pause
  bool operator==(const Stage&) const = default;
};

/// Stages one after the other, again and again.
struct Strand {
  int rounds = 1;
  std::vector<Stage> stages;
  bool clocked =
      false;  ///< keeps in memory when its stages began, so that an end tells of all times
  bool by_task = false;  ///< it only takes, once: a data task does, wavelet by wavelet
  bool operator==(const Strand&) const = default;
};

/// A data task that gathers a color's data, however much it is, and then writes to routers.
struct Ear {
  int color = 0;
  std::vector<RouterWrite> writes{};
  bool operator==(const Ear&) const = default;
};

/// One PE. Its strands run side by side, and have no queue in common.
struct PeWork {
  std::vector<Strand> strands;
  bool waits = false;  ///< the core waits for transfers that are alone in their stage; a PE with
                       ///< several strands must not, as what it waits for may need another strand
  std::vector<Ear> hears{};
  bool operator==(const PeWork&) const = default;
};

/// Its program; the task that a stream's control wavelet starts has the number of the color.
Program program_of(const PeWork& work);

}  // namespace weft::test
