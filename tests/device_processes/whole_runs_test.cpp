// Transforms, planted deadlocks, callbacks and refusals: what a user sees of fabrics that processes
// share, each with a device.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "cuda_on_host/cuda.hpp"
#include "device_processes/shared_devices.hpp"
#include "distributed/failing_process.hpp"
#include "distributed/same_as_one.hpp"
#include "distributed/thread_processes.hpp"
#include "io/volume_file.hpp"
#include "support/deadlocks.hpp"
#include "support/effort.hpp"
#include "support/mesh.hpp"
#include "weft/fabric.hpp"
#include "weft/fft.hpp"
#include "weft/processes.hpp"

namespace weft::test::whole_runs_test {
namespace {

using Shared = std::shared_ptr<Processes>;

FftRun transform(FftOptions options, const Shape3& shape, Engine engine, const Shared& processes) {
  options.engine = engine;
  options.processes = processes;
  return FftPlan(shape, FftPrecision::fp32, options).forward(io::random_volume(shape, 5));
}

/// Of so many processes, and of one on the host.
void expect_transforms_alike(const FftOptions& options, const Shape3& shape,
                             const std::vector<int>& sizes) {
  const FftRun one = transform(options, shape, Engine::host, {});
  for (const int size : sizes)
    for (const std::string& text : Team{.size = size}.run([&](const Shared& processes) {
           const FftRun run = transform(options, shape, Engine::cuda, processes);
           EXPECT_EQ(run.report.engine, Engine::cuda);
           EXPECT_EQ(run.output.data, one.output.data);
           EXPECT_EQ(run.report.cycles, one.report.cycles);
           EXPECT_EQ(run.report.counters.wavelets, one.report.counters.wavelets);
           EXPECT_EQ(run.report.counters.hops, one.report.counters.hops);
           EXPECT_EQ(run.report.counters.delivered, one.report.counters.delivered);
           return std::string();
         }))
      EXPECT_EQ(text, "") << size << " processes";
}

TEST_F(SharedDevices, TransformACubeAsOneProcess) {
  expect_transforms_alike({.mesh = {8, 8}}, {8, 8, 8}, {1, 2});
  if (!sanitized()) expect_transforms_alike({.mesh = {16, 16}}, {16, 16, 16}, {3, 4});
}

TEST_F(SharedDevices, TransformABoxAsOneProcess) {
  expect_transforms_alike({.mesh = {8, 16}}, {16, 16, 8}, {2});
}

TEST_F(SharedDevices, CountWhatOneProcessCounts) {
  const FftOptions options{.mesh = {8, 8}, .observe = {.counts = true, .windows = 16}};
  const FftRun one = transform(options, {8, 8, 8}, Engine::host, {});
  for (const std::string& told : Team{.size = 2}.run([&](const Shared& processes) {
         const FftRun run = transform(options, {8, 8, 8}, Engine::cuda, processes);
         return difference(*one.report.profile, *run.report.profile);
       }))
    EXPECT_EQ(told, "");
}

TEST_F(SharedDevices, DeadlocksHaveTheSameReport) {
  int tall = 0;
  for (const PlantedDeadlock& planted : planted_deadlocks()) {
    if (planted.layout.height() <= 4) continue;
    ++tall;
    for (const std::string& told : Team{.size = 2}.run([&](const Shared& processes) {
           return error_of_run(planted.layout, test_machine(),
                               {.engine = Engine::cuda, .processes = processes});
         }))
      EXPECT_EQ(told, "program: " + planted.message) << planted.name;
  }
  EXPECT_GT(tall, 0);
}

TEST_F(SharedDevices, AnExceptionOfOneProgressEndsTheRunOfAll) {
  const auto text_of = [](const auto& work) -> std::string {
    try {
      work();
    } catch (const std::exception& error) {
      return error.what();
    }
    return "it has an end";
  };
  const std::vector<std::string> told = Team{.size = 2}.run([&](const Shared& processes) {
    FabricOptions options{.engine = Engine::cuda, .processes = processes};
    bool ends = processes->rank() == 1;
    options.progress = [&ends](std::uint64_t) {
      if (ends) throw std::runtime_error("enough");
    };
    Fabric fabric(wavelets_in_circle(), Machine{}, options);  // for ever
    const std::string first = text_of([&] { fabric.run(std::uint64_t{1} << 40U); });
    ends = false;
    const std::uint64_t ended_at = fabric.cycle();
    fabric.run(100);
    return fmt::format("{}; {} {}", first, ended_at > 0, fabric.cycle() - ended_at);
  });
  EXPECT_NE(told[0].find("process 1 has ended the run"), std::string::npos) << told[0];
  EXPECT_NE(told[0].find("; true 100"), std::string::npos) << told[0];
  EXPECT_EQ(told[1], "enough; true 100");
}

void expect_refusal(int processes, const FabricOptions& options,
                    const std::vector<std::string>& parts) {
  for (const std::string& told : Team{.size = processes}.run([&](const Shared& all) {
         FabricOptions shared = options;
         shared.engine = Engine::cuda;
         shared.processes = all;
         return error_of_run(Layout(8, 16), Machine{}, shared);
       }))
    for (const std::string& part : parts)
      EXPECT_NE(told.find(part), std::string::npos) << told << "\nhas not: " << part;
}

TEST_F(SharedDevices, MoreProcessesThanDevicesAreRefusedInAllOfThem) {
  cuda_on_host::control().devices = 2;
  expect_refusal(3, {},
                 {"environment: process 2 has no CUDA device", "sees 2 devices",
                  "start as many processes on a host as it has devices"});
}

/// A process that takes itself for the only one of its host.
class AloneOnHost : public Failing {
 public:
  explicit AloneOnHost(const Shared& all) : Failing(all, {}) {}
  int number_on_host() const override { return 0; }
};

TEST_F(SharedDevices, ProcessesWithTheSameDeviceAreRefusedInAllOfThem) {
  for (const std::string& told : Team{.size = 3}.run([](const Shared& all) {
         FabricOptions options{.engine = Engine::cuda};
         options.processes = std::make_shared<AloneOnHost>(all);
         return error_of_run(Layout(8, 16), Machine{}, options);
       }))
    EXPECT_NE(told.find("environment: processes 0 and 1 have the same CUDA device"),
              std::string::npos)
        << told;
}

}  // namespace
}  // namespace weft::test::whole_runs_test
