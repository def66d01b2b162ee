// Runs all loads, or those that are named, on the translated kernel, checks all words, and prints
// for each its name, PEs, cycles, and how often its warps executed each basic block: a JSON object
// a line.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "bench/gpu_count/ptx_runtime.hpp"
#include "bench/gpu_count/shapes.hpp"
#include "bench/loads/loads.hpp"
#include "cuda/pe/block.cuh"
#include "cuda/pe/pe_engine.hpp"
#include "cuda_on_host/cuda.hpp"
#include "pe_step/built_mesh.hpp"

namespace weft::pe_kernel {
namespace {

std::uint64_t stepped;  ///< cycles of a load, once it has ended

template <class T>
void put(unsigned char* at, const T& value) {
  std::memcpy(at, &value, sizeof value);
}

/// As it is in the kernel's name.
template <int colors, int slots>
std::string shape_name(pe::Shape<colors, slots>) {
  return fmt::format("ShapeILi{}ELi{}E", colors, slots);
}

/// The kernel, as nvcc has compiled it.
template <int colors, int slots>
void run_translated(Fabric<pe::Shape<colors, slots>> fabric, LaunchState* launch, int blocks) {
  static const auto& entry = *std::ranges::find_if(gpu_count::entries(), [](const auto& e) {
    return std::string(e.name).find(shape_name(pe::Shape<colors, slots>{})) != std::string::npos;
  });
  alignas(16) unsigned char parameters[sizeof fabric + 64];
  put(parameters + entry.offsets[0], fabric);
  put(parameters + entry.offsets[1], launch);
  put(parameters + entry.offsets[2], blocks);
  entry.run(parameters, nullptr);
  if (cuda::block() == 0 && threadIdx.x == 0) stepped = launch->stepped - kFirstStepped;
}

}  // namespace

template <class S>
std::size_t block_state_bytes() {
  return sizeof(BlockState<S>);
}
#define WEFT_SHAPE(colors, slots)                      \
  template <>                                          \
  StepKernel<pe::Shape<colors, slots>> step_kernel() { \
    return &run_translated<colors, slots>;             \
  }                                                    \
  template std::size_t block_state_bytes<pe::Shape<colors, slots>>();
WEFT_PE_SHAPES(WEFT_SHAPE)
#undef WEFT_SHAPE

}  // namespace weft::pe_kernel

namespace weft::gpu_count {
namespace {

/// All words of a PE.
std::vector<std::uint32_t> words_of(const Fabric& fabric, int x, int y, std::size_t count) {
  std::vector<std::uint32_t> words(count);
  fabric.read({x, y, 1, 1}, 0, words);
  return words;
}

template <class S>
void run(const loads::NamedLoad& named) {
  const std::string& name = named.name;
  const loads::Load load = named.make({});
  const fabric::State built = fabric::build(load.layout, load.machine);
  const int width = load.layout.width(), height = load.layout.height();
  const pe_kernel::Tiles tile = pe_kernel::tiles_of(width, height, width, height);
  const pe::Places places = pe_kernel::places_of(tile);
  std::vector<std::uint32_t> memory = test::no_memory(built, places.all_pes());
  const std::vector<pe::Code> code = pe::codes_of(built.code, built.private_cycles);
  const pe::Mesh<S> mesh(
      load.layout, pe::rules_of(load.layout, built.timing, test::view_of(built, code), false, true),
      test::programs_of(built), places, memory.data());
  Fabric reference(load.layout, load.machine);
  load.write(reference);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const std::vector<std::uint32_t> words = words_of(reference, x, y, mesh.words());
      std::uint32_t* const of_pe = test::memory_of(mesh, memory.data(), x, y);
      for (std::size_t w = 0; w < words.size(); ++w) of_pe[w * pe::kPatch] = words[w];
    }
  reference.run_until_idle(1'000'000);

  const pe_kernel::MemoryPart whole{0, places.all_pes() / pe::kPatch, 0, mesh.words()};
  pe_kernel::PeEngine<S> engine(
      mesh, {built.code.size(), built.programs.size(), built.shapes.size()}, {tile});
  engine.upload();
  engine.upload_memory(memory.data(), whole);
  take_counts();
  const engine::RunResult result = engine.run({.limit = 1'000'000, .block = 1 << 16});
  const std::vector<std::uint64_t> counts = take_counts();
  engine.download_memory(memory.data(), whole);
  engine.finish();
  if (result.cycle != reference.cycle()) {
    std::fprintf(stderr, "%s: %llu cycles, not %llu\n", name.c_str(),
                 static_cast<unsigned long long>(result.cycle),
                 static_cast<unsigned long long>(reference.cycle()));
    std::exit(1);
  }
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      if (test::words_of(mesh, memory.data(), x, y) != words_of(reference, x, y, mesh.words())) {
        std::fprintf(stderr, "%s: wrong words in PE (%d, %d)\n", name.c_str(), x, y);
        std::exit(1);
      }
  std::string blocks;
  for (std::size_t block = 0; block < counts.size(); ++block)
    if (counts[block] != 0)
      blocks += fmt::format("{}\"{}\": {}", blocks.empty() ? "" : ", ", block, counts[block]);
  fmt::print(
      "{{\"load\": \"{}\", \"shape\": \"{}\", \"pes\": {}, \"cycles\": {}, \"blocks\": {{{}}}}}\n",
      name, pe_kernel::shape_name(S{}), width * height,
      named.ahead ? result.cycle : pe_kernel::stepped, blocks);
}

}  // namespace
}  // namespace weft::gpu_count

int main(int arguments, char** values) {
  using namespace weft;
  cuda_on_host::control().multiprocessors = 1;
  cuda_on_host::control().stack_bytes = 512 * 1024;
  for (const auto& loads : {loads::programs(), loads::transforms()})
    for (const loads::NamedLoad& named : loads) {
      if (arguments > 1 &&
          std::find(values + 1, values + arguments, named.name) == values + arguments)
        continue;
      if (pe::numbered_colors(named.make({}).layout).size() <= 4)
        gpu_count::run<pe::Shape<4, 2>>(named);
      else
        gpu_count::run<pe::Shape<8, 2>>(named);
    }
}
