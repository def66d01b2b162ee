#pragma once

#include <string>

#include "weft/processes.hpp"

namespace weft::cuda {

/// "12.4" for 12040, as the runtime writes it.
std::string version_text(int version);

/// Empty if this host has a CUDA device and a driver for it; otherwise why not, in a few words.
std::string why_no_device();

/// The number of a process's device: that of the process on its host. Throws Error(environment) if
/// there is none.
int device_of(const Processes& processes);

}  // namespace weft::cuda
