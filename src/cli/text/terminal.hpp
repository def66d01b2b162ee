#pragma once

#include <string_view>

namespace weft::cli {

/// Opens descriptors 0 to 2 if the caller closed them, so that no output file lands on one of them,
/// and turns a reader that has gone away, and the limit on the size of files, into a failed write
/// instead of a signal.
void prepare_standard_streams();

/// From now on nothing is written to them: another process writes the same.
void be_silent() noexcept;

/// Writes to standard output. A reader that has gone away is no error: it has what it wanted.
/// Throws Error(environment) if writing fails otherwise.
void write_stdout(std::string_view text);

/// Writes to standard error; there is nowhere left to report a failure to.
void write_stderr(std::string_view text) noexcept;

/// Whether a bar may be drawn on `descriptor`.
bool can_draw(int descriptor) noexcept;

/// Columns of the terminal at `descriptor`; 80 if it does not say.
int columns(int descriptor) noexcept;

}  // namespace weft::cli
