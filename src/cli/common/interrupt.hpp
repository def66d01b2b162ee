#pragma once

#include <stdexcept>
#include <string>

namespace weft::cli {

/// Thrown where work stops because the user asked for it; the message is what was under way.
class Interrupted : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// From now on a first SIGINT or SIGTERM is only noted; a second one of a kind ends the process at
/// once. A signal that the caller has set to be ignored stays ignored.
void note_interrupts();

/// Whether a signal was noted.
bool is_interrupted() noexcept;

/// Throws Interrupted("while <doing>") if a signal was noted.
void stop_if_interrupted(const std::string& doing);

}  // namespace weft::cli
