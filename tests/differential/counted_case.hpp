#pragma once

#include <functional>

#include "differential/case.hpp"

namespace weft::test {

/// A case of a seed that counts, with one of some numbers of windows and, in programs, phases at
/// random places; on one thread or two, with some accelerations.
Case counted_case(std::uint64_t seed, const std::function<Case(std::uint64_t)>& draw);

}  // namespace weft::test
