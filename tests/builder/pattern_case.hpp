#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "run.hpp"

/// Designs of one pattern: their cycles, and vectors of which each element shows where it is from.
namespace weft::test {

inline const Machine kMachines[] = {Machine{}, test_machine(), machine_profile("wse2-simfab")};

inline int as_int(std::uint64_t cycles) { return static_cast<int>(cycles); }

/// Cycles that `code` takes in each PE, all beginning together at a later cycle.
std::vector<std::int32_t> cycles_of(Design& d, const Machine& machine,
                                    const std::function<void(PeProgram&)>& prepare,
                                    const std::function<void(PeProgram&)>& code);

/// A vector that begins with own(x, y, i) as element i.
PeVector own_numbers(PeProgram& pe, const std::string& name, int n);
inline int own(int x, int y, int i) { return 10000 * y + 100 * x + i; }

/// Checks the first n elements of a symbol in each PE of a rectangle of a larger fabric.
void expect_elements(const Fabric& f, const Rect& where, const std::string& symbol, int n,
                     const std::function<int(int x, int y, int i)>& expected);

}  // namespace weft::test
