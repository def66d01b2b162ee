#pragma once

#include "fabric/path/recorder.hpp"
#include "weft/profile.hpp"

namespace weft::fabric::path {

/// The critical path of what was recorded: back from the last event to cycle 0. Its pieces come in
/// order, without gaps, up to the profile's clock. The profile has its programs and phases already.
void add_path(const Recorder& recorder, Profile& profile);

}  // namespace weft::fabric::path
