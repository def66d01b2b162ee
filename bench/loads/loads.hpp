#pragma once

#include <functional>
#include <string>
#include <vector>

#include "weft/fabric.hpp"
#include "weft/layout.hpp"
#include "weft/machine.hpp"

/// Programs as users write them: timed on the host and on a device, and the instructions of the
/// kernel counted.
namespace weft::loads {

struct Load {
  Layout layout;
  Machine machine;
  std::function<void(Fabric&)> write;  ///< before the first cycle
};

struct Size {
  int width = 64, height = 32;  ///< of the mesh, from 4 on; 2,048 PEs are a tile of 512 x 512
  int times = 1;  ///< as many words or repetitions: up to 5 in the load's machine, 20 in 48 KB
};

struct NamedLoad {
  std::string name;
  Load (*make)(const Size&);
  bool ahead = false;  ///< counted by the program's cycles, of which the kernel steps few
};

/// Words of each stream of "streams, 2 directions", as often as Size::times.
inline constexpr int kStreamedWords = 100;
const std::vector<NamedLoad>& programs();
/// More of them, for the host alone.
const std::vector<NamedLoad>& host_programs();
/// Each has a size of its own.
const std::vector<NamedLoad>& transforms();

}  // namespace weft::loads
