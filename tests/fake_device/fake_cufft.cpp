#include <fftw3.h>

#include <complex>
#include <cstdint>
#include <vector>

#include "cuda/cufft_library.hpp"
#include "fake_device.hpp"
#include "isa/alu.hpp"

namespace weft::test {
namespace {

using Complex = std::complex<double>;

struct Plan {
  std::vector<int> sides;
  cudaDataType type = CUDA_C_64F;
  std::size_t size = 1;
};

std::vector<Plan>& plans() {
  static std::vector<Plan> all;
  return all;
}

cufftResult create(cufftHandle* handle) {
  *handle = static_cast<cufftHandle>(plans().size());
  plans().emplace_back();
  ++fake_device().plans;
  return CUFFT_SUCCESS;
}

cufftResult destroy(cufftHandle) {
  --fake_device().plans;
  return CUFFT_SUCCESS;
}

cufftResult make_plan(cufftHandle handle, int rank, long long* sides, long long*, long long,
                      long long, cudaDataType input, long long*, long long, long long,
                      cudaDataType output, long long batch, size_t* work_bytes,
                      cudaDataType execution) {
  if (fake_device().plan_status != 0) return static_cast<cufftResult>(fake_device().plan_status);
  if (rank < 1 || rank > 3 || input != output || input != execution || batch != 1)
    return CUFFT_INVALID_VALUE;
  Plan& plan = plans().at(static_cast<std::size_t>(handle));
  plan.type = execution;
  for (int axis = 0; axis < rank; ++axis) {
    plan.sides.push_back(static_cast<int>(sides[axis]));
    plan.size *= static_cast<std::size_t>(sides[axis]);
  }
  *work_bytes = 0;
  return CUFFT_SUCCESS;
}

Complex number_at(const void* data, cudaDataType type, std::size_t i) {
  if (type == CUDA_C_64F) return static_cast<const Complex*>(data)[i];
  if (type == CUDA_C_32F) return Complex(static_cast<const std::complex<float>*>(data)[i]);
  const auto* halves = static_cast<const std::uint16_t*>(data);
  return {isa::from_half(halves[2 * i]), isa::from_half(halves[2 * i + 1])};
}

void set_number(void* data, cudaDataType type, std::size_t i, Complex value) {
  const std::complex<float> single(value);
  if (type == CUDA_C_64F) {
    static_cast<Complex*>(data)[i] = value;
  } else if (type == CUDA_C_32F) {
    static_cast<std::complex<float>*>(data)[i] = single;
  } else {
    auto* halves = static_cast<std::uint16_t*>(data);
    halves[2 * i] = static_cast<std::uint16_t>(isa::to_half(single.real()));
    halves[2 * i + 1] = static_cast<std::uint16_t>(isa::to_half(single.imag()));
  }
}

cufftResult execute(cufftHandle handle, void* input, void* output, int direction) {
  if (fake_device().execute_status != 0)
    return static_cast<cufftResult>(fake_device().execute_status);
  const Plan& plan = plans().at(static_cast<std::size_t>(handle));
  std::vector<Complex> numbers;
  for (std::size_t i = 0; i < plan.size; ++i) numbers.push_back(number_at(input, plan.type, i));
  auto* raw = reinterpret_cast<fftw_complex*>(numbers.data());
  const fftw_plan transform =
      fftw_plan_dft(static_cast<int>(plan.sides.size()), plan.sides.data(), raw, raw,
                    direction == CUFFT_FORWARD ? FFTW_FORWARD : FFTW_BACKWARD, FFTW_ESTIMATE);
  fftw_execute(transform);
  fftw_destroy_plan(transform);
  for (std::size_t i = 0; i < plan.size; ++i) set_number(output, plan.type, i, numbers[i]);
  return CUFFT_SUCCESS;
}

}  // namespace
}  // namespace weft::test

namespace weft::cuda {

const CufftLibrary& cufft_library() {
  static const CufftLibrary cufft = {test::create, test::make_plan, test::execute, test::destroy,
                                     ""};
  return cufft;
}

}  // namespace weft::cuda
