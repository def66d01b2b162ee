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

}  // namespace weft::isa
