#include "cli/compare/compare_grid.hpp"

#include <algorithm>
#include <map>
#include <new>
#include <utility>

#include "cli/common/interrupt.hpp"
#include "weft/error.hpp"

namespace weft::cli {
namespace {

using reference::Reference;

/// The combinations of one emulated run: it is compared with all references.
struct EmulatedRun {
  Arrays arrays;
  FftPrecision precision;
  const EngineRow* engine;
};

std::vector<EmulatedRun> runs_of(const CompareGrid& grid) {
  std::vector<EmulatedRun> runs;
  for (const Shape3& shape : grid.shapes)
    for (const FftKind kind : grid.kinds)
      for (const FftPrecision precision : grid.precisions)
        for (const FftDirection direction : grid.directions)
          for (const EngineRow* engine : grid.engines)
            runs.push_back({{shape, kind, direction, grid.batch}, precision, engine});
  return runs;
}

// n x n PEs take some n^2 cycles, most of them to transpose.
double work_of(const EmulatedRun& run) {
  const auto pes = static_cast<double>(run.arrays.shape.n0 * run.arrays.shape.n1);
  return run.arrays.batch * pes * pes;
}

Finding find(const EmulatedRun& run, FftAlgorithm algorithm, const Reference& reference,
             const Volume& input, const FftRun& emulated) {
  const reference::Arithmetic same = reference::arithmetic_of(run.precision);
  std::optional<OwnTransform> own;
  const auto look = [&](const Volume& array, const reference::Transformed& exact) {
    if (own || !reference.has(same)) return;  // the first array tells
    const reference::Transformed its =
        transform_one(reference, run.arrays, array, FftNorm::backward, same);
    own = {reference::compare(its.values, exact.values).rel_l2, its.wall_seconds};
  };
  const double bound = fft_error_bound(run.arrays.shape, run.precision, algorithm);
  const Accuracy accuracy =
      accuracy_of(reference, run.arrays, FftNorm::backward, bound, input, emulated.output, look);
  return {accuracy, own, emulated.report.cycles, emulated.report.wall_seconds};
}

// The reason if what `action` needs is not on this host; other errors pass.
template <typename Action>
std::string why_impossible(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    if (error.category() != ErrorCategory::environment) throw;
    return error.what();
  } catch (const std::bad_alloc&) {
    return "out of memory";
  }
  return "";
}

class Comparison {
 public:
  using ShowProgress = std::function<void(const CompareProgress&)>;

  Comparison(const CompareGrid& grid, const ShowProgress& show)
      : grid_(grid), show_progress_(show), runs_(runs_of(grid)) {
    for (const EngineRow* engine : grid.engines) absent_engines_[engine] = engine->why_absent();
    for (const Reference* reference : grid.references) {
      absent_references_[reference] = reference->why_absent();
    }
    any_reference_ = std::ranges::any_of(absent_references_,
                                         [](const auto& entry) { return entry.second.empty(); });
    for (const EmulatedRun& run : runs_) {
      if (!will_run(run)) continue;
      work_ += work_of(run);
      ++now_.transforms;
    }
  }

  std::vector<CompareRow> all() {
    try {
      for (const EmulatedRun& run : runs_) compare(run);
    } catch (const Interrupted& interrupted) {
      mark_the_rest(interrupted.what());
    }
    return std::move(rows_);
  }

 private:
  bool will_run(const EmulatedRun& run) {
    return any_reference_ && absent_engines_[run.engine].empty();
  }

  void compare(const EmulatedRun& run) {
    std::string skipped = absent_engines_[run.engine];
    if (will_run(run)) {
      skipped = why_impossible([&] { emulate(run); });
      work_done_ += work_of(run);
      pe_cycles_ += emulated_.report.pe_cycles;
    }
    for (const Reference* reference : grid_.references) {
      rows_.push_back(row(run, *reference, skipped));
    }
  }

  void emulate(const EmulatedRun& run) {
    ++now_.transform;
    const FftOptions options{.machine = grid_.machine,
                             .mesh = grid_.mesh,
                             .batch = grid_.batch,
                             .kind = run.arrays.kind,
                             .norm = FftNorm::backward,
                             .algorithm = grid_.algorithm,
                             .s3dft_form = grid_.s3dft_form,
                             .threads = grid_.threads,
                             .engine = Engine::host};  // each row's engine sets its own
    emulated_ = {};
    const FftPlan plan(run.arrays.shape, run.precision, options);
    if (!input_ || input_of_ != run.arrays) {
      input_ = random_arrays(run.arrays, grid_.seed);
      input_of_ = run.arrays;
    }
    emulated_ = run.engine->run(plan, *input_, run.arrays.direction,
                                [&](const FftProgress& now) { show_progress(now, work_of(run)); });
  }

  void show_progress(std::optional<FftProgress> run, double work) {
    now_.done = work_done_ / work_;
    now_.share = work / work_;
    now_.pe_cycles = pe_cycles_ + (run ? run->pe_cycles : 0);
    now_.run = std::move(run);
    show_progress_(now_);
  }

  CompareRow empty_row(const EmulatedRun& run, const Reference& reference) const {
    return {run.arrays, run.precision, run.engine, &reference, {}, {}};
  }

  CompareRow row(const EmulatedRun& run, const Reference& reference, const std::string& skipped) {
    CompareRow row = empty_row(run, reference);
    row.skipped = skipped.empty() ? absent_references_[&reference] : skipped;
    if (row.skipped.empty()) {
      show_progress({}, 0);
      row.skipped = why_impossible(
          [&] { row.finding = find(run, grid_.algorithm, reference, *input_, emulated_); });
    }
    return row;
  }

  // The first of them was under way; rows that would have been skipped still are.
  void mark_the_rest(std::string where) {
    const std::size_t references = grid_.references.size();
    for (std::size_t at = rows_.size(); at < runs_.size() * references; ++at) {
      const EmulatedRun& run = runs_[at / references];
      CompareRow row = empty_row(run, *grid_.references[at % references]);
      row.skipped = absent_engines_[run.engine];
      if (row.skipped.empty()) row.skipped = absent_references_[row.reference];
      row.interrupted = row.skipped.empty();
      if (row.interrupted) row.skipped = std::exchange(where, {});
      rows_.push_back(row);
    }
  }

  const CompareGrid& grid_;
  const ShowProgress& show_progress_;
  const std::vector<EmulatedRun> runs_;
  std::map<const EngineRow*, std::string> absent_engines_;  ///< empty for those that are present
  std::map<const Reference*, std::string> absent_references_;
  bool any_reference_ = false;
  double work_ = 0, work_done_ = 0;
  std::uint64_t pe_cycles_ = 0;
  CompareProgress now_;
  Arrays input_of_;
  std::optional<Volume> input_;  ///< of these arrays
  FftRun emulated_;              ///< the last run
  std::vector<CompareRow> rows_;
};

}  // namespace

double fraction(const CompareProgress& progress) {
  const auto expected = progress.run ? progress.run->expectation() : std::nullopt;
  return progress.done + (expected ? expected->fraction * progress.share : 0);
}

std::vector<CompareRow> compare_all(const CompareGrid& grid,
                                    const std::function<void(const CompareProgress&)>& progress) {
  return Comparison(grid, progress).all();
}

}  // namespace weft::cli
