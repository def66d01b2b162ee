#pragma once

#include "weft/processes.hpp"

namespace weft::fabric {

/// Throws Error(environment) unless the CUDA engine can run here.
void check_device();

/// The number of a process's device: that of the process on its host. Throws Error(environment) if
/// there is none.
int device_of(const Processes& processes);

}  // namespace weft::fabric
