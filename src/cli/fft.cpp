#include "cli/fft.hpp"

#include <fmt/format.h>
#include <sched.h>
#include <sys/resource.h>

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

#include "cli/exit_code.hpp"
#include "cli/progress.hpp"
#include "cli/report.hpp"
#include "cli/shape.hpp"
#include "cli/terminal.hpp"
#include "io/atomic_file.hpp"
#include "io/shape_text.hpp"
#include "io/volume_file.hpp"
#include "reference/reference.hpp"
#include "weft/error.hpp"
#include "weft/fft.hpp"

namespace weft::cli {
namespace {

constexpr int kMostThreads = 1024;
constexpr const char* kStandardOutput = "-";

Error usage_error(const std::string& what, const std::string& why, const std::string& remedy) {
  return Error(Category::usage, what, why, remedy);
}

Precision parse_precision(const std::string& text) {
  if (text == "fp16") return Precision::fp16;
  if (text == "fp32") return Precision::fp32;
  throw usage_error(fmt::format("--precision {} is not emulated", text), "known: fp16, fp32",
                    "use one of these");
}

Norm parse_norm(const std::string& text) {
  if (text == "backward") return Norm::backward;
  if (text == "ortho") return Norm::ortho;
  if (text == "forward") return Norm::forward;
  throw usage_error(fmt::format("--norm {} is unknown", text), "known: backward, ortho, forward",
                    "use one of these");
}

bool parse_reference(const std::string& text) {
  if (text != "fftw" && text != "none") {
    throw usage_error(fmt::format("--reference {} is unknown", text), "known: fftw, none",
                      "use one of these");
  }
  return text == "fftw";
}

io::Fit parse_fit(const std::optional<std::string>& text) {
  if (!text) return io::Fit::none;
  if (text == "crop") return io::Fit::crop;
  if (text == "pad") return io::Fit::pad;
  if (text == "resample") return io::Fit::resample;
  throw usage_error(fmt::format("--fit {} is unknown", *text), "known: crop, pad, resample",
                    "use one of these");
}

int available_cores() {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  // It fails on hosts of more than 1024 cores only.
  return sched_getaffinity(0, sizeof cores, &cores) == 0 ? CPU_COUNT(&cores) : kMostThreads;
}

int choose_threads(const std::optional<int>& asked) {
  if (!asked) {
    return available_cores();
  }
  if (*asked < 1 || *asked > kMostThreads) {
    throw usage_error(fmt::format("--threads {} cannot be used", *asked),
                      fmt::format("allowed: 1 to {}", kMostThreads),
                      "leave it out for one thread per core");
  }
  return *asked;
}

std::uint64_t peak_memory_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;  // Linux counts in KiB
}

// Options that would have no effect beside the others.
void check_combination(const FftArguments& arguments) {
  if (arguments.seed && arguments.input) {
    throw usage_error("--seed cannot be used with --input", "it is for the random field",
                      "leave one of them out");
  }
  if (arguments.fit && !(arguments.input && arguments.shape)) {
    throw usage_error("--fit cannot be used alone", "it makes --input fit --shape",
                      "give all three, or leave it out");
  }
}

using NamedPath = std::pair<const char*, std::string>;

// All that the run will write to files, with the option that asked for it.
std::vector<NamedPath> output_paths(const FftArguments& arguments) {
  std::vector<NamedPath> paths;
  if (arguments.output) paths.emplace_back("--output", *arguments.output);
  if (arguments.png) paths.emplace_back("--png", *arguments.png);
  if (arguments.json && *arguments.json != kStandardOutput) {
    paths.emplace_back("--json", *arguments.json);
  }
  return paths;
}

// Long work must not be lost at its end, nor an input to an output of the same name.
void check_outputs(const FftArguments& arguments) {
  std::vector<std::pair<const char*, std::filesystem::path>> taken;
  const auto take = [&](const char* option, const std::string& path) {
    std::error_code failed;
    auto whole = std::filesystem::absolute(path, failed);
    whole = std::filesystem::weakly_canonical(whole, failed);
    const auto twin =
        std::ranges::find(taken, whole, [](const auto& entry) { return entry.second; });
    if (twin != taken.end()) {
      throw usage_error(fmt::format("{} {} cannot be written", option, path),
                        fmt::format("{} names the same file", twin->first),
                        "give each its own file");
    }
    taken.emplace_back(option, whole);
  };
  if (arguments.input) take("--input", *arguments.input);
  if (arguments.machine) take("--machine", *arguments.machine);
  for (const auto& [option, path] : output_paths(arguments)) {
    if (path.empty()) {
      throw usage_error(fmt::format("{} has no file name", option), "it is empty",
                        "name the file to write");
    }
    take(option, path);
    io::check_writable(path);
  }
}

// The array to transform, of a shape that can be; fills what the report says about it.
Volume read_input(const FftArguments& arguments, const std::optional<Shape3>& asked,
                  FftReport& report) {
  if (!arguments.input) {
    const Shape3 shape = asked.value_or(Shape3{64, 64, 64});
    report.seed = arguments.seed.value_or(report.seed);
    report.input_shape = shape;
    return io::random_volume(shape, report.seed);
  }
  const std::string& path = *arguments.input;
  Volume volume = io::read_volume(path);
  report.input = path;
  report.input_shape = volume.shape;
  report.fit = arguments.fit.value_or(report.fit);
  if (asked && !arguments.fit && volume.shape != *asked) {
    throw Error(Category::input,
                fmt::format("'{}' is {}, not {}", path, io::shape_text(volume.shape),
                            io::shape_text(*asked)),
                "--shape asks for another shape than the file has",
                "add --fit crop, --fit pad or --fit resample");
  }
  if (asked) {
    return io::fit(std::move(volume), *asked, parse_fit(arguments.fit), path);
  }
  if (const std::string why = why_unfit(volume.shape); !why.empty()) {
    throw Error(Category::input,
                fmt::format("'{}' of shape {} cannot be transformed as it is", path,
                            io::shape_text(volume.shape)),
                why, "choose a shape with --shape, and --fit crop, pad or resample");
  }
  return volume;
}

Accuracy measure(const Volume& input, const FftReport& report) {
  const Volume& output = report.run.output;
  const auto expected = reference::fftw(input, report.direction, report.norm);
  return {reference::compare(output.data, expected), error_bound(output.shape, report.precision)};
}

void write_files(const FftArguments& arguments, FftReport& report) {
  for (const auto& [option, path] : output_paths(arguments)) {
    report.written.push_back(path);
  }
  if (arguments.output) io::write_npy(*arguments.output, report.run.output);
  if (arguments.png) io::write_spectrum_png(*arguments.png, report.run.output);
  if (arguments.json && *arguments.json != kStandardOutput) {
    io::write_file(*arguments.json, json_text(report_json(report)));
  }
}

std::string mismatch_line(const Accuracy& accuracy, Precision precision) {
  return fmt::format(
      "weft: comparison error: the result is off by {:.2e} in the relative L2 norm "
      "(the bound is {:.2e}, against FFTW in double precision); "
      "{}, or else report it\n",
      accuracy.difference.rel_l2, accuracy.bound,
      precision == Precision::fp16 ? "if FP16's range (6e-5 to 65504) was left, scale with --norm"
                                   : "look for input values near the limits of FP32");
}

}  // namespace

