// Generated from src/isa/instructions.def by weft-test-tables (CONTRIBUTING.md).
#pragma once

#include <cstdint>

#include "weft/call_line.hpp"
#include "weft/instruction.hpp"

namespace weft::inline v0 {

/// A method for each instruction, which appends it to a program: see ProgramBuilder. Scalar
/// arithmetic wraps, and shifts take b modulo 32. Memory's byte addresses are multiples of the
/// element's size. Vector instructions go element by element over descriptors, d[i] = f(d[i], a[i],
/// b[i]); with a fabric operand they run as a microthread.
class InstructionWriter {
 public:
  // Scalar arithmetic
  /// d = immediate
  void li(Reg d, std::int32_t immediate, CallLine = {});
  /// d = a
  void mov(Reg d, Reg a, CallLine = {});
  /// d = a + b
  void add(Reg d, Reg a, Reg b, CallLine = {});
  /// d = a - b
  void sub(Reg d, Reg a, Reg b, CallLine = {});
  /// d = a b, low 32 bits
  void mul(Reg d, Reg a, Reg b, CallLine = {});
  /// d = a and b, bitwise
  void band(Reg d, Reg a, Reg b, CallLine = {});
  /// d = a or b, bitwise
  void bor(Reg d, Reg a, Reg b, CallLine = {});
  /// d = a xor b, bitwise
  void bxor(Reg d, Reg a, Reg b, CallLine = {});
  /// d = a << b
  void shl(Reg d, Reg a, Reg b, CallLine = {});
  /// d = a >> b, zeros from the left
  void shr(Reg d, Reg a, Reg b, CallLine = {});
  /// d = a >> b, sign from the left
  void sar(Reg d, Reg a, Reg b, CallLine = {});
  /// d = a + immediate
  void addi(Reg d, Reg a, std::int32_t immediate, CallLine = {});
  /// d = a immediate, low 32 bits
  void muli(Reg d, Reg a, std::int32_t immediate, CallLine = {});
  /// d = a << immediate
  void shli(Reg d, Reg a, std::int32_t immediate, CallLine = {});
  /// d = a >> immediate, zeros from the left
  void shri(Reg d, Reg a, std::int32_t immediate, CallLine = {});
  /// d = a >> immediate, sign from the left
  void sari(Reg d, Reg a, std::int32_t immediate, CallLine = {});
  /// d = a and immediate, bitwise
  void bandi(Reg d, Reg a, std::int32_t immediate, CallLine = {});
  /// d = a or immediate, bitwise
  void bori(Reg d, Reg a, std::int32_t immediate, CallLine = {});
  /// d = a xor immediate, bitwise
  void bxori(Reg d, Reg a, std::int32_t immediate, CallLine = {});
  /// d = a + b, FP32
  void fadds(Reg d, Reg a, Reg b, CallLine = {});
  /// d = a - b, FP32
  void fsubs(Reg d, Reg a, Reg b, CallLine = {});
  /// d = a b, FP32
  void fmuls(Reg d, Reg a, Reg b, CallLine = {});
  /// d = d + a b, FP32, rounded once
  void fmacs(Reg d, Reg a, Reg b, CallLine = {});
  /// d = -a, FP32
  void fnegs(Reg d, Reg a, CallLine = {});
  /// d = |a|, FP32
  void fabss(Reg d, Reg a, CallLine = {});
  /// d = the larger of a and b, FP32
  void fmaxs(Reg d, Reg a, Reg b, CallLine = {});
  /// d = the smaller of a and b, FP32
  void fmins(Reg d, Reg a, Reg b, CallLine = {});
  /// d = 1 if a < b, FP32, else 0
  void flts(Reg d, Reg a, Reg b, CallLine = {});
  /// d = 1 if a <= b, FP32, else 0
  void fles(Reg d, Reg a, Reg b, CallLine = {});
  /// d = 1 if a = b, FP32, else 0
  void feqs(Reg d, Reg a, Reg b, CallLine = {});
  /// d = a + b, FP16 in the low halves
  void faddh(Reg d, Reg a, Reg b, CallLine = {});
  /// d = a - b, FP16
  void fsubh(Reg d, Reg a, Reg b, CallLine = {});
  /// d = a b, FP16
  void fmulh(Reg d, Reg a, Reg b, CallLine = {});
  /// d = d + a b, FP16, rounded once
  void fmach(Reg d, Reg a, Reg b, CallLine = {});
  /// d = -a, FP16
  void fnegh(Reg d, Reg a, CallLine = {});
  /// d = |a|, FP16
  void fabsh(Reg d, Reg a, CallLine = {});
  /// d = the larger of a and b, FP16
  void fmaxh(Reg d, Reg a, Reg b, CallLine = {});
  /// d = the smaller of a and b, FP16
  void fminh(Reg d, Reg a, Reg b, CallLine = {});
  /// d = 1 if a < b, FP16, else 0
  void flth(Reg d, Reg a, Reg b, CallLine = {});
  /// d = 1 if a <= b, FP16, else 0
  void fleh(Reg d, Reg a, Reg b, CallLine = {});
  /// d = 1 if a = b, FP16, else 0
  void feqh(Reg d, Reg a, Reg b, CallLine = {});
  /// d = a, FP16 to FP32
  void fh2s(Reg d, Reg a, CallLine = {});
  /// d = a, FP32 to FP16, to nearest even
  void fs2h(Reg d, Reg a, CallLine = {});
  /// d = a, signed integer to FP32, to nearest even
  void fi2s(Reg d, Reg a, CallLine = {});
  /// d = a, unsigned integer to FP32, to nearest even
  void fu2s(Reg d, Reg a, CallLine = {});
  /// d = a, FP32 to signed integer, toward 0; the nearest integer beyond the range; 0 of a NaN
  void fs2i(Reg d, Reg a, CallLine = {});
  /// d = a, FP32 to unsigned integer, likewise
  void fs2u(Reg d, Reg a, CallLine = {});

