#pragma once

#include <cstdint>
#include <memory>
#include <ostream>
#include <vector>

#include "distributed/same_as_one.hpp"
#include "support/mesh.hpp"
#include "weft/fabric.hpp"

/// What routers do, planted at the rows beside a cut.
namespace weft::test {

struct Planted {
  const char* name;
  Mesh (*make)();
  std::uint64_t hops;      ///< of one process, at least: it does what it is about
  std::uint64_t filtered;  ///< exactly
  int fault_y = -1;        ///< of an input collision
};
void PrintTo(const Planted& planted, std::ostream* out);

/// Cuts are below rows 3 and 7.
const std::vector<Planted>& planted_at_cuts();
inline constexpr std::uint64_t kEndOfPlanted = 3000;

/// One of them, with no stops. `options`: all but the processes.
Compared compared_planted(const Planted& planted, FabricOptions options = {});

}  // namespace weft::test
