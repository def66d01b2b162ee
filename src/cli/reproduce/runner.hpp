#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

#include "cli/text/progress.hpp"
#include "evaluation/item.hpp"
#include "evaluation/store.hpp"

namespace weft::cli {

/// Makes the runs of an evaluation whose results are not kept yet: short ones side by side, each by
/// a thread of its own, then long ones by all threads.
class Runner {
 public:
  Runner(evaluation::Store& store, const Machine& machine, int threads, bool again, bool quiet)
      : store_(store), machine_(machine), threads_(threads), again_(again), bar_(!quiet) {}

  /// With those that are kept. Throws Interrupted, and what evaluation::measure throws; results
  /// until then are kept.
  evaluation::Outcomes all(const std::vector<evaluation::Run>& runs);

 private:
  void side_by_side(const std::vector<evaluation::Run>& runs);
  void make(const evaluation::Run& run, int threads);
  void show(const evaluation::Run& run, double fraction, std::uint64_t pe_cycles);

  struct UnderWay {
    double work;  ///< that is done
    std::uint64_t pe_cycles;
  };

  evaluation::Store& store_;
  const Machine& machine_;
  int threads_;
  bool again_;

  std::mutex mutex_{};  ///< of all below, and of the store
  ProgressBar bar_;
  evaluation::Outcomes outcomes_{};
  std::size_t count_ = 0, ended_ = 0;
  double work_ = 0, work_ended_ = 0;
  std::map<const evaluation::Run*, UnderWay> under_way_{};
  std::uint64_t pe_cycles_ = 0;  ///< of runs that ended
};

}  // namespace weft::cli