  // Memory
  /// d = memory[a + immediate]
  void lw(Reg d, Reg a, std::int32_t immediate = 0, CallLine = {});
  /// d = 16 bits at memory[a + immediate], zeros above
  void lh(Reg d, Reg a, std::int32_t immediate = 0, CallLine = {});
  /// d, d + 1 = low and high half of memory[a + immediate]
  void lpair(Reg d, Reg a, std::int32_t immediate = 0, CallLine = {});
  /// 16 bits at memory[a + immediate] = low half of d
  void sh(Reg d, Reg a, std::int32_t immediate = 0, CallLine = {});
  /// memory[a + immediate] = d
  void sw(Reg d, Reg a, std::int32_t immediate = 0, CallLine = {});

  // Control flow
  /// go to target
  void jump(Label target, CallLine = {});
  /// go to target if d = a
  void beq(Reg d, Reg a, Label target, CallLine = {});
  /// go to target if d /= a
  void bne(Reg d, Reg a, Label target, CallLine = {});
  /// go to target if d < a, signed
  void blt(Reg d, Reg a, Label target, CallLine = {});
  /// go to target if d >= a, signed
  void bge(Reg d, Reg a, Label target, CallLine = {});
  /// go to target if d < a, unsigned
  void bltu(Reg d, Reg a, Label target, CallLine = {});
  /// go to target if d >= a, unsigned
  void bgeu(Reg d, Reg a, Label target, CallLine = {});
  /// d = next instruction; go to target
  void call(Reg d, Label target, CallLine = {});
  /// go to the instruction that d names
  void ret(Reg d, CallLine = {});

  // Place and clock
  /// d = column of this PE in the fabric
  void xcoord(Reg d, CallLine = {});
  /// d = row of this PE in the fabric
  void ycoord(Reg d, CallLine = {});
  /// d = cycle counter, bits 0-31
  void tsc(Reg d, CallLine = {});
  /// d = cycle counter, bits 32-47
  void tsch(Reg d, CallLine = {});

