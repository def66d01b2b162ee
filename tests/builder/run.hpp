#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "mesh.hpp"
#include "weft/weft.hpp"

/// Designs that are run, and symbols that are read.
namespace weft::test {

inline constexpr std::uint64_t kFarLimit = 1'000'000;

/// The design's fabric after its run.
inline Fabric run(const Design& design, FabricOptions options = {}) {
  Fabric fabric = design.fabric(test_machine(), test_options(std::move(options)));
  fabric.run_until_idle(kFarLimit);
  return fabric;
}

/// A design of one PE with this program.
inline Design one_pe(const std::function<void(PeProgram&)>& function) {
  Design design(1, 1);
  design.program(design.all(), "alone", function);
  return design;
}

}  // namespace weft::test
