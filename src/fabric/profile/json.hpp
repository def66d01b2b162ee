#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

#include "weft/profile.hpp"

/// run.json of a profile's archive: all that no array has.
namespace weft::fabric {

inline constexpr std::string_view kKind = "weft run";
inline constexpr int kFormat = 2;

nlohmann::json json_of(const Profile& profile);
/// Reads it, of this kind and format, into a profile without arrays. Throws nlohmann::json's
/// exceptions. Numbers are not checked.
void read(const nlohmann::json& json, Profile& to);

}  // namespace weft::fabric
