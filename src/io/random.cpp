#include <random>

#include "io/allocate.hpp"
#include "io/volume_file.hpp"

namespace weft::io {

Volume random_volume(Shape3 shape, std::uint64_t seed) {
  Volume volume = allocate_volume(shape, "a random array");
  // The engine is fixed by the standard; std::uniform_real_distribution is not.
  std::mt19937_64 engine(seed);
  const auto next = [&engine] {
    return static_cast<float>(engine() >> 40) * 0x1p-23F - 1.0F;  // 24 bits: exact in a float
  };
  for (std::complex<float>& element : volume.data) {
    const float re = next();
    const float im = next();
    element = {re, im};
  }
  return volume;
}

}  // namespace weft::io
