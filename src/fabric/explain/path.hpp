#pragma once

#include <string>

#include "weft/explanation.hpp"

namespace weft::fabric {

/// Where the time on a profile's critical path went.
PathExplanation explain_path(const Profile& profile);

/// The same in words; empty without a path.
std::string path_text(const Profile& profile, const PathExplanation& path);

}  // namespace weft::fabric
