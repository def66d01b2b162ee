#pragma once

#include <algorithm>
#include <vector>

#include "differential/case.hpp"
#include "fabric/build/phase_marks.hpp"
#include "fabric/build/state.hpp"
#include "fabric/stepper/pe_profile.hpp"
#include "pe/build/code.hpp"
#include "pe/build/mesh.hpp"
#include "pe/core_view.hpp"

/// What a mesh takes from a fabric that was built of the same case.
namespace weft::test {

/// By PE, row by row.
inline std::vector<std::uint16_t> programs_of(const fabric::State& s) {
  std::vector<std::uint16_t> programs;
  for (int y = 0; y < s.height; ++y)
    for (int x = 0; x < s.width; ++x) {
      const auto [strip, lane] = s.address_of(x, y);
      const model::CoreState& core = s.core[static_cast<std::size_t>(strip)];
      programs.push_back(model::has(core.placed, lane) ? core.program[lane] : pe::kNoProgram);
    }
  return programs;
}

/// `code`: that of the fabric, as codes_of gives it.
inline pe::ProgramView view_of(const fabric::State& s, const std::vector<pe::Code>& code) {
  return {code.data(), s.programs.data(), s.shapes.data()};
}

/// The code of a case's fabric. PEs that count come to phases in time.
inline std::vector<pe::Code> code_of_case(const Case& c, const fabric::State& s) {
  std::vector<std::uint32_t> alone = s.private_cycles;
  if (c.observe.counts && fabric::has_phases(layout_of(c))) std::ranges::fill(alone, 0U);
  return pe::codes_of(s.code, alone);
}

/// What the PEs of a case's fabric count, of shapes that do. `places` must outlive it.
template <class S>
fabric::PeCountsState counts_of_case(const Case& c, const fabric::State& s,
                                     const pe::Places& places) {
  if constexpr (S::kCounting)
    return fabric::make_pe_counts(layout_of(c), {s.programs, programs_of(s)}, places, c.observe);
  return {};
}

/// The first word of a PE's memory; each next one is kPatch further.
template <class S>
std::uint32_t* memory_of(const pe::Mesh<S>& mesh, std::uint32_t* all, int x, int y) {
  return pe::CoreArrays::interleaved(all, mesh.places.index(x, y), mesh.words());
}

/// The memory of all PEs of a mesh, `pes` with those that are beyond it.
inline std::vector<std::uint32_t> no_memory(const fabric::State& built, std::size_t pes) {
  return std::vector<std::uint32_t>(pes * built.timing.memory_bytes / 4);
}

template <class S>
void copy_memory(const pe::Mesh<S>& mesh, const fabric::State& built, std::uint32_t* all) {
  for (int y = 0; y < mesh.height(); ++y)
    for (int x = 0; x < mesh.width(); ++x)
      for (std::size_t w = 0; w < mesh.words(); ++w)
        memory_of(mesh, all, x, y)[w * pe::kPatch] = built.memory_of(x, y)[w * model::kLanes];
}

/// A PE's memory.
template <class S>
std::vector<std::uint32_t> words_of(const pe::Mesh<S>& mesh, std::uint32_t* all, int x, int y) {
  const std::uint32_t* const memory = memory_of(mesh, all, x, y);
  std::vector<std::uint32_t> words;
  for (std::size_t w = 0; w < mesh.words(); ++w) words.push_back(memory[w * pe::kPatch]);
  return words;
}

}  // namespace weft::test
