#pragma once

#include "isa/alu.hpp"
#include "isa/table.hpp"

/// The column `function` of instructions.def: what an instruction computes for one lane.
namespace weft::isa {

WEFT_HD Word none(Word, Word, Word) { return 0; }

/// A function of the column as an object: of words and, where it takes them, of vectors of words.
#define WEFT_FUNCTION_OF_WORDS(function)                                                \
  [](auto x, auto y, auto z) -> decltype(static_cast<decltype(x)>(function(x, y, z))) { \
    return static_cast<decltype(x)>(function(x, y, z));                                 \
  }

/// One element (or scalar result) of an instruction that computes; 0 for the others.
WEFT_HD_ONCE Word element(Op op, Word d, Word a, Word b) {
  switch (op) {
#define WEFT_INSTRUCTION(name, format, function, ...) \
  case Op::name:                                      \
    return static_cast<Word>(function(d, a, b));
#include "isa/instructions.def"
  }
  return 0;
}

}  // namespace weft::isa
