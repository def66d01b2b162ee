#pragma once

#include <new>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

#include "base/processes.hpp"
#include "weft/error.hpp"
#include "weft/processes.hpp"

namespace weft::base {

/// Called by all processes, each with its error, if it has one: all throw that of the first process
/// that does.
void throw_first_error(Processes& processes, const std::optional<Error>& mine);

/// work() in all processes, and what it returns in this one: where it throws an Error, or has no
/// memory, in some, all throw that of the first of them.
/// `processes`: null, this one alone.
template <class F>
auto in_all(Processes* processes, const F& work) -> decltype(work()) {
  if (process_count(processes) == 1) return work();
  constexpr bool kReturns = !std::is_void_v<decltype(work())>;
  std::optional<std::conditional_t<kReturns, decltype(work()), std::monostate>> result;
  std::optional<Error> error;
  try {
    if constexpr (kReturns)
      result.emplace(work());
    else
      work();
  } catch (const Error& thrown) {
    error = thrown;
  } catch (const std::bad_alloc&) {
    error = Error(ErrorCategory::environment, "a process has no memory left",
                  "it works for all of them", "take more hosts, or a smaller mesh");
  }
  throw_first_error(*processes, error);
  if constexpr (kReturns) return std::move(result).value();
}

}  // namespace weft::base
