#pragma once

#include <functional>
#include <string>
#include <vector>

#include "weft/fabric.hpp"
#include "weft/layout.hpp"
#include "weft/machine.hpp"

/// Programs of which the kernel's instructions are counted, and which bench-device times.
namespace weft::gpu_count {

struct Load {
  Layout layout;
  Machine machine;
  std::function<void(Fabric&)> write;  ///< before the first cycle
};

struct Size {
  int width = 64, height = 32;  ///< of the mesh, from 4 on; 2,048 PEs are a tile of 512 x 512
  int times = 1;                ///< as many words or repetitions, from 1 to 5
};

struct NamedLoad {
  std::string name;
  Load (*make)(const Size&);
  bool always = true;  ///< counted; else only where it is asked for, as it takes a minute
  bool ahead = false;  ///< counted by the program's cycles, of which the kernel steps few
};
const std::vector<NamedLoad>& programs();
/// Each has a size of its own.
const std::vector<NamedLoad>& transforms();

}  // namespace weft::gpu_count
