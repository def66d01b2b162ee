#pragma once

#include <cstddef>

#include "cuda/pe/fabric.hpp"

/// All arrays that the engine keeps in a device's memory, as a list: for the code that allocates
/// them, and the code that computes whether they fit.
namespace weft::pe_kernel {

/// Elements of the arrays of all programs.
struct ProgramSizes {
  std::size_t code = 0, tables = 0, shapes = 0;
  std::size_t marks = 0;  ///< of PEs that count by phase
};

template <class S>
struct DeviceFabric {
  Fabric<S> fabric{};
  Edges rims{};  ///< Fabric::edges, from the first of all rims on
  LaunchState* launch = nullptr;

  /// Once the device has the rims.
  void find_edges() {
    const int before = Edges::at(fabric.tiles, fabric.tiles.tiles_before(), 0, 0);
    fabric.edges = {rims.records + before, rims.notes + before};
  }
};

/// give(array, elements) for the arrays of programs, which no run changes.
template <class F>
void for_program_arrays(pe::ProgramView& programs, const ProgramSizes& n, const F& give) {
  give(programs.code, n.code);
  give(programs.programs, n.tables);
  give(programs.shapes, n.shapes);
}

/// give(array, elements) for the arrays that are 0 before the first run.
template <class S, class F>
void for_zeros(DeviceFabric<S>& d, const F& give) {
  Fabric<S>& f = d.fabric;
  const auto tiles = static_cast<std::size_t>(f.tiles.count());
  const std::size_t records =
      2 * static_cast<std::size_t>(f.tiles.rims()) * static_cast<std::size_t>(f.tiles.rim());
  give(f.arrays.memory, tiles * f.sizes.pes * f.sizes.memory_words);
  if constexpr (S::kCounting) give(f.arrays.counts.words, tiles * count_words(f));
  give(f.totals, tiles);
  give(d.rims.records, records);
  give(d.rims.notes, records);
  give(d.launch, std::size_t{1});
}

/// give(array, elements) for the host's ends of links: before a launch the host writes them.
template <class S, class F>
void for_host_arrays(Fabric<S>& f, const F& give) {
  pe::HostPorts<S>& host = f.arrays.host;
  give(host.port, static_cast<std::size_t>(f.tiles.count()) * host.of_tile);
  give(host.words, std::size_t{f.sizes.host_words});
  give(host.came, std::size_t{f.sizes.host_came});
}

/// give(array, elements) for each array.
template <class S, class F>
void for_device_arrays(DeviceFabric<S>& d, const ProgramSizes& programs, const F& give) {
  Fabric<S>& f = d.fabric;
  const auto tiles = static_cast<std::size_t>(f.tiles.count());
  for_parts(f, [&](Part, auto*& array, std::uint32_t n) { give(array, tiles * n); });
  for_far_arrays(f, [&](auto*& array, std::uint32_t n) { give(array, tiles * n); });
  if (f.arrays.host.of_tile != 0) for_host_arrays(f, give);
  for_program_arrays(f.rules.programs, programs, give);
  if constexpr (S::kCounting)
    if (programs.marks != 0) give(f.arrays.counts.marks, programs.marks);
  for_zeros(d, give);
}

/// Bytes of all arrays, of each in whole pages.
template <class S>
std::size_t device_bytes(DeviceFabric<S> d, const ProgramSizes& programs, std::size_t page) {
  std::size_t bytes = 0;
  for_device_arrays(d, programs, [&](const auto* array, std::size_t n) {
    bytes += (n * sizeof *array + page - 1) / page * page;
  });
  return bytes;
}

}  // namespace weft::pe_kernel
