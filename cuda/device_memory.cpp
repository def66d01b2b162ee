#include "cuda/device_memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "cuda/runtime.hpp"
#include "weft/error.hpp"

namespace weft::cuda {
namespace {

/// Bytes on a square mesh. As many colors and the like for each strip, rounded up.
std::size_t bytes_of_square(model::View v, model::Sizes sizes, int side) {
  const std::size_t before = v.strip_count();
  v.strips = model::strips_across(side);
  v.rows = model::strips_down(side);
  for (std::size_t* n :
       {&sizes.colors, &sizes.filters, &sizes.tallies, &sizes.fifos, &sizes.port_queues})
    *n = (*n * v.strip_count() + before - 1) / before;
  return device_bytes(v, sizes, kPage);
}

struct Amount {
  std::size_t free = 0, total = 0;
};

Amount ask_memory() {
  Amount memory;
  check(cudaMemGetInfo(&memory.free, &memory.total), "asking for free memory");
  return memory;
}

std::string remedy(int side) {
  if (side == 0) return "use the host engine";
  return fmt::format("use at most {0} x {0} PEs, or the host engine", side);
}

}  // namespace

std::size_t device_bytes(model::View v, const model::Sizes& sizes, std::size_t page) {
  OwnArrays own;
  std::size_t bytes = 0;
  for_device_arrays(v, own, sizes, [&](const auto* array, std::size_t n) {
    bytes += (n * sizeof *array + page - 1) / page * page;
  });
  return bytes;
}

int largest_side(const model::View& v, const model::Sizes& sizes, std::size_t bytes) {
  int side = 0;
  const auto grow = [&](int step, int end) {
    while (side + step <= end && bytes_of_square(v, sizes, side + step) <= bytes) side += step;
  };
  constexpr int kMostSide = 1 << 15;  // far more than any device has memory for
  grow(model::kStripWidth, kMostSide);
  if (side == 0) grow(1, model::kStripWidth);
  return side;
}

void refuse_mesh(const model::View& v, const model::Sizes& sizes, std::size_t page) {
  const Amount memory = ask_memory();
  const std::size_t bytes = device_bytes(v, sizes, page);
  const auto mib = [](std::size_t n) { return static_cast<double>(n) / 0x1p20; };
  throw Error(
      ErrorCategory::environment,
      fmt::format("{} x {} PEs exceed the CUDA device's memory", v.width, v.height),
      fmt::format("they take {:.1f} MiB of its memory, and {:.1f} of {:.1f} are free{}", mib(bytes),
                  mib(memory.free), mib(memory.total),
                  bytes <= memory.free ? ", but CUDA refused an allocation" : ""),
      remedy(largest_side(v, sizes, std::min(memory.free, device_bytes(v, sizes, kPage) - 1))));
}

void check_device_memory(const model::View& v, const model::Sizes& sizes) {
  if (device_bytes(v, sizes, 1) > ask_memory().free) refuse_mesh(v, sizes, 1);
}

}  // namespace weft::cuda
