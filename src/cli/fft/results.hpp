#pragma once

#include <future>
#include <optional>
#include <string>
#include <vector>

#include "cli/common/outputs.hpp"
#include "cli/fft/fft.hpp"
#include "cli/fft/picture.hpp"
#include "cli/fft/report.hpp"
#include "cli/fft/run_parts.hpp"
#include "weft/volume.hpp"

/// What `weft fft` says and writes after a run.
namespace weft::cli {

/// All that a run that goes through will write to files, with the option that asked for it.
std::vector<NamedPath> output_paths(const FftArguments& arguments);

/// What the picture and the file of the profile are made of.
struct FileContents {
  std::optional<PicturePlanes> picture;
  std::future<std::string> profile;  ///< a thread makes the file's bytes
};

/// To be called while the run's arrays are there; of processes that have parts, all call it.
FileContents begin_files(const FftArguments& arguments, const FftPlan& plan, const Volume& input,
                         const FftReport& report);

/// Writes all files, and the report to standard output, unless that is not asked for. Of processes
/// that have parts, all call it; each writes its part of the output, and the first one the rest.
void write_all(const FftArguments& arguments, FileContents files, FftReport& report,
               const RunParts& parts);

/// Empty if all numbers are finite, or some of the input are not.
std::string overflow_line(const Volume& input, const FftReport& report, const RunParts& parts);

std::string mismatch_line(const Accuracy& accuracy, FftPrecision precision);

}  // namespace weft::cli
