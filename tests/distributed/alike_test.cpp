// Processes that do not share one fabric, or do not make the same run of it, are told so, all of
// them, and none waits.
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "distributed/thread_processes.hpp"
#include "support/mesh.hpp"
#include "weft/fabric.hpp"
#include "weft/processes.hpp"

namespace weft::test::alike_test {
namespace {

using Shared = std::shared_ptr<Processes>;

/// All that a fabric is made of.
struct Made {
  Layout layout{8, 12};
  Machine machine{};
  FabricOptions options{};
  std::uint64_t limit = 1000;
};

Made made() {
  Made made;
  made.layout.place({2, 1, 3, 10}, counting_task());
  made.layout.route({0, 3, 8, 1}, 3, {Port::west, Port::ramp, {}, false, 0, PopMode::no_pop, 2});
  made.layout.filter({0, 3, 8, 1}, 3, CounterFilter{});
  return made;
}

std::string said_by(const Made& made, const Shared& processes) {
  FabricOptions options = made.options;
  options.processes = processes;
  try {
    Fabric(made.layout, made.machine, options).run_until_idle(made.limit);
  } catch (const Error& error) {
    return std::string(to_string(error.category())) + ": " + error.what();
  }
  return "no error";
}

/// One of three processes makes what `change` makes of it.
void expect_said(int rank, const std::function<void(Made&)>& change, const std::string& part) {
  Team team{.size = 3};
  for (const std::string& told : team.run([&](const Shared& processes) {
         Made mine = made();
         if (processes->rank() == rank) change(mine);
         return said_by(mine, processes);
       }))
    EXPECT_NE(told.find(part), std::string::npos) << told << "\nhas not: " << part;
}

TEST(UnlikeProcesses, LearnWhichOneDiffersAndInWhat) {
  expect_said(
      1, [](Made&) {}, "no error");
  expect_said(
      2, [](Made& m) { m.machine.ramp_cycles += 1; },
      "usage: process 2 of 3 makes another fabric than process 0 (it differs in its machine "
      "profile); ");
  expect_said(
      1,
      [](Made& m) {
        m.layout.place({0, 0, 1, 1}, counting_task());
      },
      "process 1 of 3 makes another fabric than process 0 (it differs in its programs)");
  expect_said(
      1,
      [](Made& m) {
        Program other = counting_task();
        other.symbols.at("count").address += 4;
        m.layout = Layout(8, 12);
        m.layout.place({2, 1, 3, 10}, other);
      },
      "(it differs in its programs, routes, filters or names of colors)");
  expect_said(
      2,
      [](Made& m) {
        m.layout.route({0, 5, 1, 1}, 3, {Port::ramp, Port::east});
      },
      "process 2 of 3 makes another fabric than process 0 (it differs in its routes, filters");
  expect_said(
      1,
      [](Made& m) {
        m.layout.filter({0, 3, 1, 1}, 3, RangeFilter{1, 2});
      },
      "in its routes,");
  expect_said(
      1, [](Made& m) { m.layout = Layout(8, 16); }, "in its size, programs, routes");
  expect_said(
      2, [](Made& m) { m.options.accelerate.run_ahead = false; },
      "process 2 of 3 makes another fabric than process 0 (it differs in its options)");
}

TEST(UnlikeProcesses, WhatOnlyOneOfThemIsRefusedIsAnErrorOfAll) {
  expect_said(
      1, [](Made& m) { m.options.observe.counts = true; }, "in its options");
  expect_said(
      1, [](Made& m) { m.options.threads = 0; }, "usage: invalid count of threads: 0");
}

TEST(UnlikeProcesses, MayHaveOtherThreads) {
  expect_said(
      1, [](Made& m) { m.options.threads = 3; }, "no error");
}

TEST(UnlikeProcesses, RunToTheSameLimit) {
  expect_said(
      2, [](Made& m) { m.limit = 2000; },
      "usage: process 2 of 3 makes another run than process 0 (it is at cycle 0 and goes to 2000, "
      "process 0 is at 0 and goes to 1000)");
}

}  // namespace
}  // namespace weft::test::alike_test
