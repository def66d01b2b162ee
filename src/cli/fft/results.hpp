#pragma once

#include <future>
#include <string>
#include <vector>

#include "cli/common/outputs.hpp"
#include "cli/fft/fft.hpp"
#include "cli/fft/report.hpp"
#include "cli/fft/run_parts.hpp"
#include "weft/volume.hpp"

/// What `weft fft` says and writes after a run.
namespace weft::cli {

/// All that a run that goes through will write to files, with the option that asked for it.
std::vector<NamedPath> output_paths(const FftArguments& arguments);

/// The bytes of the file of the run's profile, if it is asked for. A thread makes them while the
/// result is compared.
std::future<std::string> begin_profile_file(const FftArguments& arguments, const FftReport& report);

/// Writes all files, and the report to standard output, unless that is not asked for. Of processes
/// that have parts, all call it; each writes its part of the output. `profile_file`: as
/// begin_profile_file.
void write_all(const FftArguments& arguments, const Volume& input, FftReport& report,
               const RunParts& parts, std::future<std::string> profile_file);

/// Empty if all numbers are finite, or some of the input are not.
std::string overflow_line(const Volume& input, const FftReport& report, const RunParts& parts);

std::string mismatch_line(const Accuracy& accuracy, FftPrecision precision);

}  // namespace weft::cli
