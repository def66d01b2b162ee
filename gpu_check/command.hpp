#pragma once

#include <map>
#include <string>
#include <vector>

namespace weft::gpu_check {

struct Command {
  std::vector<std::string> words;                    ///< the program's path first
  std::map<std::string, std::string> environment{};  ///< beside what this process has
};

/// The end of a command.
struct Finished {
  std::string not_started;  ///< why, if it was not; then the rest tells nothing
  int exit_code = -1;       ///< 128 + the signal's number if a signal ended it
  bool killed = false;      ///< at its limit
  double seconds = 0;
  std::string out, err;
};

/// Runs a command, standard input empty, and kills it with all that it has started after `limit_s`
/// seconds, or when this process is interrupted.
Finished run(const Command& command, double limit_s);

/// From now on SIGINT, SIGTERM and SIGHUP end what is run, and interrupted() tells of it. A reader
/// of standard output that goes away ends nothing.
void heed_interrupts();
bool interrupted();

}  // namespace weft::gpu_check
