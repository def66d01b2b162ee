#pragma once

#include <string>

#include "weft/volume.hpp"

namespace weft::io {

/// A volume of zeros. Throws Error(environment) if this host has too little memory for it;
/// `purpose` completes "no memory for ...".
Volume allocate_volume(Shape3 shape, const std::string& purpose);

}  // namespace weft::io
