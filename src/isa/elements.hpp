#pragma once

#include "isa/alu.hpp"
#include "weft/instruction.hpp"

/// The instruction table as code: what an instruction computes for one lane.
namespace weft::isa {

WEFT_HD Word none(Word, Word, Word) { return 0; }

/// One element (or scalar result) of an instruction that computes; 0 for the others.
WEFT_HD_ONCE Word element(Op op, Word d, Word a, Word b) {
  switch (op) {
#define WEFT_INSTRUCTION(name, format, function, cost, runs_ahead, meaning) \
  case Op::name:                                                            \
    return static_cast<Word>(function(d, a, b));
#include "weft/instructions.def"
#undef WEFT_INSTRUCTION
  }
  return 0;
}

// Other columns of the table, by instruction.
#define WEFT_INSTRUCTION(name, format, function, cost, runs_ahead, meaning) Format::format,
WEFT_HD_TABLE Format kFormats[] = {
#include "weft/instructions.def"
};
#undef WEFT_INSTRUCTION
#define WEFT_INSTRUCTION(name, format, function, cost, runs_ahead, meaning) Cost::cost,
WEFT_HD_TABLE Cost kCostClasses[] = {
#include "weft/instructions.def"
};
#undef WEFT_INSTRUCTION
enum class RunsAhead : std::uint8_t { no, yes };
#define WEFT_INSTRUCTION(name, format, function, cost, runs_ahead, meaning) RunsAhead::runs_ahead,
WEFT_HD_TABLE RunsAhead kRunsAhead[] = {
#include "weft/instructions.def"
};
#undef WEFT_INSTRUCTION

WEFT_HD Format format_of(Op op) { return kFormats[static_cast<int>(op)]; }
WEFT_HD Cost cost_of(Op op) { return kCostClasses[static_cast<int>(op)]; }
WEFT_HD bool runs_ahead(Op op) { return kRunsAhead[static_cast<int>(op)] == RunsAhead::yes; }

/// Over the elements that descriptors name.
WEFT_HD bool is_vector(Format format) {
  switch (format) {
#define WEFT_FORMAT(name) case Format::name:
    WEFT_VECTOR_FORMATS(WEFT_FORMAT)
#undef WEFT_FORMAT
    return true;
    default:
      return false;
  }
}

/// Reads or writes PE memory, where its descriptors name memory.
WEFT_HD bool touches_memory(Format format) {
  switch (format) {
    case Format::load:
    case Format::load_half:
    case Format::load_pair:
    case Format::store:
    case Format::store_half:
    case Format::fifo_read:
      return true;
    default:
      return is_vector(format);
  }
}

/// Nobody can notice it but the core itself, not even its microthreads.
WEFT_HD bool touches_registers_only(Op op) {
  return runs_ahead(op) && !touches_memory(format_of(op));
}

/// Bytes of an element of the destination and the sources.
struct Widths {
  std::uint32_t bytes[3];
};

WEFT_HD Widths widths_of(Cost cost) {
  switch (cost) {
    case Cost::f16:
    case Cost::int16:
    case Cost::shift16:
    case Cost::max16:
      return {{2, 2, 2}};
    case Cost::mixed_add:
      return {{4, 4, 2}};
    case Cost::mixed_multiply_add:
    case Cost::widen:
      return {{4, 2, 2}};
    case Cost::narrow:
      return {{2, 4, 4}};
    default:
      return {{4, 4, 4}};
  }
}

/// The function reads its destination: d is a source too.
WEFT_HD bool accumulates(Op op) {
  switch (op) {
    case Op::fmacs:
    case Op::fmach:
    case Op::vfmacs:
    case Op::vfmacsr:
    case Op::vfmach:
    case Op::vfmachr:
    case Op::vfmachs:
      return true;
    default:
      return false;
  }
}

}  // namespace weft::isa
