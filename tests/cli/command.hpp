#pragma once

#include <string>
#include <vector>

namespace weft::test {

/// What a run of the real `weft` did.
struct CommandResult {
  int exit_code = -1;  ///< 128 + the signal's number if a signal ended it
  std::string out;     ///< standard output
  std::string err;     ///< standard error
};

/// Runs `weft` with these arguments, standard input empty.
CommandResult run_weft(const std::vector<std::string>& arguments);

/// The same with standard output going to `path`, which is opened for writing; closed if empty.
CommandResult run_weft_into(const std::string& path, const std::vector<std::string>& arguments);

/// The same with standard error being a terminal; `err` is all that was sent to it.
CommandResult run_weft_on_terminal(const std::vector<std::string>& arguments);

/// Sends `signal` to `weft` after a second.
CommandResult interrupt_weft(const std::vector<std::string>& arguments, int signal);

/// Standard error is a terminal, and `weft` is sent SIGINT when its progress bar is drawn.
CommandResult interrupt_weft_on_terminal(const std::vector<std::string>& arguments);

/// Expects that nothing went to standard output and that standard error is the one line
/// "weft: <category> error: what (why); what to do", holding every one of `parts`.
void expect_error_line(const CommandResult& result, int exit_code, const std::string& category,
                       const std::vector<std::string>& parts = {});

}  // namespace weft::test
