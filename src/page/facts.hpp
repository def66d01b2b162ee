#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "page/windows.hpp"
#include "weft/profile.hpp"

namespace weft::page {

/// What the page says of a run beside its planes: viewer/src/run.ts has the fields.
nlohmann::json facts_of(const Profile& p, const std::string& name, Windows windows,
                        const AllWindowFacts& in_windows);

/// Its parts, each of a file of its own.
nlohmann::json route_facts(const ColorCounts& color);
nlohmann::json program_facts(const Profile& p);
nlohmann::json phase_facts(const Profile& p);
void add_explanation(nlohmann::json& facts, const Profile& p);
nlohmann::json stuck_facts(const Stuck& stuck);

}  // namespace weft::page
