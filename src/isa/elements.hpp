#pragma once

#include "isa/alu.hpp"
#include "weft/instruction.hpp"

/// The instruction table as code: what an instruction computes for one lane.
namespace weft::isa {

WEFT_HD Word none(Word, Word, Word) { return 0; }

/// One element (or scalar result) of an instruction that computes; 0 for the others.
WEFT_HD Word element(Op op, Word d, Word a, Word b) {
  switch (op) {
#define WEFT_INSTRUCTION(name, format, function, cost, runs_ahead, meaning) \
  case Op::name: return static_cast<Word>(function(d, a, b));
#include "weft/instructions.def"
#undef WEFT_INSTRUCTION
  }
  return 0;
}

WEFT_HD Format format_of(Op op) {
  switch (op) {
#define WEFT_INSTRUCTION(name, format, function, cost, runs_ahead, meaning) \
  case Op::name: return Format::format;
#include "weft/instructions.def"
#undef WEFT_INSTRUCTION
  }
  return Format::end;
}

/// The table's column runs_ahead.
WEFT_HD bool runs_ahead(Op op) {
  constexpr bool yes = true, no = false;
  static_assert(kInstructions <= 64 && yes != no);
  constexpr std::uint64_t kBits = 0
#define WEFT_INSTRUCTION(name, format, function, cost, ahead, meaning) \
  | static_cast<std::uint64_t>(ahead) << static_cast<int>(Op::name)
#include "weft/instructions.def"
#undef WEFT_INSTRUCTION
      ;
  return (kBits >> static_cast<int>(op) & 1U) != 0;
}

}  // namespace weft::isa
