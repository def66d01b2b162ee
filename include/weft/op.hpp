// Generated from src/isa/instructions.def by weft-test-tables (CONTRIBUTING.md).
#pragma once

#include <cstdint>

namespace weft::inline v0 {

// clang-format off
/// The instructions of a PE's core. Their operands are those of InstructionWriter's methods; names
/// follow the vendor's: s is FP32, h is FP16, 16 and 32 are integers, v marks vector instructions,
/// a final r a scalar register as second operand.
enum class Op : std::uint8_t {
  // Scalar arithmetic
  li,         ///< d = immediate
  mov,        ///< d = a
  add,        ///< d = a + b
  sub,        ///< d = a - b
  mul,        ///< d = a b, low 32 bits
  band,       ///< d = a and b, bitwise
  bor,        ///< d = a or b, bitwise
  bxor,       ///< d = a xor b, bitwise
  shl,        ///< d = a << b
  shr,        ///< d = a >> b, zeros from the left
  sar,        ///< d = a >> b, sign from the left
  addi,       ///< d = a + immediate
  muli,       ///< d = a immediate, low 32 bits
  shli,       ///< d = a << immediate
  shri,       ///< d = a >> immediate, zeros from the left
  sari,       ///< d = a >> immediate, sign from the left
  bandi,      ///< d = a and immediate, bitwise
  bori,       ///< d = a or immediate, bitwise
  bxori,      ///< d = a xor immediate, bitwise
  fadds,      ///< d = a + b, FP32
  fsubs,      ///< d = a - b, FP32
  fmuls,      ///< d = a b, FP32
  fmacs,      ///< d = d + a b, FP32, rounded once
  fnegs,      ///< d = -a, FP32
  fabss,      ///< d = |a|, FP32
  fmaxs,      ///< d = the larger of a and b, FP32
  fmins,      ///< d = the smaller of a and b, FP32
  flts,       ///< d = 1 if a < b, FP32, else 0
  fles,       ///< d = 1 if a <= b, FP32, else 0
  feqs,       ///< d = 1 if a = b, FP32, else 0
  faddh,      ///< d = a + b, FP16 in the low halves
  fsubh,      ///< d = a - b, FP16
  fmulh,      ///< d = a b, FP16
  fmach,      ///< d = d + a b, FP16, rounded once
  fnegh,      ///< d = -a, FP16
  fabsh,      ///< d = |a|, FP16
  fmaxh,      ///< d = the larger of a and b, FP16
  fminh,      ///< d = the smaller of a and b, FP16
  flth,       ///< d = 1 if a < b, FP16, else 0
  fleh,       ///< d = 1 if a <= b, FP16, else 0
  feqh,       ///< d = 1 if a = b, FP16, else 0
  fh2s,       ///< d = a, FP16 to FP32
  fs2h,       ///< d = a, FP32 to FP16, to nearest even
  fi2s,       ///< d = a, signed integer to FP32, to nearest even
  fu2s,       ///< d = a, unsigned integer to FP32, to nearest even
  fs2i,       ///< d = a, FP32 to signed integer, toward 0; the nearest integer beyond the range; 0 of a NaN
  fs2u,       ///< d = a, FP32 to unsigned integer, likewise

  // Memory
  lw,         ///< d = memory[a + immediate]
  lh,         ///< d = 16 bits at memory[a + immediate], zeros above
  lpair,      ///< d, d + 1 = low and high half of memory[a + immediate]
  sh,         ///< 16 bits at memory[a + immediate] = low half of d
  sw,         ///< memory[a + immediate] = d

  // Control flow
  jump,       ///< go to target
  beq,        ///< go to target if d = a
  bne,        ///< go to target if d /= a
  blt,        ///< go to target if d < a, signed
  bge,        ///< go to target if d >= a, signed
  bltu,       ///< go to target if d < a, unsigned
  bgeu,       ///< go to target if d >= a, unsigned
  call,       ///< d = next instruction; go to target
  ret,        ///< go to the instruction that d names

  // Place and clock
  xcoord,     ///< d = column of this PE in the fabric
  ycoord,     ///< d = row of this PE in the fabric
  tsc,        ///< d = cycle counter, bits 0-31
  tsch,       ///< d = cycle counter, bits 32-47

  // Descriptors
  dbase,      ///< descriptor d: base = immediate; it names memory
  dlen,       ///< descriptor d: length = immediate
  dstride,    ///< descriptor d: stride = immediate
  dbaser,     ///< descriptor d: base = a + immediate; it names memory
  dlenr,      ///< descriptor d: length = a + immediate
  dstrider,   ///< descriptor d: stride = a + immediate
  dadd,       ///< descriptor d: base = base + a + immediate
  dshape,     ///< descriptor d: it names memory of the shape's dimensions; length = their product
  dfifo,      ///< descriptor d: it names a FIFO
  dfabin,     ///< descriptor d: input queue
  dfabout,    ///< descriptor d: output queue, color, data or control wavelets
  fifolen,    ///< d = elements that the FIFO holds