  // Descriptors
  /// descriptor d: base = immediate; it names memory
  void dbase(Dsr d, std::int32_t immediate, CallLine = {});
  /// descriptor d: length = immediate
  void dlen(Dsr d, std::int32_t immediate, CallLine = {});
  /// descriptor d: stride = immediate
  void dstride(Dsr d, std::int32_t immediate, CallLine = {});
  /// descriptor d: base = a + immediate; it names memory
  void dbaser(Dsr d, Reg a, std::int32_t immediate = 0, CallLine = {});
  /// descriptor d: length = a + immediate
  void dlenr(Dsr d, Reg a, std::int32_t immediate = 0, CallLine = {});
  /// descriptor d: stride = a + immediate
  void dstrider(Dsr d, Reg a, std::int32_t immediate = 0, CallLine = {});
  /// descriptor d: base = base + a + immediate
  void dadd(Dsr d, Reg a, std::int32_t immediate = 0, CallLine = {});
  /// descriptor d: it names memory of the shape's dimensions; length = their product
  void dshape(Dsr d, ShapeId shape, CallLine = {});
  /// descriptor d: it names a FIFO
  void dfifo(Dsr d, FifoId fifo, CallLine = {});
  /// descriptor d: input queue
  void dfabin(Dsr d, int queue, CallLine = {});
  /// descriptor d: output queue, color, data or control wavelets
  void dfabout(Dsr d, int queue, int color, bool control = false, CallLine = {});
  /// d = elements that the FIFO holds
  void fifolen(Reg d, FifoId fifo, CallLine = {});

