#pragma once

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

/// Writes all files, and the report to standard output, unless that is not asked for. Of processes
/// that have parts, all call it; each writes its part of the output.
void write_all(const FftArguments& arguments, const Volume& input, FftReport& report,
               const RunParts& parts);

/// Empty if all numbers are finite, or some of the input are not.
std::string overflow_line(const Volume& input, const FftReport& report, const RunParts& parts);

std::string mismatch_line(const Accuracy& accuracy, FftPrecision precision);

}  // namespace weft::cli
