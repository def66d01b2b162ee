#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/common/accuracy.hpp"
#include "cli/common/engines.hpp"
#include "reference/reference.hpp"
#include "weft/fft.hpp"

namespace weft::cli {

/// The comparisons to make: every combination.
struct CompareGrid {
  std::vector<Shape3> shapes;
  std::vector<FftPrecision> precisions;
  std::vector<FftKind> kinds;
  std::vector<FftDirection> directions;
  std::vector<const EngineRow*> engines;
  std::vector<const reference::Reference*> references;
  std::uint64_t seed = 1;  ///< of the random fields that are transformed
  Machine machine;
  FftAlgorithm algorithm = FftAlgorithm::wsfft;
  S3dftForm s3dft_form = S3dftForm::held;
  int batch = 1;   ///< arrays of each transform
  FftMesh mesh{};  ///< of each; 0: as the shape allows
  int threads = 1;
};

/// A reference's own transform in the precision of the row, against its double precision.
struct OwnTransform {
  double rel_l2 = 0;
  double seconds = 0;
};

/// The result of a comparison.
struct Finding {
  Accuracy accuracy;
  std::optional<OwnTransform> own;  ///< none if the reference does not have the precision
  std::uint64_t cycles = 0;
  double emulation_seconds = 0;
};

/// One combination: found, or skipped for a reason, or not done because the user ended the whole.
struct CompareRow {
  Arrays arrays;
  FftPrecision precision = FftPrecision::fp32;
  const EngineRow* engine = nullptr;
  const reference::Reference* reference = nullptr;
  std::optional<Finding> finding;
  std::string skipped;       ///< why there is no finding
  bool interrupted = false;  ///< then `skipped` is where, in the row that was under way

  bool failed() const noexcept { return finding && !finding->accuracy.ok(); }
};

/// How far a comparison has come.
struct CompareProgress {
  double done = 0;                   ///< 0 to 1, of the work of all transforms: those that ended
  double share = 0;                  ///< of that work, the one under way
  std::size_t transform = 0;         ///< the one under way, counted from 1
  std::size_t transforms = 0;        ///< how many are emulated
  std::uint64_t pe_cycles = 0;       ///< emulated so far, over all
  std::optional<FftProgress> run{};  ///< of the one under way; none when it is compared
};

/// 0 to 1, of the work of all transforms. Asks what is expected of the one under way; if that is
/// not known, it counts when it has ended.
double fraction(const CompareProgress& progress);

/// Runs them one after the other. A row is skipped if its engine or its reference is not there, or
/// if this host lacks the memory for it. If `progress` throws Interrupted, the rows that are left
/// are marked; other errors end the whole.
std::vector<CompareRow> compare_all(const CompareGrid& grid,
                                    const std::function<void(const CompareProgress&)>& progress);

}  // namespace weft::cli
