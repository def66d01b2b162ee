#pragma once

#include <functional>
#include <string>
#include <vector>

#include "weft/fabric.hpp"
#include "weft/layout.hpp"
#include "weft/machine.hpp"

/// Programs of which the kernel's instructions are counted.
namespace weft::gpu_count {

struct Load {
  Layout layout;
  Machine machine;
  std::function<void(Fabric&)> write;  ///< before the first cycle
};

struct NamedLoad {
  std::string name;
  Load (*make)();
  bool always = true;  ///< else only where it is asked for, as it takes a minute
};
const std::vector<NamedLoad>& loads();

}  // namespace weft::gpu_count
