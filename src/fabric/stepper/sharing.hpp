#pragma once

#include <cstdint>
#include <exception>
#include <optional>
#include <span>
#include <string>

#include "engine/share.hpp"
#include "engine/totals.hpp"
#include "fabric/stepper/alike.hpp"
#include "weft/error.hpp"
#include "weft/fault.hpp"
#include "weft/types.hpp"

/// What all steppers do of fabrics that processes share: each has some rows, and all call alike.
namespace weft::fabric {

/// The rows of PEs of a process, of a mesh of `height` rows.
engine::Rows pe_rows(const engine::Share& share, int rank, int height);

/// Words of a rectangle's PEs, in the order of Fabric::read, of which each process has those of its
/// rows: then all have all.
void share_words(const engine::Share& share, const Rect& where, std::span<std::uint32_t> words);

/// Of what each process has found.
Fault first_of_all(Processes& processes, const Fault& mine);
engine::Totals sum_of_all(Processes& processes, const engine::Totals& mine);

/// Where Stepper::pe_state is asked for a PE that Stepper::collect_states has not brought.
[[noreturn]] void refuse_uncollected();
/// Where the first process has no memory for the states of all PEs.
[[noreturn]] void refuse_to_collect();

/// The runs of a process.
class SharedRuns {
 public:
  /// run(), the same in all processes; whatever it throws loses the fabric. `cycle`: where it is.
  template <class F>
  engine::RunResult make(Processes& processes, std::uint64_t limit, std::uint64_t cycle,
                         const F& run) {
    check_not_lost();
    check_run_alike(processes, limit, cycle);
    try {
      return run();
    } catch (const Error& error) {
      lost_ = error.problem();
      throw;
    } catch (const std::exception& error) {
      lost_ = error.what();
      throw;
    } catch (...) {
      lost_ = "a run has ended by an exception";
      throw;
    }
  }
  bool lost() const { return lost_.has_value(); }
  void check_not_lost() const {
    if (lost_)
      throw Error(ErrorCategory::usage, "the fabric is lost", *lost_,
                  "make it again, in all processes");
  }

 private:
  std::optional<std::string> lost_{};  ///< why a run was given up
};

}  // namespace weft::fabric
