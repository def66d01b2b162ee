#pragma once

#include <string>

namespace weft::cuda {

/// Empty if this host has a CUDA device and a driver for it; otherwise why not, in a few words.
std::string why_no_device();

}  // namespace weft::cuda
