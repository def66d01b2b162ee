#include "cli/fft/results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>

#include "cli/common/options.hpp"
#include "cli/text/terminal.hpp"
#include "io/atomic_file.hpp"
#include "io/profile_archive.hpp"
#include "weft/explanation.hpp"
#include "weft/profile.hpp"

namespace weft::cli {
std::vector<NamedPath> output_paths(const FftArguments& arguments) {
  std::vector<NamedPath> paths;
  if (arguments.output) paths.push_back({"--output", *arguments.output, ".npy"});
  if (arguments.png) paths.push_back({"--png", *arguments.png, ".png"});
  if (arguments.profile) paths.push_back({"--profile", *arguments.profile});
  if (arguments.json && *arguments.json != kStandardOutput) {
    paths.push_back({"--json", *arguments.json});
  }
  return paths;
}

FileContents begin_files(const FftArguments& arguments, const FftPlan& plan, const Volume& input,
                         const FftReport& report) {
  FileContents files;
  if (arguments.profile)
    files.profile = std::async([profile = report.run.report.profile, file = *arguments.profile,
                                threads = report.options.threads] {
      return io::profile_archive(*profile, file, threads);
    });
  if (arguments.png)
    files.picture = {input_plane(plan, report.arrays, input),
                     output_plane(plan, report.arrays, report.run.output)};
  return files;
}

void write_all(const FftArguments& arguments, FileContents files, FftReport& report,
               const RunParts& parts) {
  std::string profile;  // first, as it may fail: all files are written, or none
  parts.in_all([&] {
    if (arguments.profile) profile = files.profile.get();
  });
  for (const NamedPath& output : output_paths(arguments)) {
    report.written.push_back(output.path);
  }
  if (arguments.output)
    parts.write_npy(*arguments.output,
                    report.layout.sides_of_all(report.arrays.output_shape(), report.arrays.batch),
                    report.run.output.data);
  if (arguments.profile) io::write_file(*arguments.profile, profile);
  if (files.picture && parts.first())
    write_picture(*arguments.png, *files.picture, report.arrays.direction);
  if (arguments.json) write_json(*arguments.json, report_json(report));
  if (!arguments.quiet && arguments.json != kStandardOutput) {
    write_stdout(report_text(report));
    if (arguments.path) write_stdout("\n" + explanation_text(*report.run.report.profile));
  }
}

std::string overflow_line(const Volume& input, const FftReport& report, const RunParts& parts) {
  const auto is_finite = [](std::complex<float> z) {
    return std::isfinite(z.real()) && std::isfinite(z.imag());
  };
  const std::vector<std::complex<float>>& output = report.run.output.data;
  const auto [lost, all, given] = parts.sum<3>(
      {output.size() - static_cast<std::size_t>(std::ranges::count_if(output, is_finite)),
       output.size(), std::ranges::all_of(input.data, is_finite) ? 0U : 1U});
  if (lost == 0 || given != 0) return "";
  return fmt::format(
      "weft: result warning: {} of {} numbers are not finite ({} has numbers up to {}); scale the "
      "input down, or divide with --norm forward or ortho\n",
      lost, all, to_string(report.precision),
      report.precision == FftPrecision::fp16 ? "65504" : "3.4e38");
}

std::string mismatch_line(const Accuracy& accuracy, FftPrecision precision) {
  return fmt::format(
      "weft: comparison error: the result is off by {:.2e} in the relative L2 norm "
      "(the bound is {:.2e}, against {} in double precision); "
      "{}, or else report it\n",
      accuracy.difference.rel_l2, accuracy.bound, accuracy.reference->title,
      precision == FftPrecision::fp16
          ? "if FP16's range (6e-5 to 65504) was left, scale with --norm"
          : "look for input values near the limits of FP32");
}

}  // namespace weft::cli
