#include "cli/common/accuracy.hpp"

#include <fmt/format.h>

#include <span>

#include "reference/half_spectrum.hpp"
#include "weft/error.hpp"

namespace weft::cli {

void check_present(const reference::Reference& reference) {
  if (const std::string why = reference.why_absent(); !why.empty()) {
    throw Error(ErrorCategory::environment, fmt::format("cannot compare with {}", reference.title),
                why, "use --reference fftw or --reference none");
  }
}

reference::Transformed transform_one(const reference::Reference& reference, const Arrays& arrays,
                                     const Volume& input, FftNorm norm,
                                     reference::Arithmetic arithmetic) {
  reference::Transformed exact =
      reference.transform(arrays.is_c2r() ? reference::whole_of(input, arrays.shape.n2) : input,
                          arrays.direction, norm, arithmetic);
  if (arrays.is_c2r())
    for (std::complex<double>& number : exact.values) number = number.real();
  if (arrays.is_r2c()) exact.values = reference::half_of(exact.values, arrays.shape);
  return exact;
}

Accuracy accuracy_of(
    const reference::Reference& reference, const Arrays& arrays, FftNorm norm, double bound,
    const Volume& input, const Volume& output,
    const std::function<void(const Volume&, const reference::Transformed&)>& look) {
  Accuracy worst{&reference, {}, bound, 0};
  const std::size_t size = arrays.output_shape().size();
  Volume part;
  for (int n = 0; n < arrays.batch; ++n) {
    if (arrays.batch > 1) part = array_of(input, arrays.input_shape(), n);
    const Volume& array = arrays.batch > 1 ? part : input;  // a single one may be large
    const reference::Transformed exact =
        transform_one(reference, arrays, array, norm, reference::Arithmetic::fp64);
    const reference::Difference one = reference::compare(
        std::span(output.data).subspan(static_cast<std::size_t>(n) * size, size), exact.values);
    worst.reference_seconds += exact.wall_seconds;
    if (n == 0 || one.rel_l2 > worst.difference.rel_l2) worst.difference = one;
    if (look) look(array, exact);
  }
  return worst;
}

}  // namespace weft::cli
