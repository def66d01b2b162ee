// FFTW's transforms of arrays that MPI's processes have parts of.
#include <fftw3-mpi.h>
#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <complex>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "cli/fft/shared_transform.hpp"
#include "cli/launch/launch.hpp"
#include "weft/error.hpp"

namespace weft::cli {
namespace {

using Size = std::ptrdiff_t;

struct Freed {
  void operator()(double* numbers) const { fftw_free(numbers); }
};

Size block_of(std::size_t side, int processes) {
  const auto count = static_cast<std::size_t>(processes);
  return static_cast<Size>((side + count - 1) / count);
}

/// In place. FFTW divides an axis into blocks of one length; real numbers have rows as long as
/// those of their half spectra.
class FftwTransform : public SharedTransform {
 public:
  explicit FftwTransform(const SharedShape& shape) : shape_(shape) {
    static const bool begun = (fftw_mpi_init(), true);
    static_cast<void>(begun);
    int processes = 1, rank = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const auto& [n0, n1, n2, n3] = shape.sides;
    before_ = {block_of(n0, processes), n1};
    after_ = shape.swapped ? Side{block_of(n1, processes), n0} : before_;
    rank_ = static_cast<std::size_t>(rank);
    row_ = (shape.kind == FftKind::real ? n2 / 2 + 1 : n2) * n3;
    axes_ = n3 == 1 ? 3 : 4;
    std::ranges::copy(shape.sides, sides_.begin());
    if (swaps_before()) std::swap(sides_[0], sides_[1]);
    std::array<Size, 4> complex = sides_;
    if (shape.kind == FftKind::real) complex[2] = sides_[2] / 2 + 1;
    const auto [first, second] = swaps_before() ? std::pair(after_.block, before_.block)
                                                : std::pair(before_.block, after_.block);
    std::array<Size, 4> ours{};  // as take() and give() have them, too
    const Size size = shape.swapped ? fftw_mpi_local_size_many_transposed(
                                          axes_, complex.data(), 1, first, second, MPI_COMM_WORLD,
                                          &ours[0], &ours[1], &ours[2], &ours[3])
                                    : fftw_mpi_local_size_many(axes_, complex.data(), 1, first,
                                                               MPI_COMM_WORLD, &ours[0], &ours[1]);
    data_.reset(fftw_alloc_real(2 * static_cast<std::size_t>(std::max<Size>(size, 1))));
    if (data_ == nullptr)
      throw Error(ErrorCategory::environment, "no memory for the reference transform",
                  fmt::format("it takes {:.1f} GiB in a process",
                              static_cast<double>(size) * 16 / (1024.0 * 1024 * 1024)),
                  "leave out the comparison or take more hosts");
  }
  ~FftwTransform() override {
    if (plan_ != nullptr) fftw_destroy_plan(plan_);
  }

  int owner_before(std::size_t index) const override { return owner(before_, index); }
  int owner_after(std::size_t index) const override { return owner(after_, index); }

  void give(std::size_t index, std::span<const std::complex<float>> numbers) override {
    const bool real = is_real(FftDirection::forward);
    const std::size_t row = real ? shape_.sides[2] : row_;
    const std::size_t rows = numbers.size() / row;
    double* to = place(before_, index);
    for (std::size_t r = 0; r < rows; ++r, to += 2 * row_)
      for (std::size_t k = 0; k < row; ++k) {
        const std::complex<float> number = numbers[r * row + k];
        if (real) {
          to[k] = number.real();
        } else {
          to[2 * k] = number.real();
          to[2 * k + 1] = number.imag();
        }
      }
  }

  std::vector<std::complex<double>> take(std::size_t index) const override {
    const bool real = is_real(FftDirection::inverse);
    const std::size_t row = real ? shape_.sides[2] : row_;
    std::vector<std::complex<double>> numbers;
    numbers.reserve(after_.rows * row);
    const double* from = place(after_, index);
    for (std::size_t r = 0; r < after_.rows; ++r, from += 2 * row_)
      for (std::size_t k = 0; k < row; ++k)
        numbers.emplace_back(real ? from[k] : from[2 * k], real ? 0 : from[2 * k + 1]);
    return numbers;
  }

  void run() override { fftw_execute(plan_); }

  void plan() override {
    const unsigned swap = swaps_before() ? FFTW_MPI_TRANSPOSED_IN : FFTW_MPI_TRANSPOSED_OUT;
    const unsigned flags = FFTW_ESTIMATE | (shape_.swapped ? swap : 0U);
    auto* const numbers = reinterpret_cast<fftw_complex*>(data_.get());
    const bool forward = shape_.direction == FftDirection::forward;
    if (shape_.kind == FftKind::complex)
      plan_ = fftw_mpi_plan_many_dft(axes_, sides_.data(), 1, before_.block, after_.block, numbers,
                                     numbers, MPI_COMM_WORLD,
                                     forward ? FFTW_FORWARD : FFTW_BACKWARD, flags);
    else if (forward)
      plan_ = fftw_mpi_plan_many_dft_r2c(axes_, sides_.data(), 1, before_.block, after_.block,
                                         data_.get(), numbers, MPI_COMM_WORLD, flags);
    else
      plan_ = fftw_mpi_plan_many_dft_c2r(axes_, sides_.data(), 1, before_.block, after_.block,
                                         numbers, data_.get(), MPI_COMM_WORLD, flags);
    if (plan_ == nullptr)
      throw Error(ErrorCategory::environment, "FFTW has no plan for processes",
                  "it refused or lacks memory",
                  "leave out the comparison, or take a smaller array");
  }

 private:
  /// The array before the transform, or after it: indices of a process, and rows of each.
  struct Side {
    Size block = 1;
    std::size_t rows = 1;
  };

  /// FFTW takes the two axes of spectra of real numbers in the order that they have afterwards.
  bool swaps_before() const { return shape_.swapped && is_real(FftDirection::inverse); }
  bool is_real(FftDirection direction) const {
    return shape_.kind == FftKind::real && shape_.direction == direction;
  }
  static int owner(const Side& side, std::size_t index) {
    return static_cast<int>(index / static_cast<std::size_t>(side.block));
  }
  double* place(const Side& side, std::size_t index) const {
    return data_.get() +
           2 * row_ * side.rows * (index - rank_ * static_cast<std::size_t>(side.block));
  }

  SharedShape shape_;
  Side before_, after_;
  std::size_t rank_ = 0;
  std::size_t row_ = 1;          ///< complex numbers of the last axes, or room for so many
  std::array<Size, 4> sides_{};  ///< as FFTW takes them
  int axes_ = 3;
  std::unique_ptr<double, Freed> data_{};
  fftw_plan plan_ = nullptr;
};

}  // namespace

MakeSharedTransform fftw_of_processes() {
  return [](const SharedShape& shape) { return std::make_unique<FftwTransform>(shape); };
}

}  // namespace weft::cli
