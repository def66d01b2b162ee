#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "page/windows.hpp"
#include "weft/profile.hpp"

namespace weft::page {

/// What the page says of a run beside its planes: viewer/src/run.ts has the fields.
nlohmann::json facts_of(const Profile& p, const std::string& name, Windows windows,
                        const AllWindowFacts& in_windows);

}  // namespace weft::page
