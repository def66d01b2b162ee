#pragma once

#include <string>
#include <vector>

namespace weft::test {

/// The outcome of a run of the real `weft`.
struct CommandResult {
  int exit_code = -1;  ///< 128 + the signal's number if a signal ended it
  std::string out;     ///< standard output
  std::string err;     ///< standard error
};

/// Runs `weft` with these arguments, standard input empty.
CommandResult run_weft(const std::vector<std::string>& arguments);

/// The same with standard output going to `path`, which is opened for writing; closed if empty.
CommandResult run_weft_into(const std::string& path, const std::vector<std::string>& arguments);

/// When the progress bar is drawn: at each occasion, or not before the run is long over.
enum class Bar { at_once, late };

/// The same with standard error being a terminal; `err` is all that was sent to it.
CommandResult run_weft_on_terminal(const std::vector<std::string>& arguments, Bar bar);

/// Sends `signal` to `weft`, whose standard error is a terminal, when its bar, which is drawn at
/// once, has had this text.
CommandResult interrupt_weft(const std::vector<std::string>& arguments, int signal,
                             const std::string& text);

/// Expects that nothing went to standard output and that standard error is the one line
/// "weft: <category> error: what (why); what to do", holding every one of `parts`.
void expect_error_line(const CommandResult& result, int exit_code, const std::string& category,
                       const std::vector<std::string>& parts = {});

}  // namespace weft::test