  // Vector instructions
  /// d = a + b, FP32
  void vfadds(Dsr d, Dsr a, Dsr b, VectorOptions options = {}, CallLine = {});
  /// d = a - b, FP32
  void vfsubs(Dsr d, Dsr a, Dsr b, VectorOptions options = {}, CallLine = {});
  /// d = a b, FP32
  void vfmuls(Dsr d, Dsr a, Dsr b, VectorOptions options = {}, CallLine = {});
  /// d = d + a b, FP32, rounded once
  void vfmacs(Dsr d, Dsr a, Dsr b, VectorOptions options = {}, CallLine = {});
  /// d = a + r, FP32
  void vfaddsr(Dsr d, Dsr a, Reg r, VectorOptions options = {}, CallLine = {});
  /// d = a - r, FP32
  void vfsubsr(Dsr d, Dsr a, Reg r, VectorOptions options = {}, CallLine = {});
  /// d = r - a, FP32
  void vfrsubsr(Dsr d, Dsr a, Reg r, VectorOptions options = {}, CallLine = {});
  /// d = a r, FP32
  void vfmulsr(Dsr d, Dsr a, Reg r, VectorOptions options = {}, CallLine = {});
  /// d = d + a r, FP32, rounded once
  void vfmacsr(Dsr d, Dsr a, Reg r, VectorOptions options = {}, CallLine = {});
  /// d = a
  void vmov32(Dsr d, Dsr a, VectorOptions options = {}, CallLine = {});
  /// d = r
  void vmov32r(Dsr d, Reg r, VectorOptions options = {}, CallLine = {});
  /// d = the larger of a and b, FP32
  void vfmaxs(Dsr d, Dsr a, Dsr b, VectorOptions options = {}, CallLine = {});
  /// d = the larger of a and r, FP32
  void vfmaxsr(Dsr d, Dsr a, Reg r, VectorOptions options = {}, CallLine = {});
  /// d = the smaller of a and b, FP32
  void vfmins(Dsr d, Dsr a, Dsr b, VectorOptions options = {}, CallLine = {});
  /// d = the smaller of a and r, FP32
  void vfminsr(Dsr d, Dsr a, Reg r, VectorOptions options = {}, CallLine = {});
  /// d = -a, FP32
  void vfnegs(Dsr d, Dsr a, VectorOptions options = {}, CallLine = {});
  /// d = |a|, FP32
  void vfabss(Dsr d, Dsr a, VectorOptions options = {}, CallLine = {});
  /// d = a + b, 32-bit integers
  void vadd32(Dsr d, Dsr a, Dsr b, VectorOptions options = {}, CallLine = {});
  /// d = a - b, 32-bit integers
  void vsub32(Dsr d, Dsr a, Dsr b, VectorOptions options = {}, CallLine = {});
  /// d = a + r, 32-bit integers
  void vadd32r(Dsr d, Dsr a, Reg r, VectorOptions options = {}, CallLine = {});
  /// d = a - r, 32-bit integers
  void vsub32r(Dsr d, Dsr a, Reg r, VectorOptions options = {}, CallLine = {});
  /// d = r - a, 32-bit integers
  void vrsub32r(Dsr d, Dsr a, Reg r, VectorOptions options = {}, CallLine = {});
  /// d = a and b, bitwise, 32 bits
  void vand32(Dsr d, Dsr a, Dsr b, VectorOptions options = {}, CallLine = {});
  /// d = a and r, bitwise, 32 bits
  void vand32r(Dsr d, Dsr a, Reg r, VectorOptions options = {}, CallLine = {});
  /// d = a or b, bitwise, 32 bits
  void vor32(Dsr d, Dsr a, Dsr b, VectorOptions options = {}, CallLine = {});
  /// d = a or r, bitwise, 32 bits
  void vor32r(Dsr d, Dsr a, Reg r, VectorOptions options = {}, CallLine = {});
  /// d = a xor b, bitwise, 32 bits
  void vxor32(Dsr d, Dsr a, Dsr b, VectorOptions options = {}, CallLine = {});
  /// d = a xor r, bitwise, 32 bits
  void vxor32r(Dsr d, Dsr a, Reg r, VectorOptions options = {}, CallLine = {});
  /// d = a << r, 32 bits
  void vsll32r(Dsr d, Dsr a, Reg r, VectorOptions options = {}, CallLine = {});
  /// d = a >> r, zeros from the left, 32 bits
  void vslr32r(Dsr d, Dsr a, Reg r, VectorOptions options = {}, CallLine = {});
  /// d = a >> r, sign from the left, 32 bits
  void vsar32r(Dsr d, Dsr a, Reg r, VectorOptions options = {}, CallLine = {});
  /// d = the larger of a and b, signed 32-bit integers
  void vmax32(Dsr d, Dsr a, Dsr b, VectorOptions options = {}, CallLine = {});
  /// d = the larger of a and r, signed 32-bit integers
  void vmax32r(Dsr d, Dsr a, Reg r, VectorOptions options = {}, CallLine = {});
  /// d = the larger of a and b, unsigned 32-bit integers
  void vmaxu32(Dsr d, Dsr a, Dsr b, VectorOptions options = {}, CallLine = {});
  /// d = the larger of a and r, unsigned 32-bit integers
  void vmaxu32r(Dsr d, Dsr a, Reg r, VectorOptions options = {}, CallLine = {});
  /// d = the smaller of a and b, signed 32-bit integers
  void vmin32(Dsr d, Dsr a, Dsr b, VectorOptions options = {}, CallLine = {});
  /// d = the smaller of a and r, signed 32-bit integers
  void vmin32r(Dsr d, Dsr a, Reg r, VectorOptions options = {}, CallLine = {});
  /// d = the smaller of a and b, unsigned 32-bit integers
  void vminu32(Dsr d, Dsr a, Dsr b, VectorOptions options = {}, CallLine = {});
  /// d = the smaller of a and r, unsigned 32-bit integers
  void vminu32r(Dsr d, Dsr a, Reg r, VectorOptions options = {}, CallLine = {});
  /// d = a + b, FP16
  void vfaddh(Dsr d, Dsr a, Dsr b, VectorOptions options = {}, CallLine = {});
  /// d = a - b, FP16
  void vfsubh(Dsr d, Dsr a, Dsr b, VectorOptions options = {}, CallLine = {});
  /// d = a b, FP16
  void vfmulh(Dsr d, Dsr a, Dsr b, VectorOptions options = {}, CallLine = {});
  /// d = d + a b, FP16, rounded once
  void vfmach(Dsr d, Dsr a, Dsr b, VectorOptions options = {}, CallLine = {});
  /// d = a + r, FP16
  void vfaddhr(Dsr d, Dsr a, Reg r, VectorOptions options = {}, CallLine = {});
  /// d = a - r, FP16
  void vfsubhr(Dsr d, Dsr a, Reg r, VectorOptions options = {}, CallLine = {});
  /// d = r - a, FP16
  void vfrsubhr(Dsr d, Dsr a, Reg r, VectorOptions options = {}, CallLine = {});
  /// d = a r, FP16
  void vfmulhr(Dsr d, Dsr a, Reg r, VectorOptions options = {}, CallLine = {});
  /// d = d + a r, FP16, rounded once
  void vfmachr(Dsr d, Dsr a, Reg r, VectorOptions options = {}, CallLine = {});
  /// d = the larger of a and b, FP16
  void vfmaxh(Dsr d, Dsr a, Dsr b, VectorOptions options = {}, CallLine = {});
  /// d = the larger of a and r, FP16
  void vfmaxhr(Dsr d, Dsr a, Reg r, VectorOptions options = {}, CallLine = {});
  /// d = the smaller of a and b, FP16
  void vfminh(Dsr d, Dsr a, Dsr b, VectorOptions options = {}, CallLine = {});
  /// d = the smaller of a and r, FP16
  void vfminhr(Dsr d, Dsr a, Reg r, VectorOptions options = {}, CallLine = {});
  /// d = -a, FP16
  void vfnegh(Dsr d, Dsr a, VectorOptions options = {}, CallLine = {});
  /// d = |a|, FP16
  void vfabsh(Dsr d, Dsr a, VectorOptions options = {}, CallLine = {});
  /// d = a + b, 16-bit integers
  void vadd16(Dsr d, Dsr a, Dsr b, VectorOptions options = {}, CallLine = {});
  /// d = a - b, 16-bit integers
  void vsub16(Dsr d, Dsr a, Dsr b, VectorOptions options = {}, CallLine = {});
  /// d = a and b, bitwise
  void vand16(Dsr d, Dsr a, Dsr b, VectorOptions options = {}, CallLine = {});
  /// d = a or b, bitwise
  void vor16(Dsr d, Dsr a, Dsr b, VectorOptions options = {}, CallLine = {});
  /// d = a xor b, bitwise
  void vxor16(Dsr d, Dsr a, Dsr b, VectorOptions options = {}, CallLine = {});
  /// d = a + r, 16-bit integers
  void vadd16r(Dsr d, Dsr a, Reg r, VectorOptions options = {}, CallLine = {});
  /// d = a - r, 16-bit integers
  void vsub16r(Dsr d, Dsr a, Reg r, VectorOptions options = {}, CallLine = {});
  /// d = r - a, 16-bit integers
  void vrsub16r(Dsr d, Dsr a, Reg r, VectorOptions options = {}, CallLine = {});
  /// d = a and r, bitwise
  void vand16r(Dsr d, Dsr a, Reg r, VectorOptions options = {}, CallLine = {});
  /// d = a or r, bitwise
  void vor16r(Dsr d, Dsr a, Reg r, VectorOptions options = {}, CallLine = {});
  /// d = a xor r, bitwise
  void vxor16r(Dsr d, Dsr a, Reg r, VectorOptions options = {}, CallLine = {});
  /// d = a, 16 bits
  void vmov16(Dsr d, Dsr a, VectorOptions options = {}, CallLine = {});
  /// d = low half of r
  void vmov16r(Dsr d, Reg r, VectorOptions options = {}, CallLine = {});
  /// d = a << r, 16 bits
  void vsll16r(Dsr d, Dsr a, Reg r, VectorOptions options = {}, CallLine = {});
  /// d = a >> r, zeros from the left
  void vslr16r(Dsr d, Dsr a, Reg r, VectorOptions options = {}, CallLine = {});
  /// d = a >> r, sign from the left
  void vsar16r(Dsr d, Dsr a, Reg r, VectorOptions options = {}, CallLine = {});
  /// d = the larger of a and b, signed 16-bit integers
  void vmax16(Dsr d, Dsr a, Dsr b, VectorOptions options = {}, CallLine = {});
  /// d = the larger of a and r, signed 16-bit integers
  void vmax16r(Dsr d, Dsr a, Reg r, VectorOptions options = {}, CallLine = {});
  /// d = the larger of a and b, unsigned 16-bit integers
  void vmaxu16(Dsr d, Dsr a, Dsr b, VectorOptions options = {}, CallLine = {});
  /// d = the larger of a and r, unsigned 16-bit integers
  void vmaxu16r(Dsr d, Dsr a, Reg r, VectorOptions options = {}, CallLine = {});
  /// d = the smaller of a and b, signed 16-bit integers
  void vmin16(Dsr d, Dsr a, Dsr b, VectorOptions options = {}, CallLine = {});
  /// d = the smaller of a and r, signed 16-bit integers
  void vmin16r(Dsr d, Dsr a, Reg r, VectorOptions options = {}, CallLine = {});
  /// d = the smaller of a and b, unsigned 16-bit integers
  void vminu16(Dsr d, Dsr a, Dsr b, VectorOptions options = {}, CallLine = {});
  /// d = the smaller of a and r, unsigned 16-bit integers
  void vminu16r(Dsr d, Dsr a, Reg r, VectorOptions options = {}, CallLine = {});
  /// d = a + b: FP32 = FP32 + FP16
  void vfaddhs(Dsr d, Dsr a, Dsr b, VectorOptions options = {}, CallLine = {});
  /// d = d + a b: FP32 += FP16 FP16
  void vfmachs(Dsr d, Dsr a, Dsr b, VectorOptions options = {}, CallLine = {});
  /// d = a, FP16 to FP32
  void vfh2s(Dsr d, Dsr a, VectorOptions options = {}, CallLine = {});
  /// d = a, FP32 to FP16, to nearest even
  void vfs2h(Dsr d, Dsr a, VectorOptions options = {}, CallLine = {});
  /// d = a, 16-bit integer to FP32
  void vxp162fs(Dsr d, Dsr a, VectorOptions options = {}, CallLine = {});
  /// d = a, FP32 to 16-bit integer, as fs2i
  void vfs2xp16(Dsr d, Dsr a, VectorOptions options = {}, CallLine = {});
  /// d = a, 16-bit integer to FP16, to nearest even
  void vxp162fh(Dsr d, Dsr a, VectorOptions options = {}, CallLine = {});
  /// d = a, FP16 to 16-bit integer, as fs2i
  void vfh2xp16(Dsr d, Dsr a, VectorOptions options = {}, CallLine = {});

