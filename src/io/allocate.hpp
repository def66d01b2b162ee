#pragma once

#include <complex>
#include <string>
#include <vector>

#include "io/sides.hpp"

namespace weft::io {

/// So many zeros. Throws Error(environment) if this host has too little memory for them; `purpose`
/// completes "no memory for ...".
std::vector<std::complex<float>> allocate_numbers(const Sides& sides, const std::string& purpose);

/// A volume of zeros. Throws as allocate_numbers.
Volume allocate_volume(Shape3 shape, const std::string& purpose);

}  // namespace weft::io
