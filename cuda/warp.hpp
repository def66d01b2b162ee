#pragma once

namespace weft::cuda {

inline constexpr unsigned kWarp = 32;  ///< threads of a warp

}  // namespace weft::cuda
