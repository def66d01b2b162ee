#pragma once

#include <new>
#include <optional>

#include "base/processes.hpp"
#include "weft/error.hpp"
#include "weft/processes.hpp"

namespace weft::base {

/// Called by all processes, each with its error, if it has one: all throw that of the first process
/// that does.
void throw_first_error(Processes& processes, const std::optional<Error>& mine);

/// work() in all processes: where it throws an Error, or has no memory, in some, all throw that of
/// the first of them.
/// `processes`: null, this one alone.
template <class F>
void in_all(Processes* processes, const F& work) {
  if (process_count(processes) == 1) return work();
  std::optional<Error> error;
  try {
    work();
  } catch (const Error& thrown) {
    error = thrown;
  } catch (const std::bad_alloc&) {
    error = Error(ErrorCategory::environment, "a process has no memory left",
                  "it works for all of them", "take more hosts, or a smaller mesh");
  }
  throw_first_error(*processes, error);
}

}  // namespace weft::base