  // Vector instructions
  vfadds,     ///< d = a + b, FP32
  vfsubs,     ///< d = a - b, FP32
  vfmuls,     ///< d = a b, FP32
  vfmacs,     ///< d = d + a b, FP32, rounded once
  vfaddsr,    ///< d = a + r, FP32
  vfsubsr,    ///< d = a - r, FP32
  vfrsubsr,   ///< d = r - a, FP32
  vfmulsr,    ///< d = a r, FP32
  vfmacsr,    ///< d = d + a r, FP32, rounded once
  vmov32,     ///< d = a
  vmov32r,    ///< d = r
  vfmaxs,     ///< d = the larger of a and b, FP32
  vfmaxsr,    ///< d = the larger of a and r, FP32
  vfmins,     ///< d = the smaller of a and b, FP32
  vfminsr,    ///< d = the smaller of a and r, FP32
  vfnegs,     ///< d = -a, FP32
  vfabss,     ///< d = |a|, FP32
  vadd32,     ///< d = a + b, 32-bit integers
  vsub32,     ///< d = a - b, 32-bit integers
  vadd32r,    ///< d = a + r, 32-bit integers
  vsub32r,    ///< d = a - r, 32-bit integers
  vrsub32r,   ///< d = r - a, 32-bit integers
  vand32,     ///< d = a and b, bitwise, 32 bits
  vand32r,    ///< d = a and r, bitwise, 32 bits
  vor32,      ///< d = a or b, bitwise, 32 bits
  vor32r,     ///< d = a or r, bitwise, 32 bits
  vxor32,     ///< d = a xor b, bitwise, 32 bits
  vxor32r,    ///< d = a xor r, bitwise, 32 bits
  vsll32r,    ///< d = a << r, 32 bits
  vslr32r,    ///< d = a >> r, zeros from the left, 32 bits
  vsar32r,    ///< d = a >> r, sign from the left, 32 bits
  vmax32,     ///< d = the larger of a and b, signed 32-bit integers
  vmax32r,    ///< d = the larger of a and r, signed 32-bit integers
  vmaxu32,    ///< d = the larger of a and b, unsigned 32-bit integers
  vmaxu32r,   ///< d = the larger of a and r, unsigned 32-bit integers
  vmin32,     ///< d = the smaller of a and b, signed 32-bit integers
  vmin32r,    ///< d = the smaller of a and r, signed 32-bit integers
  vminu32,    ///< d = the smaller of a and b, unsigned 32-bit integers
  vminu32r,   ///< d = the smaller of a and r, unsigned 32-bit integers
  vfaddh,     ///< d = a + b, FP16
  vfsubh,     ///< d = a - b, FP16
  vfmulh,     ///< d = a b, FP16
  vfmach,     ///< d = d + a b, FP16, rounded once
  vfaddhr,    ///< d = a + r, FP16
  vfsubhr,    ///< d = a - r, FP16
  vfrsubhr,   ///< d = r - a, FP16
  vfmulhr,    ///< d = a r, FP16
  vfmachr,    ///< d = d + a r, FP16, rounded once
  vfmaxh,     ///< d = the larger of a and b, FP16
  vfmaxhr,    ///< d = the larger of a and r, FP16
  vfminh,     ///< d = the smaller of a and b, FP16
  vfminhr,    ///< d = the smaller of a and r, FP16
  vfnegh,     ///< d = -a, FP16
  vfabsh,     ///< d = |a|, FP16
  vadd16,     ///< d = a + b, 16-bit integers
  vsub16,     ///< d = a - b, 16-bit integers
  vand16,     ///< d = a and b, bitwise
  vor16,      ///< d = a or b, bitwise
  vxor16,     ///< d = a xor b, bitwise
  vadd16r,    ///< d = a + r, 16-bit integers
  vsub16r,    ///< d = a - r, 16-bit integers
  vrsub16r,   ///< d = r - a, 16-bit integers
  vand16r,    ///< d = a and r, bitwise
  vor16r,     ///< d = a or r, bitwise
  vxor16r,    ///< d = a xor r, bitwise
  vmov16,     ///< d = a, 16 bits
  vmov16r,    ///< d = low half of r
  vsll16r,    ///< d = a << r, 16 bits
  vslr16r,    ///< d = a >> r, zeros from the left
  vsar16r,    ///< d = a >> r, sign from the left
  vmax16,     ///< d = the larger of a and b, signed 16-bit integers
  vmax16r,    ///< d = the larger of a and r, signed 16-bit integers
  vmaxu16,    ///< d = the larger of a and b, unsigned 16-bit integers
  vmaxu16r,   ///< d = the larger of a and r, unsigned 16-bit integers
  vmin16,     ///< d = the smaller of a and b, signed 16-bit integers
  vmin16r,    ///< d = the smaller of a and r, signed 16-bit integers
  vminu16,    ///< d = the smaller of a and b, unsigned 16-bit integers
  vminu16r,   ///< d = the smaller of a and r, unsigned 16-bit integers
  vfaddhs,    ///< d = a + b: FP32 = FP32 + FP16
  vfmachs,    ///< d = d + a b: FP32 += FP16 FP16
  vfh2s,      ///< d = a, FP16 to FP32
  vfs2h,      ///< d = a, FP32 to FP16, to nearest even
  vxp162fs,   ///< d = a, 16-bit integer to FP32
  vfs2xp16,   ///< d = a, FP32 to 16-bit integer, as fs2i
  vxp162fh,   ///< d = a, 16-bit integer to FP16, to nearest even
  vfh2xp16,   ///< d = a, FP16 to 16-bit integer, as fs2i

  // Tasks
  activate,   ///< set the task's active bit
  block,      ///< set the task's or color's blocked bit
  unblock,    ///< clear the task's or color's blocked bit
  end,        ///< end of the task

  // Router
  fcount,     ///< counter filter of the color: counter = d
  flimit,     ///< counter filter of the color: limit1 = d
  fmax,       ///< counter filter of the color: max_counter = d
  setpos,     ///< switch of the color: position = d
  setroute,   ///< route of the color: position 0 = d, output mask in bits 0-4 and input mask in bits 5-9, W E S N RAMP
  setswitch,  ///< switch of the color = d: positions 1 to 3 in bits 0-3, 4-7, 8-11 (direction, side), ring 12, position 13-14
  texit,      ///< teardown of the color ends; d is not used
  tpending,   ///< d = colors that were torn down since it was last asked, a bit each
};
// clang-format on

}  // namespace weft::inline v0
