#include "reference/fftw.hpp"

#include <fftw3.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>
#include <mutex>
#include <new>
#include <type_traits>
#include <utility>

#include "reference/definition.hpp"
#include "weft/error.hpp"

namespace weft::reference {

namespace {

/// FFTW's functions for a type of real numbers.
template <typename Real>
struct Fftw;

template <>
struct Fftw<double> {
  using Number = fftw_complex;
  using Plan = fftw_plan;
  static constexpr auto kPlan = fftw_plan_dft;
  static constexpr auto kExecute = fftw_execute;
  static constexpr auto kDestroy = fftw_destroy_plan;
};

template <>
struct Fftw<float> {
  using Number = fftwf_complex;
  using Plan = fftwf_plan;
  static constexpr auto kPlan = fftwf_plan_dft;
  static constexpr auto kExecute = fftwf_execute;
  static constexpr auto kDestroy = fftwf_destroy_plan;
};

/// FFTW allows one thread at a time to make or destroy plans.
std::mutex& planner_mutex() {
  static std::mutex mutex;
  return mutex;
}

/// A transform of `data` in place.
template <typename Real>
class PlanInPlace {
 public:
  PlanInPlace(Shape3 shape, std::complex<Real>* data, int sign) {
    // FFTW documents that std::complex and its own complex type may be cast to each other.
    auto* raw = reinterpret_cast<typename Fftw<Real>::Number*>(data);
    const std::array sides{static_cast<int>(shape.n0), static_cast<int>(shape.n1),
                           static_cast<int>(shape.n2), static_cast<int>(shape.n3)};
    const std::lock_guard lock(planner_mutex());
    plan_ = Fftw<Real>::kPlan(sides.size(), sides.data(), raw, raw, sign, FFTW_ESTIMATE);
    if (plan_ == nullptr) {
      throw Error(ErrorCategory::environment,
                  fmt::format("FFTW has no plan for {}", shape_text(shape)),
                  "it refused or lacks memory", "use a smaller array");
    }
  }

  ~PlanInPlace() {
    const std::lock_guard lock(planner_mutex());
    Fftw<Real>::kDestroy(plan_);
  }

  PlanInPlace(const PlanInPlace&) = delete;
  PlanInPlace& operator=(const PlanInPlace&) = delete;

  void execute() const { Fftw<Real>::kExecute(plan_); }

 private:
  typename Fftw<Real>::Plan plan_ = nullptr;
};

void check_sides(const Shape3& n) {
  constexpr auto kMostSide = static_cast<std::size_t>(std::numeric_limits<int>::max());
  if (std::max({n.n0, n.n1, n.n2, n.n3}) > kMostSide) {
    throw Error(ErrorCategory::usage, "cannot transform the volume",
                fmt::format("a side of {} is beyond FFTW's largest", shape_text(n)),
                "use a smaller array");
  }
}

template <typename To, typename From>
std::vector<std::complex<To>> converted(const std::vector<std::complex<From>>& numbers) {
  try {
    return {numbers.begin(), numbers.end()};
  } catch (const std::bad_alloc&) {
    throw Error(
        ErrorCategory::environment, "no memory for the reference transform",
        fmt::format("it takes {:.1f} GiB", static_cast<double>(numbers.size()) *
                                               sizeof(std::complex<To>) / (1024.0 * 1024 * 1024)),
        "leave out the comparison or use a machine with more memory");
  }
}

template <typename Real>
Transformed transform(const Volume& input, FftDirection direction, FftNorm norm) {
  check_sides(input.shape);
  check_volume(input);
  std::vector<std::complex<Real>> data = converted<Real>(input.data);
  Transformed result;
  if (data.empty()) return result;
  {
    const PlanInPlace<Real> plan(input.shape, data.data(),
                                 direction == FftDirection::forward ? FFTW_FORWARD : FFTW_BACKWARD);
    const auto start = std::chrono::steady_clock::now();
    plan.execute();
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
    result.wall_seconds = wall.count();
  }
  if constexpr (std::is_same_v<Real, double>) {
    result.values = std::move(data);
  } else {
    result.values = converted<double>(data);
  }
  const double factor = scale(norm, direction, result.values.size());
  if (factor != 1.0) {
    for (std::complex<double>& value : result.values) value *= factor;
  }
  return result;
}

}  // namespace

Transformed transform_with_fftw(const Volume& input, FftDirection direction, FftNorm norm,
                                Arithmetic arithmetic) {
  switch (arithmetic) {
    case Arithmetic::fp16:
      throw Error(ErrorCategory::usage, "cannot transform the volume", "FFTW has no FP16",
                  "use FP32 or FP64");
    case Arithmetic::fp32:
      return transform<float>(input, direction, norm);
    case Arithmetic::fp64:
      break;
  }
  return transform<double>(input, direction, norm);
}

std::vector<std::complex<double>> fftw(const Volume& input, FftDirection direction, FftNorm norm) {
  return transform_with_fftw(input, direction, norm, Arithmetic::fp64).values;
}

}  // namespace weft::reference
