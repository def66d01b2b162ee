#include "io/allocate.hpp"

#include <fmt/format.h>

#include <new>
#include <stdexcept>

#include "io/shape_text.hpp"
#include "weft/error.hpp"

namespace weft::io {

namespace {

[[noreturn]] void throw_no_memory(Shape3 shape, const std::string& purpose) {
  const double bytes = static_cast<double>(shape.n0) * static_cast<double>(shape.n1) *
                       static_cast<double>(shape.n2) * sizeof(std::complex<float>);
  throw Error(ErrorCategory::environment, "no memory for " + purpose,
              fmt::format("{} complex numbers take {:.1f} GiB", shape_text(shape),
                          bytes / (1024.0 * 1024.0 * 1024.0)),
              "use a smaller array or a machine with more memory");
}

}  // namespace

Volume allocate_volume(Shape3 shape, const std::string& purpose) {
  Volume volume{shape, {}};
  try {
    volume.data.resize(shape.size());
  } catch (const std::bad_alloc&) {
    throw_no_memory(shape, purpose);
  } catch (const std::length_error&) {
    throw_no_memory(shape, purpose);
  }
  return volume;
}

}  // namespace weft::io
