#pragma once

namespace weft::fabric {

/// Throws Error(environment) unless the CUDA engine can run here.
void check_device();

}  // namespace weft::fabric
