// Files of traces.
#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

#include "support/expect_error.hpp"
#include "support/resource_limit.hpp"
#include "weft/weft.hpp"

namespace weft::test::io_trace_test {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string gunzipped(const fs::path& path) {
  std::string text;
  gzFile file = gzopen(path.c_str(), "rb");
  char part[4096];
  for (int n = 0; (n = gzread(file, part, sizeof part)) > 0;)
    text.append(part, static_cast<std::size_t>(n));
  EXPECT_EQ(gzclose(file), Z_OK);
  return text;
}

/// A folder that is gone after the test.
class Files : public testing::Test {
 protected:
  Files() { fs::create_directories(folder_); }
  ~Files() override { fs::remove_all(folder_); }
  fs::path path(const std::string& name) const { return folder_ / name; }

 private:
  fs::path folder_ =
      fs::temp_directory_path() /
      ("weft-traces-" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()) +
       std::to_string(::getpid()));
};

/// PE 0 sends three words to PE 1.
Fabric sending(const std::string& color_name = "words",
               const std::vector<EventChoice>& choices = {{}}) {
  Design design(2, 1);
  const Color color = design.color(color_name);
  design.route({0, 0, 1, 1}, color, {.rx = Port::ramp, .tx = Port::east});
  design.route({1, 0, 1, 1}, color, {.rx = Port::west, .tx = Port::ramp});
  design.program({0, 0, 1, 1}, "sends", [&](PeProgram& pe) {
    const PeVector u = pe.array<float>("u", 3);
    pe.fill(u, 1.5F);
    pe.copy(pe.to(color), u);
  });
  design.program({1, 0, 1, 1}, "receives", [&](PeProgram& pe) {
    const PeVector v = pe.array<float>("v", 3);
    pe.copy(v, pe.from(color));
  });
  FabricOptions options;
  options.observe.events = choices;
  return design.fabric({}, options);
}

TraceSummary trace(Fabric&& fabric, const fs::path& path, std::uint64_t limit = kTraceLimit) {
  Trace trace(fabric, path, limit);
  fabric.run_until_idle(1000);
  return trace.close();
}

using TraceFiles = Files;

TEST_F(TraceFiles, OfLinesAreTheGoldenOnes) {
  const std::vector<EventChoice> choices = {{.kinds = event_kinds("wavelet")},
                                            {.kinds = event_kinds("task")}};
  trace(sending("words", choices), path("run.log"));
  EXPECT_EQ(text_of(path("run.log")), R"(@0 P0.0: task start the main task
@0 P1.0: task start the main task
@27 P0.0: sent color 0 (words) from queue 3
@28 P0.0: sent color 0 (words) from queue 3
@28 P0.0: hop color 0 (words) from ramp to east
@28 P0.0: task end
@29 P0.0: sent color 0 (words) from queue 3
@29 P0.0: hop color 0 (words) from ramp to east
@29 P1.0: delivered color 0 (words) from west to queue 0
@30 P0.0: hop color 0 (words) from ramp to east
@30 P1.0: delivered color 0 (words) from west to queue 0
@31 P1.0: delivered color 0 (words) from west to queue 0
@34 P1.0: task end
)");
}

TEST_F(TraceFiles, CompressedOnesHaveTheSameText) {
  for (const std::string name : {"run.log", "run.json", "run.pftrace"}) {
    trace(sending(), path(name));
    const TraceSummary packed = trace(sending(), path(name + ".gz"));
    EXPECT_EQ(gunzipped(path(name + ".gz")), text_of(path(name))) << name;
    EXPECT_EQ(packed.bytes, fs::file_size(path(name + ".gz")));
    EXPECT_EQ(packed.lacks_from, std::nullopt);
  }
}

TEST_F(TraceFiles, OfChromeAreJsonWithAnArrowForEachWavelet) {
  trace(sending("</script>\n\xff"), path("run.json"));
  const auto all = nlohmann::json::parse(text_of(path("run.json"))).at("traceEvents");
  const auto phases = [&](const char* phase) {
    return std::ranges::count_if(all, [&](const auto& e) { return e.at("ph") == phase; });
  };
  EXPECT_EQ(phases("s"), 3);
  EXPECT_EQ(phases("f"), 3);
  EXPECT_EQ(phases("B"), phases("E"));
  EXPECT_GT(phases("B"), 0);
}

