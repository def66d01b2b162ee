#pragma once

#include <cstdint>
#include <string>

namespace weft::base {

/// 1234567 as "1,234,567".
std::string grouped(std::uint64_t number);

}  // namespace weft::base
