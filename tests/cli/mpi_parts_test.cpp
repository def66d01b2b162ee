// `mpirun -n p weft fft` by parts: each process reads and writes what is its own, the file is that
// of one process, no process holds the whole volume, and errors leave files as they were.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mpi_command.hpp"
#include "paths.hpp"
#include "support/array_files.hpp"
#include "support/effort.hpp"
#include "support/temporary_folder.hpp"

namespace weft::test::mpi_parts_test {
namespace {

constexpr const char* kAlone = " --threads 1 --reference none --quiet";

/// The transform of these words by one process and by several: the files are the same.
void expect_same_output(const std::string& words, int processes) {
  SCOPED_TRACE(fmt::format("{}, {} processes", words, processes));
  const TemporaryFolder folder;
  const bool draws = words.find("--batch") == std::string::npos;
  const auto run = [&](int count, const std::string& name) {
    const std::string picture =
        draws ? fmt::format("--png '{}'", folder.file(name + ".png")) : std::string();
    const CommandResult result =
        run_processes(count, fmt::format("fft {} {} --output '{}' {}", words, kAlone,
                                         folder.file(name + ".npy"), picture));
    EXPECT_EQ(result.exit_code, 0) << result.err;
  };
  run(1, "one");
  run(processes, "all");
  for (const char* const suffix : {".npy", ".png"}) {
    if (!draws && std::string_view(suffix) == ".png") continue;
    const std::string one = read_bytes(folder.file(std::string("one") + suffix));
    EXPECT_GT(one.size(), 128U);
    EXPECT_TRUE(read_bytes(folder.file(std::string("all") + suffix)) == one) << suffix;
  }
  EXPECT_EQ(folder.count(), draws ? 4U : 2U) << "a temporary file is left";
}

TEST(MpiParts, OfRandomNumbersAreWrittenAsByOneProcess) {
  SKIP_WITHOUT_MPI();
  int processes = 1;
  for (const char* const words :
       {"--shape 32,32,32 --mesh 32,32", "--shape 20,18,12 --mesh 8,15 --inverse",
        "--shape 24,20,18 --mesh 8,16 --kind r2c --precision fp16",
        "--shape 24,20,18 --mesh 8,16 --kind c2r", "--shape 8,8,8 --mesh 16,16 --batch 5",
        "--shape 8,8 --mesh 8,16 --batch 13", "--shape 16,16,4,6 --mesh 8,16 --seed 4",
        "--shape 40,36 --mesh 2,16", "--shape 1,16,18 --mesh 1,16 --inverse",
        "--shape 4096 --mesh 16,16", "--shape 8192 --mesh 8,32 --batch 3 --inverse",
        "--shape 12,10 --mesh 4,32 --batch 17 --kind c2r",
        "--shape 16,16,16 --mesh 16,16 --algorithm s3dft",
        "--shape 16,16,16 --mesh 32,16 --algorithm s3dft --s3dft-form cubes"})
    expect_same_output(words, 2 + processes++ % 3);
}

/// A file of 8 x 16 x 8 numbers of this type, of which one is no float32 exactly.
template <class Real>
std::string file_of(const char* descr, bool reversed, bool fortran_order) {
  std::mt19937_64 draw(seed_from(3));
  const std::size_t parts = std::string_view(descr).find('c') == std::string_view::npos ? 1 : 2;
  std::vector<Real> numbers(std::size_t{8} * 16 * 8 * parts);
  for (Real& number : numbers) number = static_cast<Real>(draw() % 2000) - static_cast<Real>(1000);
  return npy_file(npy_dictionary(descr, "(8, 16, 8)", fortran_order), bytes_of(numbers, reversed));
}

TEST(MpiParts, OfFilesAreReadAsByOneProcess) {
  SKIP_WITHOUT_MPI();
  const TemporaryFolder folder;
  const std::string zeros(40, '\0');
  const struct {
    const char* name;
    std::string bytes;
  } files[] = {
      {"complex.npy", file_of<float>("<c8", false, false)},
      {"double.npy", file_of<double>(">f8", true, false) + zeros},
      {"short.npy", file_of<std::int16_t>("<i2", false, false)},
      {"columns.npy", file_of<double>("<c16", false, true)},
      {"packed.npy", gzip(file_of<float>("<f4", false, false))},
      {"image.nii", nifti_file(nifti_header({8, 16, 8}, DT_INT16),
                               bytes_of(std::vector<std::int16_t>(1024, 7)))},
  };
  const std::pair<const char*, int> cases[] = {
      {"--mesh 8,8", 2},
      {"--mesh 6,8 --shape 8,12,6 --fit crop", 2},
      {"--mesh 8,16 --shape 16,16,18 --fit pad --inverse", 4},
      {"--mesh 6,12 --shape 12,20,6 --fit resample", 3},
  };
  int number = 0;
  for (const auto& [name, bytes] : files) {
    const std::string path = folder.write(name, bytes);
    for (const auto& [words, processes] : cases)  // `make test` has a fifth, of each at least one
      if (effort() != Effort::quick || number++ % 5 == 0)
        expect_same_output(fmt::format("--input '{}' {}", path, words), processes);
  }
  expect_same_output(
      fmt::format("--input '{}' --mesh 16,16 --fit resample --shape 4096",
                  folder.write("line.npy", npy_file(npy_dictionary("<f4", "(5000,)"),
                                                    bytes_of(std::vector<float>(5000, 0.5F))))),
      3);
}

TEST(MpiParts, ReportWhatReadingChangedInAllOfThem) {
  SKIP_WITHOUT_MPI();
  const TemporaryFolder folder;
  std::vector<double> numbers(512, 0.1);  // no float32
  numbers.front() = numbers.back() = 1e-60;
  const std::string input =
      folder.write("x.npy", npy_file(npy_dictionary("<f8", "(8, 8, 8)"), bytes_of(numbers)));
  const std::string columns =
      folder.write("y.npy", npy_file(npy_dictionary("<f8", "(8, 8, 8)", true), bytes_of(numbers)));
  // Processes whose parts are resampled need numbers that others need, too.
  for (const std::string& path : {input, columns})
    for (const char* const fit : {"", "--fit resample --shape 8,12,8"}) {
      const CommandResult result =
          run_processes(2, fmt::format("fft --input '{}' --mesh 8,8 {} {} --json '{}'", path, fit,
                                       kAlone, folder.file("x.json")));
      EXPECT_EQ(result.exit_code, 0) << result.err;
      EXPECT_NE(result.err.find("2 numbers of"), std::string::npos) << result.err;
      const auto json = nlohmann::json::parse(read_bytes(folder.file("x.json")));
      EXPECT_EQ(json["input"]["rounded"], 510) << json["input"];
    }
}

/// Where a build has no such library, the first process alone compares.
#define SKIP_WITHOUT_FFTW_MPI() \
  if (!WEFT_HAVE_FFTW_MPI) GTEST_SKIP() << "this build has no FFTW for MPI (libfftw3-mpi-dev)"

TEST(MpiParts, AreComparedAsByOneProcess) {
  SKIP_WITHOUT_MPI();
  SKIP_WITHOUT_FFTW_MPI();
  int processes = 1;
  for (const char* const words :
       {"--shape 32,32,32 --mesh 32,32", "--shape 24,20,18 --mesh 8,16 --kind r2c --precision fp16",
        "--shape 24,20,18 --mesh 8,16 --kind c2r --norm ortho",
        "--shape 20,18,12 --mesh 8,15 --inverse", "--shape 8,8,8 --mesh 16,16 --batch 5",
        "--shape 16,16,4,6 --mesh 8,16", "--shape 8,8 --mesh 8,16 --batch 13 --kind r2c",
        "--shape 16 --mesh 4,16 --batch 60", "--shape 40,36 --mesh 2,16",
        "--shape 36,40 --mesh 2,16 --inverse", "--shape 1,16,18 --mesh 1,16",
        "--shape 16,20,12 --mesh 6,20 --algorithm s3dft",
        "--shape 16,16,16 --mesh 32,16 --algorithm s3dft --s3dft-form cubes",
        "--shape 4096 --mesh 16,16"}) {
    const int count = 2 + processes++ % 3;
    SCOPED_TRACE(fmt::format("{}, {} processes", words, count));
    const TemporaryFolder folder;
    const auto run = [&](int of, bool parts) {
      const CommandResult result = run_processes(
          of, fmt::format("fft {} --threads 1 --quiet --json '{}'", words, folder.file("x.json")));
      EXPECT_EQ(result.exit_code, 0) << result.err;
      const auto json = nlohmann::json::parse(read_bytes(folder.file("x.json")));
      EXPECT_EQ(json.contains("peak_memory_bytes_of_each"), parts);
      return json["error"];
    };
    const auto one = run(1, false), all = run(count, true);
    const bool by_first = std::string_view(words).starts_with("--shape 4096 ");
    EXPECT_EQ(all["by_first_process"], by_first);
    for (const char* const figure : {"rel_l2", "max_abs"}) {  // sums are in another order
      const double expected = one[figure].get<double>();
      EXPECT_GT(expected, 0);
      EXPECT_NEAR(all[figure].get<double>(), expected, 1e-6 * expected) << figure;
    }
  }
}

/// A number of the last process's part leaves the range of FP16.
TEST(MpiParts, AWrongResultIsFoundWhereverItIs) {
  SKIP_WITHOUT_MPI();
  SKIP_WITHOUT_FFTW_MPI();
  const TemporaryFolder folder;
  std::vector<float> numbers(16 * 16 * 16, 0);
  numbers.back() = 60000;
  numbers[numbers.size() - 2] = 60000;
  folder.write("x.npy", npy_file(npy_dictionary("<f4", "(16, 16, 16)"), bytes_of(numbers)));
  const CommandResult result =
      run_after(":", 3, folder.file(""),
                "fft --input x.npy --mesh 16,16 --precision fp16 --threads 1 --quiet");
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_NE(result.err.find("comparison error: the result is off by inf"), std::string::npos)
      << result.err;
}

/// What four processes say of a run.
nlohmann::json said_by_four(const std::string& words) {
  const TemporaryFolder folder;
  const CommandResult result = run_processes(
      4, fmt::format("fft --precision fp16 --norm ortho --threads 1 --quiet --json '{}' {}",
                     folder.file("x.json"), words));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return nlohmann::json::parse(read_bytes(folder.file("x.json")));
}

/// Bytes of the process that takes most.
double peak_of(const std::string& words) {
  const auto each =
      said_by_four(words)["peak_memory_bytes_of_each"].get<std::vector<std::uint64_t>>();
  EXPECT_EQ(each.size(), 4U);
  return static_cast<double>(std::ranges::max(each));
}

/// As much as the plan says, and the library of MPI. A process has a quarter of the input and of
/// the output: to hold one of them whole would be three quarters of a volume more.
TEST(MpiParts, NoProcessHoldsTheWholeVolume) {
  SKIP_WITHOUT_MPI();
  constexpr double kVolume = 128.0 * 128 * 128 * 8;
  const TemporaryFolder folder;
  const std::string larger =
      folder.write("x.npy", npy_file(npy_dictionary("<f4", "(256, 128, 128)"),
                                     std::string(std::size_t{16} << 20U, '\0')));
  const std::string none = " --reference none";
  const double least = peak_of("--shape 16,16,16 --mesh 16,16" + none);
  const std::string cube = "--shape 128,128,128 --mesh 128,128";
  const std::pair<std::string, std::string> cases[] = {
      {cube, WEFT_HAVE_FFTW_MPI ? "" : none},
      {fmt::format("{} --input '{}' --fit crop", cube, larger), none},
      {"--shape 128,128,128 --mesh 64,128 --kind c2r", none},
      {"--shape 2097152 --mesh 128,128", none}};
  for (const auto& [words, reference] : cases) {
    SCOPED_TRACE(words);
    const double planned = said_by_four(words + " --plan")["host_bytes"].get<double>() / 4;
    const double peak =
        peak_of(fmt::format("{}{} --output '{}'", words, reference, folder.file("y.npy")));
    EXPECT_LT(peak, planned + least + 0.65 * kVolume)
        << peak - planned - least << " bytes more than planned";
  }
}

/// A run of two processes that ends in an error: it is printed once, and the folder has its file as
/// it was, and `others`.
void expect_error(const CommandResult& result, const std::string& text,
                  const TemporaryFolder& folder, std::size_t others) {
  EXPECT_EQ(result.exit_code, 2) << text;
  const std::size_t at = result.err.find(text);
  EXPECT_NE(at, std::string::npos) << text << " is not in: " << result.err;
  EXPECT_EQ(result.err.find("weft: ", result.err.find("weft: ") + 1), std::string::npos)
      << result.err;
  EXPECT_EQ(read_bytes(folder.file("old.npy")), "as before");
  EXPECT_EQ(folder.count(), 1 + others) << text;
}

constexpr const char* kCube =
    "fft --threads 1 --reference none --quiet --mesh 16,16 --output old.npy ";

TEST(MpiParts, AFileThatIsWrongIsOneErrorAndNothingIsWritten) {
  SKIP_WITHOUT_MPI();
  const TemporaryFolder folder, elsewhere;
  folder.write("old.npy", "as before");
  const std::vector<float> numbers(16 * 16 * 16, 1);
  const std::string bytes = npy_file(npy_dictionary("<f4", "(16, 16, 16)"), bytes_of(numbers));
  folder.write("cut.npy", bytes.substr(0, bytes.size() - 4));
  folder.write("long.npy", bytes + "x");
  folder.write("whole.npy", bytes);
  const auto run = [&](const std::string& second, const std::string& words) {
    return run_after(second, 2, folder.file(""), kCube + words);
  };
  expect_error(run(":", "--input cut.npy"), "'cut.npy' is truncated", folder, 3);
  expect_error(run(":", "--input long.npy"), "'long.npy' is too long", folder, 3);
  expect_error(run(":", "--input whole.npy --shape 16,16,32"), "not 16 x 16 x 32", folder, 3);
  expect_error(run(fmt::format("cd \"{}\"", elsewhere.file("")), "--input whole.npy"),
               "cannot read 'whole.npy'", folder, 3);
  std::vector<float> wrong = numbers;
  wrong.back() = std::numeric_limits<float>::infinity();
  folder.write("wrong.npy", npy_file(npy_dictionary("<f4", "(16, 16, 16)"), bytes_of(wrong)));
  expect_error(run(":", "--input wrong.npy"), "element (15, 15, 15) is inf", folder, 4);
}

TEST(MpiParts, AFileThatOneProcessCannotWriteStaysAsItWas) {
  SKIP_WITHOUT_MPI();
  const TemporaryFolder folder, elsewhere;
  folder.write("old.npy", "as before");
  const std::string words = kCube + std::string("--shape 16,16,16");
  expect_error(run_after(fmt::format("cd \"{}\"", elsewhere.file("")), 2, folder.file(""), words),
               "its beginning, cannot be opened", folder, 0);
  EXPECT_EQ(elsewhere.count(), 0U);
}

/// Two processes of which each has words of its own.
CommandResult run_two(const TemporaryFolder& folder, const std::string& one,
                      const std::string& other) {
  const std::string cube = "fft --shape 16,16,16 --mesh 16,16 --threads 1 --quiet ";
  return run_processes(1, fmt::format("{0}{1} --json '{2}' : -n 1 '{3}' {0}{4}", cube, one,
                                      folder.file("x.json"), WEFT_CLI_PATH, other));
}

TEST(MpiParts, WhereOneProcessWritesOrComparesAndTheOtherDoesNotAreAnError) {
  SKIP_WITHOUT_MPI();
  const TemporaryFolder folder;
  const std::string output = fmt::format("--reference none --output '{}'", folder.file("x.npy"));
  const std::string picture = fmt::format("--reference none --png '{}'", folder.file("x.png"));
  struct Two {
    std::string one, other, text;
  };
  std::vector<Two> cases = {{output, "--reference none", "writes its part"},
                            {picture, "--reference none", "draws its part"},
                            {"", "--reference none", "compares its part of the result"}};
  if (WEFT_HAVE_FFTW_MPI)  // without, both leave it to the first process
    cases.push_back({"", "--reference cufft", "leaves the comparison to the first process"});
  for (const auto& [one, other, text] : cases) {
    const CommandResult result = run_two(folder, one, other);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_NE(result.err.find("process 1 has other arguments than process 0"), std::string::npos)
        << result.err;
    EXPECT_NE(result.err.find(text), std::string::npos) << result.err;
    EXPECT_EQ(folder.count(), 0U);
  }
}

/// Of the second process, and of both. A limit is in blocks of 512 bytes, and the file has 32,896.
TEST(MpiParts, AFullDiskIsOneErrorAndLeavesTheOldFile) {
  SKIP_WITHOUT_MPI();
  const TemporaryFolder folder;
  folder.write("old.npy", "as before");
  for (const char* const limit : {"ulimit -f 60", ":; fi; if :; then ulimit -f 60"})
    expect_error(run_after(limit, 2, folder.file(""), kCube + std::string("--shape 16,16,16")),
                 "File too large", folder, 0);
}

}  // namespace
}  // namespace weft::test::mpi_parts_test
