#pragma once

#include <cstdint>

#include "engine/clock.hpp"

/// What a device and its process tell each other while a launch steps a part of a mesh: words in
/// the host's memory, which both see.
namespace weft::pe_kernel {

/// What goes over a cut, one way: by parity and column of the mesh. A record's turn tells that it
/// is new, and its note stands there before.
struct Letters {
  std::uint64_t* records;
  std::uint32_t* notes;

  WEFT_HD static int at(int width, unsigned parity, int column) {
    return static_cast<int>(parity) * width + column;
  }
};

/// To and from the process beyond a cut; null: there is none.
struct CutMail {
  Letters out, in;
};

/// Facts after a block of cycles. `stepped`, the number of cycles so far, comes last: then the rest
/// is there.
struct Meeting {
  engine::BlockFacts facts;
  std::uint32_t last;  ///< from the process: the launch ends here
  std::uint64_t stepped;
};

struct Mail {
  CutMail north, south;
  Meeting* mine;                  ///< facts of the process
  Meeting* all;                   ///< of all processes
  const std::uint32_t* given_up;  ///< not 0: nothing comes any more, the launch is to end
};

}  // namespace weft::pe_kernel
