#pragma once

#include <nlohmann/json.hpp>

namespace weft::gpu_check {

/// The machine that the device is in: processor, memory, kernel, C library.
nlohmann::ordered_json describe_host();

}  // namespace weft::gpu_check
