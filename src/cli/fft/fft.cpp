#include "cli/fft/fft.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <utility>
#include <vector>

#include "cli/common/algorithm_words.hpp"
#include "cli/common/exit_code.hpp"
#include "cli/common/interrupt.hpp"
#include "cli/common/options.hpp"
#include "cli/common/outputs.hpp"
#include "cli/common/peak_memory.hpp"
#include "cli/common/shape.hpp"
#include "cli/common/together.hpp"
#include "cli/fft/explanation.hpp"
#include "cli/fft/fft_input.hpp"
#include "cli/fft/parts_accuracy.hpp"
#include "cli/fft/report.hpp"
#include "cli/fft/results.hpp"
#include "cli/fft/run_parts.hpp"
#include "cli/fft/tracing.hpp"
#include "cli/text/progress.hpp"
#include "cli/text/terminal.hpp"
#include "fft/fitting.hpp"
#include "fft/own_forms.hpp"
#include "io/sides.hpp"
#include "reference/reference.hpp"
#include "weft/error.hpp"
#include "weft/fabric.hpp"
#include "weft/fft.hpp"

namespace weft::cli {
namespace {

using reference::Reference;

// Null for none.
const Reference* parse_reference(const std::string& word) {
  Words<const Reference*> known = words_of(reference::references());
  known.push_back({"none", nullptr});
  return choose("--reference", word, known);
}

void choose_engine(const FftArguments& arguments, FftReport& report) {
  choose(report.options.engine, "--engine", arguments.engine);
  if (const std::string why = why_absent(report.options.engine); !why.empty()) {
    throw Error(ErrorCategory::environment,
                fmt::format("--engine {} is not available", to_string(report.options.engine)), why,
                "leave it out, or use --engine host");
  }
}

Accelerations parse_without(const std::vector<std::string>& words) {
  Accelerations accelerate;
  for (const std::string& word : words)
    accelerate.*choose("--without", word, kAccelerations) = false;
  return accelerate;
}

struct Given {
  bool given;
  const char* option;
};

// Throws if an option is given that has no sense beside another.
void refuse(std::initializer_list<Given> options, const char* beside, const char* why) {
  for (const auto& [given, option] : options)
    if (given)
      throw Error(ErrorCategory::usage,
                  fmt::format("invalid combination: {} with {}", option, beside), why,
                  "leave one of them out");
}

bool has_reference(const FftArguments& arguments) {
  return arguments.reference.has_value() && *arguments.reference != "none";
}

// Options that would have no effect beside the others.
void check_combination(const FftArguments& arguments) {
  const Given output{arguments.output.has_value(), "--output"};
  const Given png{arguments.png.has_value(), "--png"};
  const Given reference{has_reference(arguments), "--reference"};
  if (arguments.no_data)
    refuse({{arguments.input.has_value(), "--input"},
            {arguments.seed.has_value(), "--seed"},
            {arguments.fit.has_value(), "--fit"},
            reference,
            output,
            png},
           "--no-data", "without data there is no input and no result");
  if (arguments.plan)
    refuse({{arguments.seed.has_value(), "--seed"},
            reference,
            output,
            png,
            {arguments.profile.has_value(), "--profile"},
            {arguments.path, "--path"},
            {arguments.explain.has_value(), "--explain"},
            {arguments.trace.path.has_value(), "--trace"}},
           "--plan", "a plan runs nothing");
  if (arguments.windows && !arguments.profile)
    throw Error(ErrorCategory::usage, "--windows without --profile",
                "they are windows of time of what is counted", "give both, or leave it out");
  if (arguments.path && !arguments.profile &&
      (arguments.quiet || arguments.json == kStandardOutput))
    throw Error(ErrorCategory::usage, "--path has nowhere to show the critical path",
                "standard output does not have the report, and there is no --profile",
                "give --profile FILE, or leave out --quiet or --json -");
  if (arguments.seed && arguments.input) {
    throw Error(ErrorCategory::usage, "invalid combination: --seed with --input",
                "a seed is for the random field", "leave one of them out");
  }
  if (arguments.fit && !arguments.input) {
    throw Error(ErrorCategory::usage, "--fit without --input", "it makes an input fit a shape",
                "give both, or leave it out");
  }
}

std::vector<NamedPath> input_paths(const FftArguments& arguments) {
  std::vector<NamedPath> paths;
  if (arguments.input) paths.push_back({"--input", *arguments.input});
  if (arguments.machine) paths.push_back({"--machine", *arguments.machine});
  return paths;
}

// Fills kind and direction.
void choose_kind(const FftArguments& arguments, FftReport& report) {
  report.arrays.direction = arguments.inverse ? FftDirection::inverse : FftDirection::forward;
  if (!arguments.kind) return;
  const auto [kind, direction] = choose("--kind", *arguments.kind, kTransforms);
  report.arrays.kind = kind;
  if (!direction) return;
  report.arrays.direction = *direction;
  refuse({{arguments.inverse, "--inverse"}}, "--kind", "r2c is forward, and c2r its inverse");
  if (report.arrays.direction == FftDirection::inverse)
    refuse({{arguments.fit.has_value(), "--fit"}}, "--kind c2r", "a spectrum has its shape");
}

void choose_program(const FftArguments& arguments, FftOptions& options) {
  choose_algorithm(options, arguments.algorithm, arguments.s3dft_form);
  options.back = arguments.back;
  choose(options.transpose, "--transpose", arguments.transpose);
  choose(options.pencil, "--pencil", arguments.pencil);
  if (!words_about(options.algorithm).exchanges)
    refuse({{arguments.transpose.has_value(), "--transpose"},
            {arguments.pencil.has_value(), "--pencil"},
            {arguments.back, "--back"}},
           fmt::format("--algorithm {}", to_string(options.algorithm)).c_str(),
           "the option is of wsfft");
}

void check_beside_batch(const FftArguments& arguments) {
  const int batch = arguments.batch.value_or(1);
  check_batch(batch);
  if (batch > 1)
    refuse({{arguments.fit.has_value(), "--fit"},
            {arguments.png.has_value(), "--png"},
            {arguments.trace.path.has_value(), "--trace"}},
           "--batch", "the option is for one array");
}

// All that a run writes to files and, beside them, what is written if it ends in a deadlock.
std::vector<NamedPath> all_output_paths(const FftArguments& arguments) {
  std::vector<NamedPath> paths = output_paths(arguments);
  if (arguments.explain && *arguments.explain != kStandardOutput) {
    paths.push_back({"--explain", *arguments.explain});
  }
  if (arguments.trace.path) paths.push_back({"--trace", *arguments.trace.path});
  return paths;
}

std::string underflow_line(const FftReport& report) {
  return one_line(fmt::format("weft: input warning: {} number{} of '{}' became 0 "
                              "(float32 has none so small); scale the array up",
                              report.conversion.underflows,
                              report.conversion.underflows == 1 ? "" : "s", *report.input)) +
         "\n";
}

Shown shown(const FftProgress& now) {
  const auto expected = now.expectation();
  return {expected ? std::optional(expected->fraction) : std::nullopt, cycles_text(now),
          now.pe_cycles};
}

// Throws Interrupted if the user ends it.
FftRun emulate(const FftPlan& plan, const Volume& input, FftDirection direction, bool quiet) {
  ProgressBar bar(!quiet);
  return plan.run(input, direction, [&](const FftProgress& now) {
    if (is_interrupted()) throw Interrupted(stop_text(now, bar.seconds()));
    bar.show([&] { return shown(now); });
  });
}

/// Of wsFFT on the same PEs.
FftFastest fastest_wsfft(const FftPlan& plan, FftDirection direction) {
  FftOptions options;
  options.machine = plan.options().machine;
  options.mesh = plan.options().mesh;
  options.batch = plan.options().batch;
  options.data = false;
  return FftPlan(plan.shape(), plan.precision(), std::move(options)).fastest(direction);
}

/// The choice that takes the fewest cycles, unless it is the plan's, which takes `cycles`. Nothing
/// if there is no estimate, which only costs a line of the report.
std::optional<FftFastest> faster_than(const FftPlan& plan, FftDirection direction,
                                      std::uint64_t cycles) {
  try {
    if (plan.options().algorithm != FftAlgorithm::wsfft) {
      const FftFastest other = fastest_wsfft(plan, direction);
      return other.cycles < cycles ? std::optional(other) : std::nullopt;
    }
    const FftFastest best = plan.fastest(direction);
    const FftTranspose own = plan.options().transpose;
    const bool papers = fft::own_form(own) == nullptr;
    const bool same_transpose =
        own == best.transpose || (best.transpose == FftTranspose::automatic && papers);
    if (same_transpose && plan.options().pencil == best.pencil) return {};
    return best;
  } catch (const Error&) {
    return {};
  }
}

/// The mesh that other transposes than those by halves would take, if it is larger.
std::optional<FftMesh> larger_mesh(const FftPlan& plan, const FftMesh& asked) {
  const bool is_asked = asked.x != 0 && asked.y != 0;
  if (is_asked || plan.options().transpose != FftTranspose::halves) return {};
  FftOptions others = plan.options();
  others.transpose = FftTranspose::automatic;
  others.mesh = asked;
  const FftMesh theirs = FftPlan(plan.shape(), plan.precision(), others).options().mesh;
  const FftMesh& ours = plan.options().mesh;
  return theirs.x * theirs.y <= ours.x * ours.y ? std::nullopt : std::optional(theirs);
}

/// `comparing`: nothing where there are no parts, or no reference.
Together together(const FftArguments& arguments, const FftPlan& plan,
                  std::optional<Comparing> comparing) {
  const bool parts = plan.options().parts;
  Together all = with(Together::shares, Together::parts, parts);
  all = with(all, Together::compares, comparing.has_value());
  all = with(all, Together::compares_in_first, comparing == Comparing::in_first);
  all = with(all, Together::writes, parts && arguments.output.has_value());
  return with(all, Together::draws, parts && arguments.png.has_value());
}

int report_plan(const FftArguments& arguments, const FftPlan& plan, FftReport& report) {
  const FftEstimate estimate = plan.estimate(report.arrays.direction);
  report.run.mesh = estimate.mesh;
  report.run.rounds = estimate.rounds;
  report.fastest = faster_than(plan, report.arrays.direction, estimate.cycles);
  if (arguments.json) write_json(*arguments.json, plan_json(report, estimate));
  if (!arguments.quiet && arguments.json != kStandardOutput)
    write_stdout(plan_text(report, estimate));
  return kOk;
}

}  // namespace

int run_fft(const FftArguments& arguments) {
  note_interrupts();
  FftReport report;
  choose_kind(arguments, report);
  choose(report.precision, "--precision", arguments.precision);
  choose(report.options.norm, "--norm", arguments.norm);
  choose_program(arguments, report.options);
  report.options.fastest_for = report.arrays.direction;
  report.options.threads = choose_threads(arguments.threads);
  choose_engine(arguments, report);
  report.options.accelerate = parse_without(arguments.without);
  check_combination(arguments);
  check_beside_batch(arguments);
  report.arrays.batch = arguments.batch.value_or(1);
  report.options.data = !arguments.no_data;
  report.options.processes = arguments.processes;
  report.options.parts = true;  // of several processes, which each have less of the arrays then
  report.options.observe = arguments.observe.value_or(observation_of(arguments));
  const Reference* const reference = report.options.data && !arguments.plan
                                         ? parse_reference(arguments.reference.value_or("fftw"))
                                         : nullptr;
  parse_fit(arguments.fit);
  std::optional<io::Sides> shape;
  if (arguments.shape) shape = parse_sides(*arguments.shape, report.options.algorithm);
  const FftMesh mesh = arguments.mesh ? parse_mesh(*arguments.mesh) : FftMesh{};
  if (arguments.machine) report.options.machine = find_machine(*arguments.machine);
  const Tracing tracing = parse_tracing(arguments.trace);
  RunTrace* trace = nullptr;  // of the run, while it goes on
  if (arguments.trace.path) {
    report.options.observe.events = {tracing.choice};
    report.options.on_fabric = [&trace](Fabric& fabric) { trace->take(fabric); };
  }
  const bool is_first = arguments.processes == nullptr || arguments.processes->rank() == 0;
  if (is_first)
    check_outputs(input_paths(arguments), all_output_paths(arguments));
  else if (arguments.output)  // of which each writes its part
    check_outputs(input_paths(arguments), {{"--output", *arguments.output, ".npy"}});
  if (reference != nullptr && is_first) check_present(*reference);

  auto [plan, input] = read_input(arguments, shape, mesh, report);
  report.options.transpose = plan.options().transpose;  // what it chose for `fastest`
  report.options.pencil = plan.options().pencil;
  const bool readable = !arguments.quiet && arguments.json != kStandardOutput;
  if (readable) report.larger_mesh = larger_mesh(plan, mesh);
  if (arguments.plan) return report_plan(arguments, plan, report);
  if (arguments.trace.path) check_size(tracing, plan, report.arrays.direction);
  report.options.threads =
      std::min(report.options.threads, most_fabric_threads(plan.options().mesh.y));
  stop_if_interrupted("reading the input");
  std::optional<Comparing> comparing;
  if (reference != nullptr && plan.options().parts)
    comparing =
        comparing_of(*reference, arguments.shared_fftw != nullptr, plan, report.arrays.direction);
  if (comparing && is_first)
    check_memory(*reference, *comparing, report.arrays, plan, fft::bytes_to_plan_with());
  if (arguments.before_fabric) arguments.before_fabric(together(arguments, plan, comparing));
  const RunParts parts(plan, report.arrays.direction);
  parts.add_up(report.conversion);
  if (report.conversion.underflows > 0) write_stderr(underflow_line(report));
  report.run = explained(
      arguments.explain,
      [&, &plan = plan, &input = input] {
        return traced(arguments.trace.path, tracing.limit, [&](RunTrace* of_run) {
          trace = of_run;
          return emulate(plan, input, report.arrays.direction, arguments.quiet);
        });
      },
      arguments.profile);
  FileContents files = begin_files(arguments, plan, input, report);
  if (reference != nullptr) {
    const double bound = fft_error_bound(report.arrays.shape, report.precision,
                                         report.options.algorithm, report.options.pencil);
    report.accuracy =
        comparing ? accuracy_of_parts(*reference, *comparing, arguments.shared_fftw, report.arrays,
                                      plan, bound, std::exchange(input, {}), report.run.output)
                  : accuracy_of(*reference, report.arrays, report.options.norm, bound, input,
                                report.run.output);
  }
  report.peak_memory_bytes = peak_memory_bytes();
  report.peak_memory_of_each = parts.each(report.peak_memory_bytes);
  if (!arguments.quiet || arguments.json)
    report.fastest = faster_than(plan, report.arrays.direction, report.run.report.cycles);

  // All of what was asked for is written, or nothing.
  if (parts.any(is_interrupted())) throw Interrupted("while comparing the result");
  const std::string overflow = report.accuracy ? "" : overflow_line(input, report, parts);
  write_all(arguments, std::move(files), report, parts);
  if (report.accuracy && !report.accuracy->ok()) {
    write_stderr(mismatch_line(*report.accuracy, report.precision));
    return kMismatch;
  }
  write_stderr(overflow);
  return kOk;
}

}  // namespace weft::cli
