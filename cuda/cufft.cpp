#include "reference/cufft.hpp"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <bit>
#include <chrono>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "cuda/cufft_library.hpp"
#include "cuda/device.hpp"
#include "isa/alu.hpp"
#include "reference/definition.hpp"
#include "weft/error.hpp"

namespace weft::reference {
namespace {

Error cufft_error(const std::string& why, const std::string& remedy) {
  return Error(ErrorCategory::environment, "cannot transform with cuFFT", why, remedy);
}

void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  static_cast<void>(cudaGetLastError());  // reported here, and not again by the next call
  throw cufft_error(fmt::format("CUDA: {}", cudaGetErrorString(status)),
                    status == cudaErrorMemoryAllocation
                        ? "use a smaller array or a device with more memory"
                        : "look at the device with nvidia-smi, or compare with FFTW");
}

void check(cufftResult status) {
  if (status == CUFFT_SUCCESS) return;
  if (status == CUFFT_ALLOC_FAILED) {
    throw cufft_error("the device lacks memory",
                      "use a smaller array or a device with more memory");
  }
  throw cufft_error(fmt::format("cuFFT error {}", static_cast<int>(status)),
                    "cufft.h says what it means; compare with FFTW");
}

class DeviceArray {
 public:
  explicit DeviceArray(std::size_t bytes) : bytes_(bytes) { check(cudaMalloc(&data_, bytes)); }
  ~DeviceArray() { static_cast<void>(cudaFree(data_)); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;

  void* data() const { return data_; }
  void copy_from(const void* host) const {
    check(cudaMemcpy(data_, host, bytes_, cudaMemcpyHostToDevice));
  }
  void copy_to(void* host) const { check(cudaMemcpy(host, data_, bytes_, cudaMemcpyDeviceToHost)); }

 private:
  void* data_ = nullptr;
  std::size_t bytes_;
};

/// A transform in place of numbers of a type.
class Plan {
 public:
  Plan(std::vector<long long> sides, cudaDataType type) : cufft_(cuda::cufft_library()) {
    check(cufft_.create(&plan_));
    std::size_t work_bytes = 0;
    const cufftResult made =
        cufft_.make_plan(plan_, static_cast<int>(sides.size()), sides.data(), nullptr, 1, 0, type,
                         nullptr, 1, 0, type, 1, &work_bytes, type);
    if (made != CUFFT_SUCCESS) {
      cufft_.destroy(plan_);
      check(made);
    }
  }
  ~Plan() { cufft_.destroy(plan_); }
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;

  /// Returns when the device has done it.
  void execute(const DeviceArray& array, FftDirection direction) const {
    check(cufft_.execute(plan_, array.data(), array.data(),
                         direction == FftDirection::forward ? CUFFT_FORWARD : CUFFT_INVERSE));
    check(cudaDeviceSynchronize());
  }

 private:
  const cuda::CufftLibrary& cufft_;
  cufftHandle plan_ = CUFFT_PLAN_NULL;
};

struct Half {
  std::uint16_t re, im;
};

/// A complex number of each arithmetic: what CUDA calls it, from the input, to the result.
template <typename Number>
struct Format {
  static constexpr cudaDataType kType =
      std::is_same_v<Number, std::complex<float>> ? CUDA_C_32F : CUDA_C_64F;
  static Number from(std::complex<float> value) { return Number(value); }
  static std::complex<double> to(Number value) { return std::complex<double>(value); }
};

template <>
struct Format<Half> {
  static constexpr cudaDataType kType = CUDA_C_16F;
  static Half from(std::complex<float> value) {
    return {static_cast<std::uint16_t>(isa::to_half(value.real())),
            static_cast<std::uint16_t>(isa::to_half(value.imag()))};
  }
  static std::complex<double> to(Half value) {
    return {isa::from_half(value.re), isa::from_half(value.im)};
  }
};

/// The sides along which there is something to transform, as cuFFT wants them.
std::vector<long long> long_sides(const Shape3& shape) {
  std::vector<long long> sides;
  for (const std::size_t side : {shape.n0, shape.n1, shape.n2, shape.n3}) {
    if (side != 1) sides.push_back(static_cast<long long>(side));
  }
  return sides;
}

template <typename Number>
Transformed transform(const Volume& input, FftDirection direction, FftNorm norm) {
  std::vector<Number> numbers;
  numbers.reserve(input.data.size());
  for (const std::complex<float> value : input.data) {
    numbers.push_back(Format<Number>::from(value));
  }
  Transformed result;
  const std::vector<long long> sides = long_sides(input.shape);
  if (sides.size() > 3)
    throw Error(ErrorCategory::usage,
                fmt::format("cuFFT has no plan for {}", shape_text(input.shape)),
                "it has one to three axes", "compare with FFTW");
  if (!numbers.empty() && !sides.empty()) {  // a single number is its own transform
    const DeviceArray array(numbers.size() * sizeof(Number));
    const Plan plan(sides, Format<Number>::kType);
    array.copy_from(numbers.data());
    plan.execute(array, direction);  // for nothing but loading the kernels, before the clock starts
    array.copy_from(numbers.data());
    check(cudaDeviceSynchronize());
    const auto start = std::chrono::steady_clock::now();
    plan.execute(array, direction);
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
    result.wall_seconds = wall.count();
    array.copy_to(numbers.data());
  }
  const double factor = scale(norm, direction, numbers.size());
  result.values.reserve(numbers.size());
  for (const Number number : numbers) {
    result.values.push_back(factor * Format<Number>::to(number));
  }
  return result;
}

void check_sides_fp16(const Shape3& shape) {
  if (std::has_single_bit(shape.n0) && std::has_single_bit(shape.n1) &&
      std::has_single_bit(shape.n2)) {
    return;
  }
  throw Error(ErrorCategory::usage, fmt::format("cuFFT has no FP16 for {}", shape_text(shape)),
              "a side is no power of two", "use FP32 or FP64");
}

}  // namespace

std::string why_no_cufft() {
  static const std::string why = [] {
    const std::string no_device = cuda::why_no_device();
    return no_device.empty() ? cuda::cufft_library().why_absent : no_device;
  }();
  return why;
}

Transformed transform_with_cufft(const Volume& input, FftDirection direction, FftNorm norm,
                                 Arithmetic arithmetic) {
  check_volume(input);
  if (const std::string why = why_no_cufft(); !why.empty()) {
    throw cufft_error(why, "compare with FFTW");
  }
  switch (arithmetic) {
    case Arithmetic::fp16:
      check_sides_fp16(input.shape);
      return transform<Half>(input, direction, norm);
    case Arithmetic::fp32:
      return transform<std::complex<float>>(input, direction, norm);
    case Arithmetic::fp64:
      break;
  }
  return transform<std::complex<double>>(input, direction, norm);
}

}  // namespace weft::reference
