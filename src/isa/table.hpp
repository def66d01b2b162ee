#pragma once

#include "isa/formats.hpp"
#include "weft/op.hpp"

/// The columns of instructions.def that the step needs, by instruction. Both compilers fold them
/// where the instruction is known.
namespace weft::isa {

#define WEFT_INSTRUCTION(...) +1
inline constexpr int kInstructions = 0
#include "isa/instructions.def"
    ;

/// The class that an instruction's cycles depend on, and how wide its elements are; the machine
/// profile holds the rates.
enum class Cost : std::uint8_t {
#define WEFT_COST(name, ...) name,
#include "isa/costs.def"
};
#define WEFT_COST(...) +1
inline constexpr int kCosts = 0
#include "isa/costs.def"
    ;

#define WEFT_INSTRUCTION(name, format, ...) Format::format,
WEFT_HD_TABLE Format kFormats[] = {
#include "isa/instructions.def"
};
#define WEFT_INSTRUCTION(name, format, function, cost, ...) Cost::cost,
WEFT_HD_TABLE Cost kCostClasses[] = {
#include "isa/instructions.def"
};
enum class Accumulates : std::uint8_t { no, yes };
#define WEFT_INSTRUCTION(name, format, function, cost, accumulates, ...) Accumulates::accumulates,
WEFT_HD_TABLE Accumulates kAccumulates[] = {
#include "isa/instructions.def"
};

WEFT_HD Format format_of(Op op) { return kFormats[static_cast<int>(op)]; }
WEFT_HD Cost cost_of(Op op) { return kCostClasses[static_cast<int>(op)]; }

/// The function reads its destination: d is a source too.
WEFT_HD bool accumulates(Op op) { return kAccumulates[static_cast<int>(op)] == Accumulates::yes; }

/// Touches only the PE's own registers, descriptors and memory. (Of the others, flimit may run
/// ahead sometimes: src/fast/run_ahead.hpp.)
WEFT_HD bool runs_ahead(Op op) { return scope_of(format_of(op)) != Scope::others; }

/// Nobody can notice it but the core itself, not even its microthreads.
WEFT_HD bool touches_registers_only(Op op) { return scope_of(format_of(op)) == Scope::registers; }

/// Bytes of an element of the destination and the sources.
struct Widths {
  std::uint32_t bytes[3];
};

WEFT_HD Widths widths_of(Cost cost) {
  switch (cost) {
#define WEFT_COST(name, constant, d, a, b) \
  case Cost::name:                         \
    return {{d, a, b}};
#include "isa/costs.def"
  }
  return {{4, 4, 4}};
}

}  // namespace weft::isa
