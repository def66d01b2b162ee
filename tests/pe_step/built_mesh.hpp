#pragma once

#include <vector>

#include "fabric/build/state.hpp"
#include "pe/build/mesh.hpp"
#include "pe/core_view.hpp"

/// What a mesh takes from a fabric that was built of the same case.
namespace weft::test {

/// By PE, row by row.
inline std::vector<std::uint16_t> programs_of(const fabric::State& s) {
  std::vector<std::uint16_t> programs;
  for (int y = 0; y < s.height; ++y)
    for (int x = 0; x < s.width; ++x) {
      const auto [strip, lane] = model::address_of(s.strips, x, y);
      const model::CoreState& core = s.core[static_cast<std::size_t>(strip)];
      programs.push_back(model::has(core.placed, lane) ? core.program[lane] : pe::kNoProgram);
    }
  return programs;
}

template <class S>
void copy_memory(const pe::Mesh<S>& mesh, const fabric::State& built) {
  for (int y = 0; y < mesh.height(); ++y)
    for (int x = 0; x < mesh.width(); ++x) {
      std::uint32_t* const memory = pe::core_of(mesh.at(x, y), 0).memory();
      for (std::size_t w = 0; w < mesh.words(); ++w)
        memory[w * pe::kPatch] = built.memory_of(x, y)[w * model::kLanes];
    }
}

/// A PE's memory.
template <class S>
std::vector<std::uint32_t> words_of(const pe::Mesh<S>& mesh, int x, int y) {
  const std::uint32_t* const memory = pe::core_of(mesh.at(x, y), 0).memory();
  std::vector<std::uint32_t> words;
  for (std::size_t w = 0; w < mesh.words(); ++w) words.push_back(memory[w * pe::kPatch]);
  return words;
}

}  // namespace weft::test
