#include "gpu_check/steps.hpp"

#include <fmt/format.h>

namespace weft::gpu_check {
namespace {

using Words = std::vector<std::string>;

/// The cases, where an imitation takes others: it is a thousand times slower.
struct Sizes {
  std::vector<std::vector<int>> transforms;  ///< sides, a step for each group
  std::string meshes, shapes, cufft;         ///< filters of the tests on them
  std::string compared, compared_large;      ///< sides; of the latter, one transform each
  std::vector<int> timed;
  int runs;  ///< of each that is timed, below a side of 256
};

const Sizes kDevice = {{{4}, {8, 16}, {32, 64}, {128}},
                       "*RandomFabricsOnADevice*:*MeshesOnADevice*",
                       "*ShapesOnADevice*:*TransposesOnADevice*",
                       "Cufft.*",
                       "8,16,32,64",
                       "128,256",
                       {64, 128, 256, 512},
                       5};
const Sizes kImitation = {{{4}},
                          "*RandomFabricsOnADevice*/0:*MeshesOnADevice*/1x1on1",
                          "*ShapesOnADevice*/box",
                          "Cufft.*-*.AgreesWithTheEmulated*",
                          "4",
                          "8",
                          {4, 8},
                          1};

/// Of the smallest transform, and of fabrics of one strip and more: under compute-sanitizer a
/// kernel takes ten to a hundred times as long.
const char* const kSmall =
    "*/n4_fp32_forward:*/MeshesOnADevice*/1x40on1:*/MeshesOnADevice*/35x9on1";
const char* const kSmallest = "*/FftOnADevice*/n4_fp32_forward";

Step tests(const std::string& name, const std::string& filter, double limit_s,
           Needs needs = Needs::device) {
  return {name, needs, "weft-test-gpu", {"--gtest_filter=" + filter}, limit_s, read_tests};
}

Step transforms(const std::vector<int>& sides, double limit_s) {
  std::string filter;
  for (const int n : sides) filter += fmt::format("{}*/n{}_*", filter.empty() ? "" : ":", n);
  return tests(fmt::format("transforms of side {}", fmt::join(sides, ", ")), filter, limit_s);
}

Step compare(const std::string& name, const std::string& shapes, Words more, double limit_s) {
  Words words = {"compare", "--engines", "host,cuda", "--shapes", shapes, "--json", "-"};
  words.insert(words.end(), more.begin(), more.end());
  return {name, Needs::device, "weft", words, limit_s, read_compare};
}

Step benchmark(int side, int runs, double limit_s) {
  return {
      fmt::format("steps timed, side {}", side),
      Needs::device,
      "bench-device",
      {fmt::format("--sides={}", side), fmt::format("--runs={}", runs), "--benchmark_format=json"},
      limit_s,
      read_benchmark};
}

Step clocks(const std::string& name) {
  return {name,
          Needs::nothing,
          "host:nvidia-smi",
          {"--query-gpu=name,driver_version,pstate,clocks.sm,clocks.max.sm,clocks.mem,"
           "temperature.gpu,power.draw,memory.total,memory.used,ecc.mode.current,compute_mode",
           "--format=csv"},
          20,
          read_smi};
}

Step sanitizer(const std::string& tool, const std::string& filter) {
  Step step = tests("compute-sanitizer " + tool, filter, 90);
  step.read = read_sanitizer;
  step.tool = tool;
  return step;
}

}  // namespace

std::vector<Step> steps(bool imitation) {
  const Sizes& sizes = imitation ? kImitation : kDevice;
  std::vector<Step> all;
  all.push_back({"device", Needs::nothing, "weft", {"info", "--json", "-"}, 30, read_info});
  if (!imitation) all.push_back(clocks("nvidia-smi before"));
  all.push_back(tests("devices", "DevicesOfAGpuHost.*", 20));
  for (const auto& sides : sizes.transforms) {
    all.push_back(transforms(sides, 60));
    if (sides.front() == 4) all.push_back(tests("random fabrics", sizes.meshes, 90));
  }
  all.push_back(tests("transforms of other shapes and kinds", sizes.shapes, 60));
  all.push_back(tests("cuFFT", sizes.cufft, 60, Needs::cufft));
  all.push_back(compare("compared with references", sizes.compared, {}, 60));
  for (const int side : sizes.timed)
    all.push_back(benchmark(side, side >= 256 ? 1 : sizes.runs, side >= 512 ? 240 : 60));
  all.push_back(compare("large, compared and timed", sizes.compared_large,
                        {"--precisions", "fp32", "--directions", "forward"}, 60));
  if (!imitation) all.push_back(clocks("nvidia-smi after"));
  for (const char* tool : {"memcheck", "racecheck", "synccheck"})
    all.push_back(sanitizer(tool, imitation ? kSmallest : kSmall));
  return all;
}

}  // namespace weft::gpu_check
