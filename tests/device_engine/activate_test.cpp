// The host activates tasks of a fabric that a device has, before its first run and between others.
#include <gtest/gtest.h>

#include "device_engine/device_engine_test.hpp"
#include "support/mesh.hpp"

namespace weft::test::activate_test {
namespace {

class ActivationOnADevice : public DeviceEngineTest {};

/// PEs of several tiles count how often, and note when, their task 5 runs.
Layout counting(int width = 80, int height = 5) {
  Layout layout(width, height);
  layout.place({0, 0, width, height}, counting_task());
  return layout;
}

/// The cycle at the end of each run, and the words of all PEs.
std::vector<std::uint64_t> steps_on(Engine engine) {
  FabricOptions options;
  options.engine = engine;
  Machine machine = test_machine();
  machine.pe_memory_bytes = 1024;
  Fabric f(counting(), machine, options);
  const Rect all{0, 0, 80, 5};
  const Task step{TaskKind::local, 5};
  std::vector<std::uint64_t> found;
  for (const Rect& where : {Rect{70, 1, 3, 4}, all, Rect{0, 0, 1, 1}, all}) {
    f.activate(where, step);
    f.activate(where, step);  // a bit
    f.run_until_idle(100'000);
    found.push_back(f.cycle());
  }
  f.activate(all, step);
  EXPECT_EQ(f.run(3), RunEnd::limit);  // the task has been taken
  f.activate({40, 0, 40, 2}, step);    // and is taken once more
  f.run_until_idle(200'000);
  found.push_back(f.cycle());
  for (const char* symbol : {"cycle", "count"})
    for (const std::uint32_t word : f.read<std::uint32_t>(all, symbol)) found.push_back(word);
  found.push_back(f.counters().wavelets);
  return found;
}

// Both are stepped by one kernel, of which the second asks for less shared memory.
TEST_F(ActivationOnADevice, FabricsOfDifferentSizesAreStepped) {
  cuda_on_host::control().multiprocessors = 1;
  FabricOptions options;
  options.engine = Engine::cuda;
  Machine machine = test_machine();
  machine.pe_memory_bytes = 1024;
  Fabric large(counting(64, 32), machine, options), small(counting(4, 4), machine, options);
  for (Fabric* const fabric : {&small, &large, &small}) {
    fabric->activate({0, 0, 4, 4}, {TaskKind::local, 5});
    EXPECT_NO_THROW(fabric->run_until_idle(fabric->cycle() + 10'000));
  }
  EXPECT_EQ(large.read<std::uint32_t>({0, 0, 1, 1}, "count").front(), 1U);
  EXPECT_EQ(small.read<std::uint32_t>({0, 0, 1, 1}, "count").front(), 2U);
}

TEST_F(ActivationOnADevice, IsThatOnTheHost) {
  cuda_on_host::control().multiprocessors = 4;  // several tiles
  const std::vector<std::uint64_t> on_host = steps_on(Engine::host);
  EXPECT_EQ(steps_on(Engine::cuda), on_host);
  EXPECT_EQ(on_host[5 + 400 + 1], 3U);        // the count of PE (1, 0): of all, three times
  EXPECT_EQ(on_host[5 + 400 + 79], 4U);       // that of PE (79, 0): and on the way
  EXPECT_EQ(on_host[5 + 400 + 80 + 70], 5U);  // that of PE (70, 1): and before the first run
}

/// Cycles at the ends of runs of a fabric that the host has to do with in between.
std::vector<std::uint64_t> rests_on(Engine engine) {
  Program program = counting_task();
  program.blocked_local = 1U << 5U;
  Layout layout(9, 1);
  layout.place({0, 0, 9, 1}, program);
  FabricOptions options;
  options.engine = engine;
  Fabric f(layout, test_machine(), options);
  std::vector<std::uint64_t> ends;
  const auto run = [&](RunEnd end) {
    EXPECT_EQ(f.run(100), end);
    ends.push_back(f.cycle());
  };
  run(RunEnd::idle);
  run(RunEnd::idle);
  f.activate({8, 0, 1, 1}, Task{TaskKind::local, 5});
  run(RunEnd::stuck);
  run(RunEnd::stuck);
  return ends;
}

TEST_F(ActivationOnADevice, AFabricAtRestTakesNoCycles) {
  const std::vector<std::uint64_t> on_host = rests_on(Engine::host);
  EXPECT_EQ(on_host[1], on_host[0]);
  EXPECT_EQ(on_host[2], on_host[0] + 1) << "the task is blocked";
  EXPECT_EQ(on_host[3], on_host[2]);
  EXPECT_EQ(rests_on(Engine::cuda), on_host);
  EXPECT_EQ(rests_on(Engine::reference), on_host);
}

}  // namespace
}  // namespace weft::test::activate_test
