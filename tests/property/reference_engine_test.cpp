// The specification as an engine that users choose: it answers as the host does.
#include <gtest/gtest.h>

#include <chrono>
#include <stdexcept>
#include <string>

#include "fabric/stepper/stepper.hpp"
#include "io/volume_file.hpp"
#include "support/mesh.hpp"

namespace weft::test::reference_engine_test {
namespace {

FabricOptions on_reference() {
  FabricOptions options;
  options.engine = Engine::reference;
  return options;
}

/// The words of a program's fault, or of the layout's error, on an engine.
std::string message_on(const Layout& layout, Engine engine) {
  FabricOptions options;
  options.engine = engine;
  try {
    Fabric(layout, test_machine(), options).run_until_idle(5000);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

Layout placed(ProgramBuilder& b) {
  Layout layout(2, 2);
  layout.place({1, 1, 1, 1}, b.build());
  return layout;
}

TEST(ReferenceEngine, TransformsAsTheHostDoes) {
  for (const int n : {4, 8})
    for (const FftPrecision precision : {FftPrecision::fp16, FftPrecision::fp32})
      for (const FftDirection direction : {FftDirection::forward, FftDirection::inverse}) {
        if (sanitized() && n > 4) continue;
        const Shape3 shape{static_cast<std::size_t>(n), static_cast<std::size_t>(n),
                           static_cast<std::size_t>(n)};
        const Volume input = io::random_volume(shape, 3);
        FftOptions options;
        options.engine = Engine::host;
        const FftRun host = FftPlan(shape, precision, options).run(input, direction);
        options.engine = Engine::reference;
        const FftRun reference = FftPlan(shape, precision, options).run(input, direction);
        EXPECT_EQ(reference.report.engine, Engine::reference);
        EXPECT_TRUE(reference.output.data == host.output.data);
        EXPECT_EQ(reference.report.cycles, host.report.cycles);
        EXPECT_EQ(reference.report.counters.wavelets, host.report.counters.wavelets);
        EXPECT_EQ(reference.report.counters.hops, host.report.counters.hops);
      }
}

TEST(ReferenceEngine, AnExceptionStopsItBetweenTwoCycles) {
  Mesh mesh(3);
  mesh.line(5);
  mesh.pe(0).wait(20).send(0, 5, counting(30));
  mesh.pe(2).receive(0, 30);
  const auto stopped = fabric::make_spec_stepper(mesh.layout(), mesh.machine());
  engine::RunOptions options{.limit = 5000, .pause = std::chrono::milliseconds(0)};
  options.progress = [](std::uint64_t cycle) {
    if (cycle == 60) throw std::runtime_error("enough");
  };
  const engine::RunResult first = stopped->run(options);
  EXPECT_TRUE(first.thrown);
  EXPECT_EQ(first.cycle, 60U);
  options.progress = {};
  const engine::RunResult rest = stopped->run(options);

  const auto whole = fabric::make_spec_stepper(mesh.layout(), mesh.machine());
  EXPECT_EQ(rest.cycle, whole->run(options).cycle);
  EXPECT_EQ(rest.stop, engine::Stop::quiet);
  EXPECT_EQ(stopped->totals(), whole->totals());
}

TEST(ReferenceEngine, FaultsInTheSameWords) {
  ProgramBuilder b("far");
  b.start(b.local_task(0));
  b.dbase(Dsr{0}, 8);
  b.dlen(Dsr{0}, 9);
  b.dstride(Dsr{0}, -1);
  b.vmov32r(Dsr{0}, Reg{1});
  b.end();
  const std::string host = message_on(placed(b), Engine::host);
  EXPECT_NE(host.find("byte address 4294967292,"), std::string::npos) << host;
  EXPECT_EQ(message_on(placed(b), Engine::reference), host);
}

TEST(ReferenceEngine, RefusesWhatTheHostRefuses) {
  ProgramBuilder b("twice");
  b.start(b.local_task(0));
  b.end();
  Layout layout = placed(b);
  layout.place({0, 0, 2, 2}, b.build());
  const std::string host = message_on(layout, Engine::host);
  EXPECT_NE(host.find("overlap"), std::string::npos) << host;
  EXPECT_EQ(message_on(layout, Engine::reference), host);
}

TEST(ReferenceEngine, NeedsData) {
  ProgramBuilder b("any");
  b.start(b.local_task(0));
  b.end();
  FabricOptions options = on_reference();
  options.data = false;
  EXPECT_THROW(Fabric(placed(b), test_machine(), options), Error);
}

}  // namespace
}  // namespace weft::test::reference_engine_test
