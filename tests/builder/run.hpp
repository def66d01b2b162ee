#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
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

/// What the body leaves in each of so many registers of a PE.
template <class T>
std::vector<T> left(int count,
                    const std::function<void(PeProgram&, std::vector<PeScalar>&)>& body) {
  const Design d = one_pe([&](PeProgram& pe) {
    const PeVector out = pe.array<T>("out", count);
    std::vector<PeScalar> r;
    for (int n = 0; n < count; ++n) r.push_back(pe.scalar<T>("r" + std::to_string(n)));
    body(pe, r);
    for (int n = 0; n < count; ++n) pe.store(out.at(n), r[static_cast<std::size_t>(n)]);
  });
  return run(d).template read<T>({0, 0, 1, 1}, "out");
}

}  // namespace weft::test
