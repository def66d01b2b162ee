#pragma once

#include <map>
#include <string>

#include "weft/program.hpp"

namespace weft::inline v0 {

/// Names by number, for a program's text.
struct CodeNames {
  std::map<int, std::string> colors{}, local_tasks{};
  std::map<int, std::string> subroutines{};  ///< by their first instruction
};

/// The program's shapes, FIFOs and code: as disassemble(), without its memory, and with names.
std::string code_text(const Program& program, const CodeNames& names = {});

}  // namespace weft::inline v0
