#pragma once

#include <vector>

#include "program/pe_impl.hpp"
#include "weft/error.hpp"

/// Uses of memory that an asynchronous operation may still fill or read, because nothing waits for
/// it in between: of the same task, of subroutines that it calls, and of tasks that it activates.
namespace weft::inline v0 {

/// In the order of the code. `complete`: the program that was built of this.
std::vector<ErrorText> races_of(const PeProgramAccess::Impl& program, const Program& complete);

}  // namespace weft::inline v0
