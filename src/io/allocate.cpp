#include "io/allocate.hpp"

#include <fmt/format.h>

#include <new>
#include <stdexcept>

#include "weft/error.hpp"

namespace weft::io {

namespace {

[[noreturn]] void throw_no_memory(const Sides& sides, const std::string& purpose) {
  double bytes = sizeof(std::complex<float>);
  for (const std::size_t side : sides) bytes *= static_cast<double>(side);
  throw Error(ErrorCategory::environment, "no memory for " + purpose,
              fmt::format("{} complex numbers take {:.1f} GiB", shape_text(sides),
                          bytes / (1024.0 * 1024.0 * 1024.0)),
              "use a smaller array or a machine with more memory");
}

}  // namespace

std::vector<std::complex<float>> allocate_numbers(const Sides& sides, const std::string& purpose) {
  std::size_t count = 1;
  for (const std::size_t side : sides)
    if (__builtin_mul_overflow(count, side, &count)) throw_no_memory(sides, purpose);
  try {
    return std::vector<std::complex<float>>(count);
  } catch (const std::bad_alloc&) {
    throw_no_memory(sides, purpose);
  } catch (const std::length_error&) {
    throw_no_memory(sides, purpose);
  }
}

Volume allocate_volume(Shape3 shape, const std::string& purpose) {
  return {shape, allocate_numbers({shape.n0, shape.n1, shape.n2, shape.n3}, purpose)};
}

}  // namespace weft::io
