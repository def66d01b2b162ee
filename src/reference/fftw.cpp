#include <fftw3.h>
#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <mutex>
#include <new>

#include "reference/reference.hpp"
#include "weft/error.hpp"

namespace weft::reference {

namespace {

using Complex = std::complex<double>;

/// FFTW allows one thread at a time to make or destroy plans.
std::mutex& planner_mutex() {
  static std::mutex mutex;
  return mutex;
}

/// A transform of `data` in place.
class PlanInPlace {
 public:
  PlanInPlace(Shape3 shape, Complex* data, int sign) {
    // FFTW documents that std::complex<double> and fftw_complex may be cast to each other.
    auto* raw = reinterpret_cast<fftw_complex*>(data);
    const std::lock_guard lock(planner_mutex());
    plan_ = fftw_plan_dft_3d(static_cast<int>(shape.n0), static_cast<int>(shape.n1),
                             static_cast<int>(shape.n2), raw, raw, sign, FFTW_ESTIMATE);
    if (plan_ == nullptr) {
      throw Error(Category::environment,
                  fmt::format("FFTW has no plan for {} x {} x {}", shape.n0, shape.n1, shape.n2),
                  "it refused or lacks memory", "use a smaller array");
    }
  }

  ~PlanInPlace() {
    const std::lock_guard lock(planner_mutex());
    fftw_destroy_plan(plan_);
  }

  PlanInPlace(const PlanInPlace&) = delete;
  PlanInPlace& operator=(const PlanInPlace&) = delete;

  void execute() const { fftw_execute(plan_); }

 private:
  fftw_plan plan_ = nullptr;
};

void check_volume(const Volume& input) {
  const Shape3 n = input.shape;
  constexpr auto kMostSide = static_cast<std::size_t>(std::numeric_limits<int>::max());
  if (n.n0 > kMostSide || n.n1 > kMostSide || n.n2 > kMostSide) {
    throw Error(Category::usage, "cannot transform the volume",
                fmt::format("a side of {} x {} x {} is beyond FFTW's largest", n.n0, n.n1, n.n2),
                "use a smaller array");
  }
  if (input.data.size() != n.size()) {
    throw Error(Category::usage, "cannot transform the volume",
                fmt::format("its shape is {} x {} x {}, and it holds {} elements", n.n0, n.n1, n.n2,
                            input.data.size()),
                "give it as many elements as its shape says");
  }
}

std::vector<Complex> widen(const Volume& input) {
  try {
    return {input.data.begin(), input.data.end()};
  } catch (const std::bad_alloc&) {
    throw Error(Category::environment, "no memory for the reference transform",
                fmt::format("it takes {:.1f} GiB", static_cast<double>(input.data.size()) *
                                                       sizeof(Complex) / (1024.0 * 1024 * 1024)),
                "leave out the comparison or use a machine with more memory");
  }
}

}  // namespace

std::vector<Complex> fftw(const Volume& input, Direction direction, Norm norm) {
  check_volume(input);
  std::vector<Complex> data = widen(input);
  if (data.empty()) return data;
  const PlanInPlace plan(input.shape, data.data(),
                         direction == Direction::forward ? FFTW_FORWARD : FFTW_BACKWARD);
  plan.execute();
  const auto size = static_cast<double>(data.size());
  const bool divides = (norm == Norm::forward) == (direction == Direction::forward);
  const double scale = norm == Norm::ortho ? 1.0 / std::sqrt(size) : divides ? 1.0 / size : 1.0;
  if (scale != 1.0) {
    for (Complex& value : data) value *= scale;
  }
  return data;
}

}  // namespace weft::reference
