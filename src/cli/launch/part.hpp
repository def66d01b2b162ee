#pragma once

#include <exception>
#include <memory>

#include "cli/common/copies.hpp"
#include "cli/common/together.hpp"
#include "cli/fft/fft.hpp"
#include "cli/sweep/sweep.hpp"
#include "weft/processes.hpp"

namespace weft::cli {

/// This process among those that share a fabric, or the runs of a sweep.
struct Part {
  std::shared_ptr<Processes> processes{};  ///< null: it has not joined others
  bool begun = false;                      ///< all have come to what they share
};

/// Joins the others for `weft fft` and `weft sweep`. The first process speaks and writes for all,
/// but for parts of the output, which all have or none. Throws Error(usage) for options that
/// processes do not share. `part` is used as long as the arguments.
void share(FftArguments& arguments, const Copies& all, Part& part);
void share(SweepArguments& arguments, const Copies& all, Part& part);

/// All come to what they share, or to the end where nothing is shared. Throws the error of the
/// first process that has one, and Error(usage) where they do not all do the same together.
void begin(Part& part, Together mine);

/// Where an exception is caught: that of one process before begin() ends all. Throws the first
/// one's error, or the exception again if it is none of the class Error.
[[noreturn]] void rethrow_for_all(const std::exception& exception, const Part& part);

}  // namespace weft::cli
