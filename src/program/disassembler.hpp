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

/// An instruction of the program: "fadds    r3, r1, r2".
std::string instruction_text(const Instruction& i, const std::map<int, std::string>& colors = {});

/// The program's shapes, FIFOs and code: as disassemble(), without its memory, and with names.
std::string code_text(const Program& program, const CodeNames& names = {});

}  // namespace weft::inline v0
