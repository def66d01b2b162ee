#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fabric/build/state.hpp"
#include "fabric/stepper/pe_state.hpp"
#include "spec/fabric.hpp"
#include "weft/profile.hpp"

namespace weft::test {

/// The first thing in which reference and emulator differ.
struct Difference {
  std::uint64_t cycle = 0;  ///< the clock; -1 coordinates: the whole fabric
  int x = -1, y = -1;
  std::string field;
  std::string reference, emulator;
  bool operator==(const Difference&) const = default;
};

std::string describe(const Difference& difference);
std::string describe(const Fault& fault);
std::string describe(spec::Fabric::Stop stop, std::uint64_t cycle);

enum class Scope {
  all,
  by_line,       ///< tallies of filters are not kept
  after_fault,   ///< PEs that stopped are left out
  only_routers,  ///< cores may have run ahead past the fault's cycle, and set limits of filters
};

/// Compares two states of one PE, before cycle `cycle` is stepped.
std::optional<Difference> compare_pes(const fabric::PeState& reference,
                                      const fabric::PeState& emulator, std::uint64_t cycle,
                                      Scope scope);

/// Compares everything that both hold, before cycle `cycle` is stepped.
/// `programs`: fabric::facts_of_programs of the state.
std::optional<Difference> compare(const spec::Fabric& reference, const fabric::State& state,
                                  const std::vector<fabric::ProgramFacts>& programs,
                                  std::uint64_t cycle, Scope scope);

/// Compares what both have counted.
std::optional<Difference> compare_profiles(const Profile& reference, const Profile& emulator);

}  // namespace weft::test
