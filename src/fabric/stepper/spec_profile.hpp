#pragma once

#include "spec/fabric.hpp"
#include "weft/profile.hpp"

namespace weft::fabric {

/// What a fabric that counts has counted. Colors have no names.
Profile profile_of(const spec::Fabric& fabric);

}  // namespace weft::fabric
