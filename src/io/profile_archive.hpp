#pragma once

#include <string>

#include "weft/profile.hpp"

namespace weft::io {

/// The bytes of the file that a profile is saved to, made by so many threads; errors name `file`.
/// Throws as Profile::save.
std::string profile_archive(const Profile& profile, const std::string& file, int threads);

}  // namespace weft::io
