#pragma once

#include <array>
#include <functional>
#include <vector>

#include "weft/instruction_writer.hpp"
#include "weft/patterns.hpp"
#include "weft/program.hpp"

/// The code of a transposition on a folded ring, which RingTranspose and the transform share.
namespace weft::patterns {

/// Where code goes: a ProgramBuilder's, or a PeProgram's.
struct CodeWriter {
  InstructionWriter& p;
  std::function<Label()> label;
  std::function<void(Label)> place;
  std::function<ShapeId(const Shape&)> shape;
};

/// An address: the register plus a number of bytes.
struct CodeAddress {
  Reg base;
  std::int32_t offset = 0;
};

struct RingRegisters {
  Reg place;
  std::array<Reg, 2> send, take, length;  ///< by way
  std::array<Reg, 3> scratch;
  Reg zero;  ///< holds 0
};

struct RingCode {
  int p;      ///< PEs of the ring, 2 or more
  int words;  ///< of a part
  /// In words. The first dimension of a part goes on from part to part at its receiver, if there
  /// are several.
  RingParts from, to;
  CodeAddress numbers, room;  ///< the parts at the start; as much room, for those at the end
  std::array<std::array<int, 3>, 2> colors;        ///< by way (ring_places.hpp)
  std::array<int, 2> input_queues, output_queues;  ///< by way
  std::array<Task, 2> ways;                        ///< local tasks of the two ways
  Task last;  ///< local task that begins when both ways have ended
  RingRegisters registers;
  std::array<Dsr, 8> descriptors;
};

/// Starts the transposition at the end of a task. The register `place` holds the PE's place in the
/// line (not in the ring, which it has afterwards).
void emit_ring_start(const CodeWriter& w, const RingCode& ring);
/// The code of the local task of a way.
void emit_ring_way(const CodeWriter& w, const RingCode& ring, int way);
/// At the beginning of the last task.
void emit_ring_end(const CodeWriter& w, const RingCode& ring);

}  // namespace weft::patterns
