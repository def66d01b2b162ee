#pragma once

#include <string>
#include <vector>

#include "gpu_check/command.hpp"
#include "gpu_check/report.hpp"

namespace weft::gpu_check {

struct Step;

/// Takes checks, timings and the like from what a step's command has written.
using Reader = void(const Step& step, const Finished& finished, Report& report);

/// Where a step is left out: where these are absent.
enum class Needs { nothing, device, cufft };

struct Step {
  std::string name;
  Needs needs = Needs::device;
  std::string program;  ///< of the folder; or, of the machine, with "host:" before
  std::vector<std::string> arguments;
  double limit_s = 30;
  Reader* read = nullptr;
  std::string tool{};  ///< of compute-sanitizer, which then runs the program; or empty
};

/// The steps on a device, in order; on an imitation, with smaller cases.
std::vector<Step> steps(bool imitation);

// The readers, by what they read.
Reader read_info;       ///< `weft info --json -`
Reader read_smi;        ///< nvidia-smi's table, as CSV
Reader read_tests;      ///< GoogleTest's output
Reader read_compare;    ///< `weft compare --json -`
Reader read_benchmark;  ///< bench-device's JSON
Reader read_sanitizer;  ///< GoogleTest's under compute-sanitizer

}  // namespace weft::gpu_check
