#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace weft::inline v0 {

/// Engines, which step a fabric. Results and cycles are the same, bit for bit.
enum class Engine : std::uint8_t {
  automatic,  ///< host: quicker than cuda on all that was measured (docs/gpu-performance.md)
  host,       ///< CPU threads
  cuda,       ///< the first CUDA device
  reference,  ///< the executable specification (src/spec/): plain and slow, some 2e6 PE-cycles a
              ///< second, to check the others and to read
};

/// "auto", "host", "cuda", "reference".
std::string_view to_string(Engine engine) noexcept;

/// Empty if this host has the engine; otherwise why not, in a few words.
std::string why_absent(Engine engine);

}  // namespace weft::inline v0