  // Tasks
  /// set the task's active bit
  void activate(Task task, CallLine = {});
  /// set the task's or color's blocked bit
  void block(Task task, CallLine = {});
  /// clear the task's or color's blocked bit
  void unblock(Task task, CallLine = {});
  /// end of the task
  void end(CallLine = {});

  // Router
  /// counter filter of the color: counter = d
  void fcount(int color, Reg d, CallLine = {});
  /// counter filter of the color: limit1 = d
  void flimit(int color, Reg d, CallLine = {});
  /// counter filter of the color: max_counter = d
  void fmax(int color, Reg d, CallLine = {});
  /// switch of the color: position = d
  void setpos(int color, Reg d, CallLine = {});
  /// route of the color: position 0 = d, output mask in bits 0-4 and input mask in bits 5-9, W E S
  /// N RAMP
  void setroute(int color, Reg d, CallLine = {});
  /// switch of the color = d: positions 1 to 3 in bits 0-3, 4-7, 8-11 (direction, side), ring 12,
  /// position 13-14
  void setswitch(int color, Reg d, CallLine = {});
  /// teardown of the color ends; d is not used
  void texit(int color, Reg d, CallLine = {});
  /// d = colors that were torn down since it was last asked, a bit each
  void tpending(Reg d, CallLine = {});

 protected:
  InstructionWriter() = default;
  InstructionWriter(const InstructionWriter&) = default;
  InstructionWriter& operator=(const InstructionWriter&) = default;
  ~InstructionWriter() = default;

 private:
  /// Appends an instruction; the numbers are the fields of Instruction, not yet checked.
  virtual void put(Op op, int d, int a, int b, std::int32_t imm) = 0;
};

}  // namespace weft::inline v0
