#include "cli/launch/part.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <utility>
#include <vector>

#include "base/first_error.hpp"
#include "base/processes.hpp"
#include "cli/common/exit_code.hpp"
#include "cli/launch/launch.hpp"
#include "weft/error.hpp"

namespace weft::cli {
namespace {

void check_shared(const FftArguments& arguments) {
  for (const auto& [given, option] : {std::pair{arguments.path, "--path"},
                                      std::pair{arguments.trace.path.has_value(), "--trace"}})
    if (given)
      throw Error(ErrorCategory::usage, fmt::format("{} with several processes", option),
                  "processes that share a fabric emit no events",
                  "leave it out, or start weft once");
}

struct Difference {
  Together what;
  const char* words;
};

constexpr Difference kDifferences[] = {
    {Together::shares, "one of them has a plan or a list to write, and the other one emulates"},
    {Together::parts, "one of them has a part of the arrays, and the other one whole arrays"},
    {Together::compares, "one of them compares its part of the result, and the other one does not"},
    {Together::writes, "one of them writes its part of the result, and the other one does not"},
    {Together::draws, "one of them draws its part of a picture, and the other one does not"},
    {Together::compares_in_first,
     "one of them leaves the comparison to the first process, and the other one compares its part"},
};

/// Of the first bit that is not the same.
const char* difference(std::uint32_t one, std::uint32_t other) {
  const auto found = std::ranges::find_if(kDifferences, [&](const Difference& each) {
    return ((one ^ other) & static_cast<std::uint32_t>(each.what)) != 0;
  });
  return found->words;
}

void leave_signals_to_first() {
  for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, SIG_IGN);
}

}  // namespace

void begin(Part& part, Together mine) {
  part.begun = true;
  base::throw_first_error(*part.processes, {});
  const std::vector<std::uint32_t> all =
      base::gathered(*part.processes, static_cast<std::uint32_t>(mine));
  const auto other = std::ranges::find_if(all, [&](std::uint32_t one) { return one != all[0]; });
  if (other != all.end())
    throw Error(ErrorCategory::usage,
                fmt::format("process {} has other arguments than process 0", other - all.begin()),
                difference(*other, all[0]), "start weft with the same arguments on all hosts");
}

void share(SweepArguments& arguments, const Copies& all, Part& part) {
  arguments.processes = part.processes = join(all);
  arguments.before_runs = [&part] { begin(part, Together::shares); };
  if (all.rank == 0) return;
  leave_signals_to_first();
  arguments.quiet = true;
}

void share(FftArguments& arguments, const Copies& all, Part& part) {
  check_shared(arguments);
  arguments.processes = part.processes = join(all);
  arguments.before_fabric = [&part](Together mine) { begin(part, mine); };
  arguments.shared_fftw = fftw_of_processes();
  const std::uint32_t has_fftw = arguments.shared_fftw ? 1 : 0;
  if (std::ranges::min(base::gathered(*part.processes, has_fftw)) == 0)  // builds may differ
    arguments.shared_fftw = {};
  if (all.rank == 0) return;
  leave_signals_to_first();
  arguments.quiet = true;
  arguments.observe = observation_of(arguments);
  arguments.windows = std::nullopt;
  arguments.json = arguments.explain = arguments.profile = std::nullopt;
}

void rethrow_for_all(const std::exception& exception, const Part& part) {
  if (part.processes == nullptr || part.begun) throw;
  Processes& all = *part.processes;
  if (const auto* const error = dynamic_cast<const Error*>(&exception))
    base::throw_first_error(all, *error);
  try {
    base::throw_first_error(
        all, Error(ErrorCategory::environment,
                   fmt::format("process {} ended before the others began", all.rank()),
                   error_line(exception), "mend that, and start all again"));
  } catch (const Error&) {  // here the exception stays what it is, as Ctrl-C has a code of its own
  }
  throw;
}

}  // namespace weft::cli