int run_fft(const FftArguments& arguments) {
  FftReport report;
  report.direction = arguments.inverse ? Direction::inverse : Direction::forward;
  report.precision = parse_precision(arguments.precision);
  report.norm = parse_norm(arguments.norm);
  report.threads = choose_threads(arguments.threads);
  const bool compared = parse_reference(arguments.reference);
  const bool json_on_stdout = arguments.json && *arguments.json == kStandardOutput;
  check_combination(arguments);
  parse_fit(arguments.fit);
  std::optional<Shape3> shape;
  if (arguments.shape) shape = parse_shape(*arguments.shape);
  if (arguments.machine) report.machine = find_machine(*arguments.machine);
  check_outputs(arguments);

  const Volume input = read_input(arguments, shape, report);
  report.threads = std::min(report.threads, static_cast<int>(input.shape.n1));  // rows of the mesh
  {
    const Progress progress(!arguments.quiet);
    FftOptions options{
        .machine = report.machine, .norm = report.norm, .threads = report.threads, .progress = {}};
    options.progress = [&](const FftProgress& now) { progress.show(now); };
    const FftPlan plan(input.shape, report.precision, std::move(options));
    report.run = plan.run(input, report.direction);
  }
  if (compared) {
    report.accuracy = measure(input, report);
  }
  report.peak_memory_bytes = peak_memory_bytes();

  write_files(arguments, report);
  if (json_on_stdout) {
    write_stdout(json_text(report_json(report)));
  } else if (!arguments.quiet) {
    write_stdout(report_text(report));
  }
  if (report.accuracy && !report.accuracy->ok()) {
    write_stderr(mismatch_line(*report.accuracy, report.precision));
    return kMismatch;
  }
  return kOk;
}

}  // namespace weft::cli
