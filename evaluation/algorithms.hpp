#pragma once

#include <vector>

#include "evaluation/item.hpp"

/// Transforms by each row of the table of ways.
namespace weft::evaluation {

std::vector<Run> runs_of_forms(const Scope& scope);
std::vector<Run> runs_of_shared_forms(const Scope& scope);
std::vector<Run> runs_of_all_forms(const Scope& scope);
Result make_forms(const Scope& scope, const Outcomes& outcomes, const Machine& machine);
Result make_shared_forms(const Scope& scope, const Outcomes& outcomes, const Machine& machine);
Result make_traffic(const Scope& scope, const Outcomes& outcomes, const Machine& machine);
Result make_fastest_forms(const Scope& scope, const Outcomes& outcomes, const Machine& machine);

/// On machines that differ from the default one.
std::vector<Run> runs_of_machines(const Scope& scope);
std::vector<Run> runs_of_latency(const Scope& scope);
std::vector<Run> runs_of_memories(const Scope& scope);
Result make_machines(const Scope& scope, const Outcomes& outcomes, const Machine& machine);
Result make_latency(const Scope& scope, const Outcomes& outcomes, const Machine& machine);
Result make_memories(const Scope& scope, const Outcomes& outcomes, const Machine& machine);

}  // namespace weft::evaluation
