#include "cli/compare/compare.hpp"

#include "cli/common/exit_code.hpp"
#include "cli/common/interrupt.hpp"
#include "cli/common/options.hpp"
#include "cli/common/outputs.hpp"
#include "cli/common/shape.hpp"
#include "cli/compare/compare_grid.hpp"
#include "cli/compare/compare_report.hpp"
#include "cli/fft/report.hpp"
#include "cli/text/number_text.hpp"
#include "cli/text/progress.hpp"
#include "cli/text/terminal.hpp"

namespace weft::cli {
namespace {

std::vector<Shape3> choose_shapes(const CompareArguments& arguments, FftAlgorithm algorithm) {
  std::vector<Shape3> shapes;
  for (const std::string& text : split_lists("--shapes", arguments.shapes)) {
    add_once(shapes, parse_cube(text, algorithm));
  }
  for (const std::string& text : arguments.shape) add_once(shapes, parse_shape(text, algorithm));
  if (shapes.empty()) return {{8, 8, 8}, {16, 16, 16}, {32, 32, 32}};
  return shapes;
}

// The meanings of `words`, which are lists, each once; all known ones if there are no words.
template <typename Table>
auto choose_all(std::string_view option, const std::vector<std::string>& words,
                const Table& known) {
  std::vector<decltype(known[0].value)> chosen;
  for (const std::string& word : split_lists(option, words)) {
    add_once(chosen, choose(option, word, known));
  }
  if (words.empty()) {
    for (const auto& entry : known) chosen.push_back(entry.value);
  }
  return chosen;
}

CompareGrid choose_grid(const CompareArguments& arguments) {
  CompareGrid grid;
  FftOptions options;
  choose_algorithm(options, arguments.algorithm, arguments.s3dft_form);
  grid.algorithm = options.algorithm;
  grid.s3dft_form = options.s3dft_form;
  grid.shapes = choose_shapes(arguments, grid.algorithm);
  grid.precisions = choose_all("--precisions", arguments.precisions, base::kWords<FftPrecision>);
  grid.kinds = {FftKind::complex};
  if (!arguments.kinds.empty())
    grid.kinds = choose_all("--kinds", arguments.kinds, base::kWords<FftKind>);
  check_batch(arguments.batch);
  grid.batch = arguments.batch;
  if (arguments.mesh) grid.mesh = parse_mesh(*arguments.mesh);
  grid.directions = choose_all("--directions", arguments.directions, base::kWords<FftDirection>);
  grid.engines = choose_all("--engines", arguments.engines, words_of(engines()));
  if (arguments.engines.empty()) {
    std::erase_if(grid.engines, [](const EngineRow* engine) {
      return !engine->by_default || !engine->why_absent().empty();
    });
  }
  grid.references =
      choose_all("--references", arguments.references, words_of(reference::references()));
  grid.seed = arguments.seed.value_or(grid.seed);
  grid.threads = choose_threads(arguments.threads);
  if (arguments.machine) grid.machine = find_machine(*arguments.machine);
  return grid;
}

// Where the user ended it.
std::string where_text(const CompareProgress& now, double seconds) {
  return now.run ? stop_text(*now.run, seconds) : "when comparing, after " + duration_text(seconds);
}

Shown shown(const CompareProgress& now) {
  return {fraction(now), fmt::format("transform {} of {}", now.transform, now.transforms),
          now.pe_cycles};
}

std::vector<CompareRow> run_with_progress(const CompareGrid& grid, bool quiet) {
  ProgressBar bar(!quiet);
  return compare_all(grid, [&](const CompareProgress& now) {
    if (is_interrupted()) throw Interrupted(where_text(now, bar.seconds()));
    bar.show([&] { return shown(now); });
  });
}

}  // namespace

int run_compare(const CompareArguments& arguments) {
  note_interrupts();
  const CompareGrid grid = choose_grid(arguments);
  check_outputs(arguments.machine, arguments.json);
  return report_compare(arguments, grid, run_with_progress(grid, arguments.quiet));
}

int report_compare(const CompareArguments& arguments, const CompareGrid& grid,
                   const std::vector<CompareRow>& rows) {
  const CompareCounts counts = count(rows);
  if (counts.ok + counts.failed + counts.interrupted == 0) throw nothing_compared(rows);

  if (arguments.json) write_json(*arguments.json, compare_json(grid, rows));
  if (!arguments.quiet && arguments.json != kStandardOutput) {
    write_stdout(compare_text(grid, rows));
  }
  if (counts.failed > 0) {
    write_stderr(failure_line(rows));
  }
  if (counts.interrupted > 0) {
    write_stderr(interruption_line(rows));
    return kInterrupted;
  }
  return counts.failed > 0 ? kMismatch : kOk;
}

}  // namespace weft::cli
