// Runs of `weft fft` that go through: what they print and what they write.
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mman.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numbers>
#include <string>
#include <vector>

#include "command.hpp"
#include "fft_json.hpp"
#include "support/array_files.hpp"
#include "support/temporary_folder.hpp"
#include "weft/machine.hpp"
#include "weft/version.hpp"

namespace weft::test::fft_test {
namespace {

using Complex = std::complex<float>;
using nlohmann::json;

// The numbers of a complex64 .npy file in C order, after checking that its header says so.
std::vector<Complex> read_complex64(const std::string& path, const std::string& shape) {
  const std::string bytes = read_bytes(path);
  EXPECT_EQ(bytes.substr(0, 8), std::string("\x93NUMPY\x01\0", 8));
  const std::size_t length =
      static_cast<unsigned char>(bytes.at(8)) + 256u * static_cast<unsigned char>(bytes.at(9));
  const std::string header = bytes.substr(10, length);
  for (const std::string& part : {std::string("'<c8'"), std::string("False"), shape}) {
    EXPECT_NE(header.find(part), std::string::npos) << header;
  }
  std::vector<Complex> numbers((bytes.size() - 10 - length) / sizeof(Complex));
  std::memcpy(numbers.data(), bytes.data() + 10 + length, numbers.size() * sizeof(Complex));
  return numbers;
}

std::string write_complex64(const TemporaryFolder& folder, const std::vector<Complex>& numbers,
                            const std::string& shape) {
  return folder.write("in.npy", npy_file(npy_dictionary("<c8", shape), bytes_of(numbers)));
}

TEST(Fft, AnImpulseGivesAWaveAlongItsAxis) {
  constexpr std::size_t kSide = 4;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    SCOPED_TRACE(axis);
    const TemporaryFolder folder;
    const std::size_t strides[] = {kSide * kSide, kSide, 1};
    std::vector<Complex> impulse(kSide * kSide * kSide);
    impulse[strides[axis]] = 1;
    const std::string input = write_complex64(folder, impulse, "(4, 4, 4)");
    const CommandResult result =
        run_weft({"fft", "--input", input, "--output", folder.file("out.npy"), "--quiet"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    const std::vector<Complex> wave = read_complex64(folder.file("out.npy"), "(4, 4, 4)");
    ASSERT_EQ(wave.size(), impulse.size());
    for (std::size_t at = 0; at < wave.size(); ++at) {
      const double k = static_cast<double>(at / strides[axis] % kSide);
      const auto expected = std::polar(1.0, -2 * std::numbers::pi * k / kSide);
      EXPECT_NEAR(std::abs(std::complex<double>(wave[at]) - expected), 0, 1e-6) << at;
    }
  }
}

TEST(Fft, InverseUndoesForward) {
  const TemporaryFolder folder;
  std::vector<Complex> numbers(512);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    numbers[i] = {static_cast<float>(i % 7), static_cast<float>(i % 11) - 5};
  }
  const std::string input = write_complex64(folder, numbers, "(8, 8, 8)");
  const std::string middle = folder.file("middle.npy");
  const std::string back = folder.file("back.npy");
  EXPECT_EQ(run_weft({"fft", "--input", input, "--output", middle}).exit_code, 0);
  EXPECT_EQ(run_weft({"fft", "--input", middle, "--output", back, "--inverse"}).exit_code, 0);
  const std::vector<Complex> result = read_complex64(back, "(8, 8, 8)");
  ASSERT_EQ(result.size(), numbers.size());
  for (std::size_t i = 0; i < result.size(); ++i) {
    EXPECT_NEAR(std::abs(result[i] - numbers[i]), 0, 1e-4) << i;
  }
}

TEST(Fft, WithoutAccelerationsItIsTheSame) {
  const json all = run_json({"--shape", "16,16,16", "--engine", "host"});
  const json none =
      run_json({"--shape",   "16,16,16",    "--engine",     "host",      "--without",
                "by-line",   "--without",   "delay-lines",  "--without", "shared-execution",
                "--without", "equal-lines", "--without",    "run-ahead", "--without",
                "dry-run",   "--without",   "element-rows", "--without", "shortcuts"});
  for (const char* same : {"cycles", "wavelets", "wavelet_hops", "pe_cycles", "error"})
    EXPECT_EQ(all[same], none[same]) << same;
}

TEST(Fft, JsonHoldsTheWholeReport) {
  const json report = run_json({"--shape", "8,8,8", "--seed", "5", "--threads", "1"});
  EXPECT_EQ(report["version"], version());
  EXPECT_EQ(report["shape"], json({8, 8, 8}));
  EXPECT_EQ(report["mesh"], json({8, 8}));
  EXPECT_EQ(report["precision"], "fp32");
  EXPECT_EQ(report["direction"], "forward");
  EXPECT_EQ(report["engine"], "host");
  EXPECT_EQ(report["threads"], 1);
  EXPECT_EQ(report["input"], json({{"kind", "random"}, {"seed", 5}}));
  EXPECT_EQ(report["machine"]["name"], "wse2");
  for (const MachineConstant& constant : machine_constants()) {
    EXPECT_EQ(report["machine"][std::string(constant.name)], constant.default_value);
  }
  const json& error = report["error"];
  EXPECT_EQ(error["reference"], "fftw");
  EXPECT_EQ(error["ok"], true);
  EXPECT_LE(error["rel_l2"], error["bound"]);
  EXPECT_GT(error["max_abs"], 0);
  for (const char* key :
       {"time_us", "tflops", "peak_share", "wavelets", "wavelet_hops", "busiest_link",
        "busiest_ramp", "wall_seconds", "pe_cycles", "pe_cycles_per_second",
        "wavelet_hops_per_second", "peak_memory_bytes", "skipped_cycles"}) {
    ASSERT_TRUE(report[key].is_number()) << key;
    EXPECT_GT(report[key], 0) << key;
  }
}

TEST(Fft, WithoutDataTheCyclesAreTheSame) {
  const json with = run_json({"--shape", "8,8,8"});
  const json without = run_json({"--shape", "8,8,8", "--no-data"});
  EXPECT_EQ(with["data"], true);
  EXPECT_EQ(without["data"], false);
  EXPECT_TRUE(without["input"].is_null());
  EXPECT_TRUE(without["error"]["rel_l2"].is_null());
  for (const char* key : {"shape", "cycles", "wavelets", "wavelet_hops", "pe_cycles", "time_us"})
    EXPECT_EQ(with[key], without[key]) << key;
  const CommandResult text = run_weft({"fft", "--shape", "8,8,8", "--no-data"});
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_NE(text.out.find("not computed: cycles only"), std::string::npos) << text.out;
}

/// Some kernels share one page of zeros among all memory that was only read; others count each.
bool reading_takes_memory() {
  constexpr std::size_t kBytes = std::size_t{64} << 20U;
  void* const memory =
      mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return true;
  const auto resident = [] {
    long pages = 0, ours = 0;
    std::ifstream("/proc/self/statm") >> pages >> ours;
    return ours;
  };
  const long before = resident();
  const volatile char* const bytes = static_cast<char*>(memory);
  for (std::size_t i = 0; i < kBytes; i += 4096) (void)bytes[i];
  const long taken = resident() - before;
  munmap(memory, kBytes);
  return taken > static_cast<long>(kBytes / 4096 / 2);
}

TEST(Fft, WithoutDataThePEsOwnMemoryIsNotTaken) {
  if (reading_takes_memory()) GTEST_SKIP() << "on this host, memory that is only read takes some";
  const std::vector<std::string> run = {"--shape", "32,32,2048"};
  const json with = run_json(run);
  const json without = run_json({run[0], run[1], "--no-data"});
  EXPECT_EQ(with["cycles"], without["cycles"]);
  EXPECT_LT(4 * without["peak_memory_bytes"].get<double>(), with["peak_memory_bytes"]);
}

TEST(Fft, RealArraysHaveHalfASpectrum) {
  const TemporaryFolder folder;
  const std::string half = folder.file("half.npy"), back = folder.file("back.npy");
  std::vector<Complex> numbers;
  for (int k = 0; k < 4 * 4 * 8; ++k) numbers.emplace_back(static_cast<float>(k * k % 7), 0.0F);
  const std::string input = write_complex64(folder, numbers, "(4, 4, 8)");
  const json there = run_json({"--kind", "r2c", "--input", input, "--output", half});
  EXPECT_EQ(there["kind"], "r2c");
  EXPECT_EQ(there["shape"], (json{4, 4, 8}));
  EXPECT_TRUE(there["error"]["ok"].get<bool>());
  EXPECT_EQ(read_complex64(half, "(4, 4, 5)").size(), 4U * 4 * 5);
  const json again = run_json({"--kind", "c2r", "--input", half, "--output", back});
  EXPECT_EQ(again["direction"], "inverse");
  const std::vector<Complex> result = read_complex64(back, "(4, 4, 8)");
  for (std::size_t k = 0; k < numbers.size(); ++k)
    EXPECT_LT(std::abs(result[k] - numbers[k]), 1e-5F) << k;
  EXPECT_TRUE(run_json({"--kind", "c2r", "--shape", "8,8,8"})["error"]["ok"].get<bool>());
}

TEST(Fft, CyclesAddUp) {
  const json cycles = run_json({"--shape", "8,8,8"})["cycles"];
  const auto count = [&](const char* key) { return cycles[key].get<std::uint64_t>(); };
  EXPECT_GT(count("total"), 0u);
  EXPECT_EQ(count("compute") + count("communication"), count("total"));
  std::uint64_t by_phase = 0;
  ASSERT_FALSE(cycles["phases"].empty());
  for (const json& phase : cycles["phases"]) {
    EXPECT_FALSE(phase["name"].get<std::string>().empty());
    by_phase += phase["cycles"].get<std::uint64_t>();
  }
  EXPECT_EQ(by_phase, count("total"));
}

TEST(Fft, BackIsOneMoreExchangeAndIsOfWsfft) {
  std::vector<std::string> arguments{"--shape", "16,16", "--mesh", "16,1", "--no-data"};
  const json there = run_json(arguments)["cycles"];
  arguments.emplace_back("--back");
  const json back = run_json(arguments)["cycles"];
  EXPECT_EQ(back["phases"].size(), there["phases"].size() + 2);  // the exchange, and its ends
  EXPECT_GT(back["communication"].get<int>(), there["communication"].get<int>());
  const CommandResult refused = run_weft({"fft", "--algorithm", "s3dft", "--back"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_NE(refused.err.find("--back with --algorithm s3dft"), std::string::npos) << refused.err;
}

TEST(Fft, ButterfliesAreNotCalledCommunication) {
  const json cycles =
      run_json({"--shape", "8,8,8", "--transpose", "butterflies", "--no-data"})["cycles"];
  EXPECT_FALSE(cycles.contains("communication"));
  EXPECT_EQ(cycles["compute"].get<int>() + cycles["butterflies"].get<int>(),
            cycles["total"].get<int>());
  for (const json& phase : cycles["phases"])
    EXPECT_EQ(phase["kind"], phase["name"].get<std::string>().starts_with("butterflies")
                                 ? "butterflies"
                                 : "compute");
}

TEST(Fft, WithoutAReferenceNothingIsCompared) {
  const json report = run_json({"--shape", "4,4,4", "--reference", "none", "--inverse"});
  EXPECT_EQ(report["direction"], "inverse");
  for (const char* key : {"reference", "rel_l2", "max_abs", "bound", "ok"}) {
    EXPECT_TRUE(report["error"][key].is_null()) << key;
  }
}

TEST(Fft, AnEngineThatNobodyNamedIsTheHostsAndTheReportSaysWhy) {
  const std::string why =
      "  engine            host, as auto takes it: no GPU was measured to be quicker";
  const auto says = [&](const std::vector<std::string>& engine) {
    std::vector<std::string> arguments = {"fft", "--shape", "4,4,4"};
    arguments.insert(arguments.end(), engine.begin(), engine.end());
    const CommandResult result = run_weft(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_NE(result.out.find("on the host engine"), std::string::npos) << result.out;
    return result.out.find(why) != std::string::npos;
  };
  EXPECT_TRUE(says({}));
  EXPECT_TRUE(says({"--engine", "auto"}));
  EXPECT_FALSE(says({"--engine", "host"}));
}

TEST(Fft, AMachineProfileIsUsedAndReported) {
  const TemporaryFolder folder;
  const std::string file = folder.write("m.json", R"({"name": "slow", "ramp_cycles": 7})");
  const json slow = run_json({"--shape", "4,4,4", "--machine", file});
  const json plain = run_json({"--shape", "4,4,4"});
  EXPECT_EQ(slow["machine"]["name"], "slow");
  EXPECT_EQ(slow["machine"]["ramp_cycles"], 7);
  EXPECT_GT(slow["cycles"]["total"], plain["cycles"]["total"]);
}

TEST(Fft, ThreadsDoNotChangeTheResult) {
  const TemporaryFolder folder;
  const auto run = [&](const std::string& threads) {
    const std::string output = folder.file(threads + ".npy");
    const json report = run_json({"--shape", "32,32,32", "--threads", threads, "--output", output});
    EXPECT_EQ(report["threads"], std::stoi(threads));
    return std::pair(
        json{report["cycles"], report["wavelets"], report["wavelet_hops"], report["pe_cycles"]},
        read_bytes(output));
  };
  const auto one = run("1");
  EXPECT_FALSE(one.second.empty());
  for (const char* threads : {"2", "3", "7"}) {
    EXPECT_TRUE(run(threads) == one) << threads << " threads";
  }
}

TEST(Fft, ThreadsAreThoseThatThisProcessMayUse) {
  cpu_set_t all, one;
  ASSERT_EQ(::sched_getaffinity(0, sizeof all, &all), 0);
  const int cores = std::min(CPU_COUNT(&all), 16 / 4);  // one for four rows
  EXPECT_EQ(run_json({"--shape", "16,16,16"})["threads"], cores);
  CPU_ZERO(&one);
  CPU_SET(::sched_getcpu(), &one);
  ASSERT_EQ(::sched_setaffinity(0, sizeof one, &one), 0);  // `weft` inherits it
  const json report = run_json({"--shape", "16,16,16"});
  ASSERT_EQ(::sched_setaffinity(0, sizeof all, &all), 0);
  EXPECT_EQ(report["threads"], 1);
}

TEST(Fft, TheReportSaysWhatWasConverted) {
  const TemporaryFolder folder;
  std::vector<std::int32_t> numbers(64, -7);
  numbers[5] = (1 << 24) + 1;
  const std::string ints =
      folder.write("ints.npy", npy_file(npy_dictionary("<i4", "(4, 4, 4)"), bytes_of(numbers)));
  CommandResult result = run_weft({"fft", "--input", ints});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "") << "rounding is no warning";
  EXPECT_NE(result.out.find(ints + ", int32 converted to float32 (1 number rounded)\n"),
            std::string::npos)
      << result.out;
  const json input = run_json({"--input", ints})["input"];
  EXPECT_EQ(input["type"], "int32");
  EXPECT_EQ(input["rounded"], 1);
  EXPECT_EQ(input["underflows"], 0);

  nifti_1_header header = nifti_header({4, 4, 4}, DT_INT16);
  header.scl_slope = 0.5F;
  header.scl_inter = 3;
  const std::string scan =
      folder.write("scan.nii", nifti_file(header, bytes_of(std::vector<std::int16_t>(64, 5))));
  result = run_weft({"fft", "--input", scan, "--shape", "8,8,8", "--fit", "pad"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find(scan + " of shape 4 x 4 x 4, padded to fit, int16 scaled by 0.5 plus "
                                   "3, converted to float32\n"),
            std::string::npos)
      << result.out;

  const std::string plain = write_complex64(folder, std::vector<Complex>(64, 1), "(4, 4, 4)");
  result = run_weft({"fft", "--input", plain});
  EXPECT_NE(result.out.find(plain + "\n"), std::string::npos) << result.out;
}

TEST(Fft, NumbersLostToZeroAreAWarning) {
  const TemporaryFolder folder;
  std::vector<double> numbers(64, 1.0);
  numbers[3] = 1e-60;
  const std::string input =
      folder.write("tiny.npy", npy_file(npy_dictionary("<f8", "(4, 4, 4)"), bytes_of(numbers)));
  const CommandResult result = run_weft({"fft", "--input", input, "--quiet"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.err, "weft: input warning: 1 number of '" + input +
                            "' became 0 (float32 has none so small); scale the array up\n");
  numbers[3] = 0;
  folder.write("tiny.npy", npy_file(npy_dictionary("<f8", "(4, 4, 4)"), bytes_of(numbers)));
  EXPECT_EQ(run_weft({"fft", "--input", input, "--quiet"}).err, "") << "0 itself is not lost";
}

TEST(Fft, WritesAllThatWasAskedFor) {
  const TemporaryFolder folder;
  const CommandResult result =
      run_weft({"fft", "--shape", "8,8,8", "--output", folder.file("a.npy"), "--png",
                folder.file("a.png"), "--json", folder.file("a.json")});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  EXPECT_EQ(folder.count(), 3u);
  EXPECT_EQ(read_complex64(folder.file("a.npy"), "(8, 8, 8)").size(), 512u);
  EXPECT_EQ(read_bytes(folder.file("a.png")).substr(1, 3), "PNG");
  EXPECT_EQ(json::parse(read_bytes(folder.file("a.json")))["error"]["ok"], true);
  for (const char* part : {"8 x 8 x 8", "wse2", "ok: relative L2 error", "compute", "communication",
                           "wavelet-hops", "PE-cycles/s", "TFLOP/s", "at 1 multiply-add a cycle",
                           "on a ramp, by count of the program", "a.npy", "a.png", "a.json"}) {
    EXPECT_NE(result.out.find(part), std::string::npos) << part << " not in\n" << result.out;
  }
}

TEST(Fft, AResultBeyondTheBoundIsFourAndStillWritten) {
  const TemporaryFolder folder;
  // Sums of these pass the largest single-precision number, but not FFTW's double.
  const std::string input =
      write_complex64(folder, std::vector<Complex>(64, Complex(3e38f, 0)), "(4, 4, 4)");
  const CommandResult result =
      run_weft({"fft", "--input", input, "--output", folder.file("out.npy"), "--json",
                folder.file("out.json"), "--quiet"});
  expect_error_line(result, 4, "comparison", {"bound"});
  EXPECT_EQ(read_complex64(folder.file("out.npy"), "(4, 4, 4)").size(), 64u);
  EXPECT_EQ(json::parse(read_bytes(folder.file("out.json")))["error"]["ok"], false);
  const CommandResult loud = run_weft({"fft", "--input", input});
  EXPECT_EQ(loud.exit_code, 4);
  EXPECT_NE(loud.out.find("FAILED"), std::string::npos) << loud.out;
  EXPECT_EQ(run_weft({"fft", "--input", input, "--reference", "none"}).exit_code, 0);
}

}  // namespace
}  // namespace weft::test::fft_test
