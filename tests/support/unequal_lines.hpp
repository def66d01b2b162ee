#pragma once

#include "support/by_line.hpp"

/// Fabrics of 8 x 8 PEs whose lines are in one state for some time.
namespace weft::test {

/// All rows are in one state until PEs ask for their row; then those of the first one send along
/// columns. Words 14 and 15 differ from row to row, and are written; `reads`: and read again.
Setting rows_that_read_their_place(bool reads);

/// Rows send, and then columns. Word 14 is another one in each column, and PEs read it when a
/// column has sent to them: they count as many rounds.
Setting columns_that_differ_late();

}  // namespace weft::test
