#include "engine/process_ends.hpp"

#include <fmt/format.h>

#include <new>
#include <optional>
#include <string>

#include "base/first_error.hpp"

namespace weft::engine {
namespace {

std::string words_of(const std::exception_ptr& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const std::bad_alloc&) {
    return "it has no memory left";
  } catch (const std::exception& exception) {
    return exception.what();
  } catch (...) {
    return "by an exception that has no words";
  }
}

}  // namespace

void throw_failure(Processes& processes, const std::exception_ptr& mine) {
  std::optional<Error> error;
  if (mine != nullptr)
    error.emplace(
        ErrorCategory::environment,
        fmt::format("process {} of {} failed in a run", processes.rank(), processes.size()),
        words_of(mine), "mend that, and start all again");
  base::throw_first_error(processes, error);
  throw Error(ErrorCategory::emulator, "a run was given up", "no process tells why",
              "please report it");
}

Error stopped_by(int rank) {
  return {ErrorCategory::environment, fmt::format("process {} has ended the run", rank),
          "its callback for the progress threw an exception", "see the error of that process"};
}

}  // namespace weft::engine
