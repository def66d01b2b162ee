#include "cuda/device_memory.hpp"

#include <fmt/format.h>

#include <string>

#include "cuda/runtime.hpp"
#include "weft/error.hpp"

namespace weft::pe_kernel {
namespace {

std::string remedy(int side) {
  if (side == 0) return "use the host engine";
  return fmt::format("use at most {0} x {0} PEs, or the host engine", side);
}

}  // namespace

Amount ask_memory() {
  Amount memory;
  cuda::check(cudaMemGetInfo(&memory.free, &memory.total), "asking for free memory");
  return memory;
}

void refuse_mesh(const Tiles& mesh, const Amount& memory, std::size_t bytes, int largest) {
  const auto mib = [](std::size_t n) { return static_cast<double>(n) / 0x1p20; };
  throw Error(
      ErrorCategory::environment,
      fmt::format("{} x {} PEs exceed the CUDA device's memory", mesh.mesh_width, mesh.mesh_height),
      fmt::format("they take {:.1f} MiB of its memory, and {:.1f} of {:.1f} are free{}", mib(bytes),
                  mib(memory.free), mib(memory.total),
                  bytes <= memory.free ? ", but CUDA refused an allocation" : ""),
      remedy(largest));
}

}  // namespace weft::pe_kernel
