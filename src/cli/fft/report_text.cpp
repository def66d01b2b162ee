#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "base/processes.hpp"
#include "cli/common/algorithm_words.hpp"
#include "cli/common/options.hpp"
#include "cli/fft/report.hpp"
#include "cli/fft/report_lines.hpp"
#include "cli/text/number_text.hpp"
#include "io/sides.hpp"

namespace weft::cli {
namespace {

std::string rate_text(std::uint64_t count, double seconds) {
  return seconds > 0 ? fmt::format("{:.3g}", static_cast<double>(count) / seconds) : "-";
}

// ", int16 scaled by 0.5 plus 3, converted to float32 (2 numbers rounded)"; empty for numbers that
// are what stands in the file.
std::string conversion_text(const io::Conversion& conversion) {
  std::string text;
  if (conversion.slope != 1 || conversion.intercept != 0) {
    text += fmt::format(" scaled by {:g}", conversion.slope);
    if (conversion.intercept != 0) text += fmt::format(" plus {:g}", conversion.intercept);
  }
  const char* const type = conversion.is_complex ? "complex64" : "float32";
  if (conversion.type != type) {
    text += fmt::format("{} converted to {}", text.empty() ? "" : ",", type);
  }
  if (conversion.rounded > 0) {
    text += fmt::format(" ({} number{} rounded)", grouped(conversion.rounded),
                        conversion.rounded == 1 ? "" : "s");
  }
  return text.empty() ? "" : ", " + conversion.type + text;
}

std::string input_text(const FftReport& report) {
  if (!report.options.data) return "none (--no-data)";
  if (!report.input) {
    return fmt::format("random {}, seed {}",
                       report.arrays.is_r2c()   ? "real field"
                       : report.arrays.is_c2r() ? "real field's half spectrum"
                                                : "complex field",
                       report.seed);
  }
  std::string text = *report.input;
  if (report.fit != "none" &&
      report.input_sides != report.layout.sides_of_one(report.arrays.shape)) {
    text += fmt::format(" of shape {}, {} to fit", io::shape_text(report.input_sides),
                        report.fit == "crop"  ? "cropped"
                        : report.fit == "pad" ? "padded"
                                              : "resampled");
  }
  return text + conversion_text(report.conversion);
}

std::string result_text(const FftReport& report) {
  const std::optional<Accuracy>& accuracy = report.accuracy;
  if (!report.options.data) return "not computed: cycles only";
  if (!accuracy) {
    return "not compared (--reference none)";
  }
  return fmt::format("{}: relative L2 error {:.2e}, bound {:.2e}, against {} in double precision{}",
                     accuracy->ok() ? "ok" : "FAILED", accuracy->difference.rel_l2, accuracy->bound,
                     accuracy->reference->title,
                     accuracy->in_first ? ", compared by the first process alone" : "");
}

// "the host engine, 2 threads", "the host engine, 4 processes of 2 threads", "the cuda engine, 2
// processes"
std::string engine_text(const FftReport& report) {
  const int processes = base::process_count(report.options.processes.get());
  if (report.run.report.engine != Engine::host)
    return fmt::format("the {} engine{}", to_string(report.run.report.engine),
                       processes == 1 ? "" : fmt::format(", {} processes", processes));
  return fmt::format("the host engine, {}{} thread{}",
                     processes == 1 ? "" : fmt::format("{} processes of ", processes),
                     report.options.threads, report.options.threads == 1 ? "" : "s");
}

// Where processes have parts, of the one that took most.
std::string memory_text(const FftReport& report) {
  const std::vector<std::uint64_t>& each = report.peak_memory_of_each;
  if (each.empty()) return bytes_text(report.peak_memory_bytes);
  return fmt::format("{} in a process", bytes_text(std::ranges::max(each)));
}

// "4.1 %, at 1 multiply-add a cycle"
std::string peak_text(const FftReport& report) {
  const Machine& machine = report.options.machine;
  const bool halves = report.precision == FftPrecision::fp16;
  const int rate = halves ? machine.f16_rate : machine.f32_multiply_rate;
  std::string text = fmt::format("{:.1f} %, at {} multiply-add{} a cycle",
                                 100 * *report.run.report.peak_share, rate, rate == 1 ? "" : "s");
  const int reached = std::max(rate / machine.two_source_divisor, 1);
  if (reached < rate) text += fmt::format(" ({}, as they read their destination)", reached);
  return text;
}

}  // namespace

std::string transform_text(const FftReport& report) {
  return fmt::format("{}, {}, {}", arrays_text(report), way_text(report.arrays),
                     to_string(report.precision));
}

std::string arrays_text(const FftReport& report) {
  const std::string shape = io::shape_text(report.layout.sides_of_one(report.arrays.shape));
  return report.arrays.batch == 1 ? shape
                                  : fmt::format("{} arrays of {}", report.arrays.batch, shape);
}

namespace {

std::string mesh_and_numbers(const FftReport& report) {
  const FftMesh& mesh = report.run.mesh;
  const Shape3& shape = report.arrays.shape;
  std::string text = fmt::format("{} x {} PEs", mesh.x, mesh.y);
  if (report.arrays.batch > 1)
    return report.run.rounds == 1
               ? text
               : text + fmt::format(", {} runs, one after the other", report.run.rounds);
  const std::size_t pes = static_cast<std::size_t>(mesh.x) * static_cast<std::size_t>(mesh.y);
  const std::size_t each = shape.size() / pes;
  const bool blocks = report.options.algorithm == FftAlgorithm::s3dft &&
                      report.options.s3dft_form == S3dftForm::cubes;
  const bool alone = !blocks && shape.n0 == each && shape.n1 == each && shape.n2 == each;
  if (report.arrays.kind == FftKind::real) return text;
  if (alone) return text + ", one pencil each";
  return text + (each == 1 ? ", a number each" : ", " + grouped(each) + " numbers each");
}

}  // namespace

std::string mesh_text(const FftReport& report) {
  std::string text = mesh_and_numbers(report);
  if (!report.larger_mesh) return text;
  return fmt::format("{}; halves take no longer lines, other transposes {} x {}", text,
                     report.larger_mesh->x, report.larger_mesh->y);
}

std::string machine_title(const Machine& machine) {
  const auto changed = std::ranges::count_if(machine_constants(), [&](const auto& constant) {
    return machine.*constant.member != constant.default_value;
  });
  std::string title = machine.name;
  if (changed != 0)
    title += fmt::format(" ({} of {} constants differ from the default)", changed,
                         machine_constants().size());
  if (machine.pe_memory_bytes > Machine{}.pe_memory_bytes)
    title += ": no real machine, its PEs have more memory";
  return title;
}

std::string fastest_text(const FftReport& report) {
  const FftFastest& fastest = *report.fastest;
  const bool same_algorithm = report.options.algorithm == FftAlgorithm::wsfft;
  const FftTranspose own = report.options.transpose, other = fastest.transpose;
  const std::string_view word = other == FftTranspose::automatic ? "auto" : to_string(other);
  const FftMesh& mesh = fastest.mesh;
  return fmt::format("{:>13}  expected, by{}{} --pencil {}{}", grouped(fastest.cycles),
                     same_algorithm ? "" : " --algorithm wsfft",
                     same_algorithm && own == other ? "" : fmt::format(" --transpose {}", word),
                     to_string(fastest.pencil),
                     mesh == report.run.mesh ? "" : fmt::format(" on {} x {} PEs", mesh.x, mesh.y));
}

std::string_view between_pes(FftTranspose transpose) noexcept {
  return transpose == FftTranspose::butterflies ? "butterflies" : "communication";
}

std::string algorithm_text(FftAlgorithm algorithm, S3dftForm form) {
  return !words_about(algorithm).forms
             ? ""
             : fmt::format("{}, {}", to_string(algorithm), to_string(form));
}

namespace {

/// "around a ring"; empty for the published ones. `ran`: the form that ran, or will.
std::string transposes_text(const FftOptions& options, FftTranspose ran) {
  if (ran == FftTranspose::ring) return "around a ring";
  if (ran == FftTranspose::butterflies) return "none: butterflies between PEs";
  if (ran == FftTranspose::halves) return "by halves";
  if (ran != FftTranspose::interlocked) return "";
  return options.transpose == FftTranspose::automatic
             ? fmt::format("interlocked: {} the published form cannot end",
                           options.back ? "with a transpose back" : "on this machine")
             : std::string(to_string(ran));
}

}  // namespace

void add_algorithm(ReportLines& lines, const FftOptions& options, FftTranspose ran) {
  if (const std::string algorithm = algorithm_text(options.algorithm, options.s3dft_form);
      !algorithm.empty())
    lines.add("algorithm", algorithm);
  if (!words_about(options.algorithm).exchanges) return;
  if (const std::string way = transposes_text(options, ran); !way.empty())
    lines.add("transposes", way);
  if (options.pencil != FftPencil::radix2)
    lines.add("pencils", std::string(to_string(options.pencil)));
}

std::string report_text(const FftReport& report) {
  const FftRun& run = report.run;
  const RunReport& took = run.report;
  ReportLines lines("weft fft: " + transform_text(report));
  lines.add("input", input_text(report));
  lines.add("mesh", mesh_text(report));
  lines.add("machine", machine_title(report.options.machine));
  add_algorithm(lines, report.options, run.transpose);
  lines.add("result", result_text(report));
  lines.add("cycles", fmt::format("{:>13}", grouped(took.cycles)));
  lines.add_cycles("  compute", run.compute_cycles, took.cycles);
  lines.add_cycles(fmt::format("  {}", between_pes(run.transpose)), run.communication_cycles,
                   took.cycles);
  lines.add("by phase");
  for (const RunPhase& phase : took.phases) {
    lines.add_cycles("  " + phase.name, phase.cycles, took.cycles);
  }
  if (report.fastest) lines.add("fastest", fastest_text(report));
  lines.add("on the machine",
            fmt::format("{:.2f} us at {} MHz, {:.3g} TFLOP/s", took.time_us,
                        static_cast<double>(report.options.machine.clock_khz) / 1000, run.tflops));
  if (took.peak_share) lines.add("  of the PEs' peak", peak_text(report));
  lines.add("traffic", fmt::format("{} wavelets, {} wavelet-hops", grouped(took.counters.wavelets),
                                   grouped(took.counters.hops)));
  if (took.busiest_link && took.busiest_ramp)
    lines.add("  busiest",
              fmt::format("{} wavelets on a link, {} on a ramp, by count of the program",
                          grouped(*took.busiest_link), grouped(*took.busiest_ramp)));
  lines.add("emulation",
            fmt::format("{:.2f} s on {}, {} PE-cycles/s, peak memory {}", took.wall_seconds,
                        engine_text(report), rate_text(took.pe_cycles, took.wall_seconds),
                        memory_text(report)));
  lines.add("  skipped",
            fmt::format("{} cycles, in which nothing could happen", grouped(took.skipped_cycles)));
  if (report.options.engine == Engine::automatic)
    lines.add("  engine",
              fmt::format("{}, as auto takes it: {}", to_string(took.engine),
                          report.options.observe.counts ? "it counts"
                                                        : "no GPU was measured to be quicker"));
  if (!report.written.empty()) {
    lines.add("written", fmt::format("{}", fmt::join(report.written, ", ")));
  }
  return lines.text();
}

}  // namespace weft::cli
