#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "weft/profile.hpp"

namespace weft::fabric {

/// Whether the link of a PE, by number, is looked at.
using LinkFilter = std::function<bool(std::size_t pe, Port link)>;

/// The cycles of a wavelet's links along the longest way of a color's routes, in any of their
/// positions, from a PE that sends by links that carried it. Past a color swap a way is not
/// followed.
std::uint64_t longest_way(const Profile& profile, const ColorCounts& color, const LinkFilter& uses);

}  // namespace weft::fabric