TEST_F(TraceFiles, OfPerfettoAreReadByProtoc) {
  if (std::system("protoc --version > /dev/null 2>&1") != 0)
    GTEST_SKIP() << "no protoc (Debian: protobuf-compiler)";
  trace(sending(), path("run.pftrace"));
  const std::string command = "protoc --decode_raw < '" + path("run.pftrace").string() + "' > '" +
                              path("run.txt").string() + "'";
  ASSERT_EQ(std::system(command.c_str()), 0);
  std::istringstream lines(text_of(path("run.txt")));
  int packets = 0, begins = 0, ends = 0, flows = 0, last_of_flows = 0;
  for (std::string line; std::getline(lines, line);) {
    packets += line == "1 {" ? 1 : 0;
    begins += line == "    9: 1" ? 1 : 0;
    ends += line == "    9: 2" ? 1 : 0;
    flows += line.starts_with("    47: 0x") ? 1 : 0;
    last_of_flows += line.starts_with("    48: 0x") ? 1 : 0;
  }
  EXPECT_GT(packets, 20);
  EXPECT_EQ(begins, ends);
  EXPECT_GT(begins, 3);
  EXPECT_EQ(flows, 3);
  EXPECT_EQ(last_of_flows, 3);
}

TEST_F(TraceFiles, AtItsLimitAFileIsWhole) {
  const TraceSummary summary = trace(sending(), path("run.json"), 1200);
  ASSERT_TRUE(summary.lacks_from);
  EXPECT_EQ(summary.bytes, fs::file_size(path("run.json")));
  EXPECT_LT(summary.bytes, 3000U);
  const auto all = nlohmann::json::parse(text_of(path("run.json"))).at("traceEvents");
  for (const auto& e : all)
    EXPECT_LT(e.value("ts", 0.0) * 1000, static_cast<double>(*summary.lacks_from));
}

TEST_F(TraceFiles, UntilTheyAreClosedThereIsNone) {
  {
    Fabric fabric = sending();
    const Trace trace(fabric, path("run.npy"));
    fabric.run_until_idle(1000);
  }
  EXPECT_TRUE(fs::is_empty(path("")));
}

TEST_F(TraceFiles, AFabricOutlivesItsTrace) {
  Fabric fabric = sending();
  {
    const Trace trace(fabric, path("run.npy"));
    fabric.run(10);
  }
  fabric.run_until_idle(1000);
}

TEST_F(TraceFiles, AFabricHasOneAtATime) {
  Fabric fabric = sending();
  Trace first(fabric, path("a.log"));
  expect_error(
      ErrorCategory::usage, [&] { const Trace t(fabric, path("b.log")); }, "close that trace");
  fabric.run(28);
  first.close();
  { const Trace second(fabric, path("b.log")); }
  Trace third(fabric, path("c.log"));
  fabric.run_until_idle(1000);
  third.close();
  EXPECT_TRUE(text_of(path("a.log")).starts_with("@0 "));
  EXPECT_TRUE(text_of(path("c.log")).starts_with("@28 ")) << text_of(path("c.log"));
  EXPECT_FALSE(fs::exists(path("b.log")));
}

TEST_F(TraceFiles, ThatLackBytesNeverAppear) {
  for (const std::string name : {"run.log", "run.npy", "run.json.gz"}) {
    std::ofstream(path(name)) << "old";
    {
      Fabric fabric = sending();
      Trace trace(fabric, path(name));
      fabric.run_until_idle(1000);
      {
        const ResourceLimit limit(RLIMIT_FSIZE, 64);
        expect_error(
            ErrorCategory::environment, [&] { trace.close(); }, "cannot write", "too large");
      }
      expect_error(
          ErrorCategory::environment, [&] { trace.close(); }, "cannot write", "too large");
    }
    EXPECT_EQ(text_of(path(name)), "old");
    fs::remove(path(name));
  }
  EXPECT_TRUE(fs::is_empty(path("")));
}

TEST_F(TraceFiles, AWriteThatFailsIsNotTriedAgain) {
  Fabric fabric = sending();
  int writes = 0;
  TraceStream stream(fabric, trace_format("run.log"), kTraceLimit,
                     [&](std::string_view) -> std::uint64_t {
                       ++writes;
                       throw 7;
                     });
  fabric.run_until_idle(1000);
  EXPECT_THROW(stream.close(), int);
  EXPECT_THROW(stream.close(), int);
  EXPECT_EQ(writes, 1);
}

TEST_F(TraceFiles, WrongNamesAndQuietFabricsAreRefused) {
  Fabric fabric = sending();
  expect_error(
      ErrorCategory::usage, [&] { const Trace t(fabric, path("run.txt")); }, ".pftrace.gz");
  expect_error(
      ErrorCategory::usage, [&] { const Trace t(fabric, path("run.npy.gz")); }, ".npy");
  expect_error(
      ErrorCategory::environment, [&] { const Trace t(fabric, path("no/run.npy")); }, "run.npy");
  Fabric quiet = sending("words", {});
  expect_error(
      ErrorCategory::usage, [&] { const Trace t(quiet, path("run.npy")); }, "observe.events");
}

}  // namespace
}  // namespace weft::test::io_trace_test
