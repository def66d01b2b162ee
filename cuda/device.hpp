#pragma once

#include <string>

namespace weft::cuda {

/// "12.4" for 12040, as the runtime writes it.
std::string version_text(int version);

/// Empty if this host has a CUDA device and a driver for it; otherwise why not, in a few words.
std::string why_no_device();

}  // namespace weft::cuda
