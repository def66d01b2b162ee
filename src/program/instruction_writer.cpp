// Generated from src/isa/instructions.def by weft-test-tables (CONTRIBUTING.md).
#include "weft/instruction_writer.hpp"

namespace weft::inline v0 {

void InstructionWriter::li(Reg d, std::int32_t immediate, CallLine) {
  put(Op::li, d.index, 0, 0, immediate);
}
void InstructionWriter::mov(Reg d, Reg a, CallLine) { put(Op::mov, d.index, a.index, 0, 0); }
void InstructionWriter::add(Reg d, Reg a, Reg b, CallLine) {
  put(Op::add, d.index, a.index, b.index, 0);
}
void InstructionWriter::sub(Reg d, Reg a, Reg b, CallLine) {
  put(Op::sub, d.index, a.index, b.index, 0);
}
void InstructionWriter::mul(Reg d, Reg a, Reg b, CallLine) {
  put(Op::mul, d.index, a.index, b.index, 0);
}
void InstructionWriter::band(Reg d, Reg a, Reg b, CallLine) {
  put(Op::band, d.index, a.index, b.index, 0);
}
void InstructionWriter::bor(Reg d, Reg a, Reg b, CallLine) {
  put(Op::bor, d.index, a.index, b.index, 0);
}
void InstructionWriter::bxor(Reg d, Reg a, Reg b, CallLine) {
  put(Op::bxor, d.index, a.index, b.index, 0);
}
void InstructionWriter::shl(Reg d, Reg a, Reg b, CallLine) {
  put(Op::shl, d.index, a.index, b.index, 0);
}
void InstructionWriter::shr(Reg d, Reg a, Reg b, CallLine) {
  put(Op::shr, d.index, a.index, b.index, 0);
}
void InstructionWriter::sar(Reg d, Reg a, Reg b, CallLine) {
  put(Op::sar, d.index, a.index, b.index, 0);
}
void InstructionWriter::addi(Reg d, Reg a, std::int32_t immediate, CallLine) {
  put(Op::addi, d.index, a.index, 0, immediate);
}
void InstructionWriter::muli(Reg d, Reg a, std::int32_t immediate, CallLine) {
  put(Op::muli, d.index, a.index, 0, immediate);
}
void InstructionWriter::shli(Reg d, Reg a, std::int32_t immediate, CallLine) {
  put(Op::shli, d.index, a.index, 0, immediate);
}
void InstructionWriter::shri(Reg d, Reg a, std::int32_t immediate, CallLine) {
  put(Op::shri, d.index, a.index, 0, immediate);
}
void InstructionWriter::sari(Reg d, Reg a, std::int32_t immediate, CallLine) {
  put(Op::sari, d.index, a.index, 0, immediate);
}
void InstructionWriter::bandi(Reg d, Reg a, std::int32_t immediate, CallLine) {
  put(Op::bandi, d.index, a.index, 0, immediate);
}
void InstructionWriter::bori(Reg d, Reg a, std::int32_t immediate, CallLine) {
  put(Op::bori, d.index, a.index, 0, immediate);
}
void InstructionWriter::bxori(Reg d, Reg a, std::int32_t immediate, CallLine) {
  put(Op::bxori, d.index, a.index, 0, immediate);
}
void InstructionWriter::fadds(Reg d, Reg a, Reg b, CallLine) {
  put(Op::fadds, d.index, a.index, b.index, 0);
}
void InstructionWriter::fsubs(Reg d, Reg a, Reg b, CallLine) {
  put(Op::fsubs, d.index, a.index, b.index, 0);
}
void InstructionWriter::fmuls(Reg d, Reg a, Reg b, CallLine) {
  put(Op::fmuls, d.index, a.index, b.index, 0);
}
void InstructionWriter::fmacs(Reg d, Reg a, Reg b, CallLine) {
  put(Op::fmacs, d.index, a.index, b.index, 0);
}
void InstructionWriter::fnegs(Reg d, Reg a, CallLine) { put(Op::fnegs, d.index, a.index, 0, 0); }
void InstructionWriter::fabss(Reg d, Reg a, CallLine) { put(Op::fabss, d.index, a.index, 0, 0); }
void InstructionWriter::fmaxs(Reg d, Reg a, Reg b, CallLine) {
  put(Op::fmaxs, d.index, a.index, b.index, 0);
}
void InstructionWriter::fmins(Reg d, Reg a, Reg b, CallLine) {
  put(Op::fmins, d.index, a.index, b.index, 0);
}
void InstructionWriter::flts(Reg d, Reg a, Reg b, CallLine) {
  put(Op::flts, d.index, a.index, b.index, 0);
}
void InstructionWriter::fles(Reg d, Reg a, Reg b, CallLine) {
  put(Op::fles, d.index, a.index, b.index, 0);
}
void InstructionWriter::feqs(Reg d, Reg a, Reg b, CallLine) {
  put(Op::feqs, d.index, a.index, b.index, 0);
}
void InstructionWriter::faddh(Reg d, Reg a, Reg b, CallLine) {
  put(Op::faddh, d.index, a.index, b.index, 0);
}
void InstructionWriter::fsubh(Reg d, Reg a, Reg b, CallLine) {
  put(Op::fsubh, d.index, a.index, b.index, 0);
}
void InstructionWriter::fmulh(Reg d, Reg a, Reg b, CallLine) {
  put(Op::fmulh, d.index, a.index, b.index, 0);
}
void InstructionWriter::fmach(Reg d, Reg a, Reg b, CallLine) {
  put(Op::fmach, d.index, a.index, b.index, 0);
}
void InstructionWriter::fnegh(Reg d, Reg a, CallLine) { put(Op::fnegh, d.index, a.index, 0, 0); }
void InstructionWriter::fabsh(Reg d, Reg a, CallLine) { put(Op::fabsh, d.index, a.index, 0, 0); }
void InstructionWriter::fmaxh(Reg d, Reg a, Reg b, CallLine) {
  put(Op::fmaxh, d.index, a.index, b.index, 0);
}
void InstructionWriter::fminh(Reg d, Reg a, Reg b, CallLine) {
  put(Op::fminh, d.index, a.index, b.index, 0);
}
void InstructionWriter::flth(Reg d, Reg a, Reg b, CallLine) {
  put(Op::flth, d.index, a.index, b.index, 0);
}
void InstructionWriter::fleh(Reg d, Reg a, Reg b, CallLine) {
  put(Op::fleh, d.index, a.index, b.index, 0);
}
void InstructionWriter::feqh(Reg d, Reg a, Reg b, CallLine) {
  put(Op::feqh, d.index, a.index, b.index, 0);
}
void InstructionWriter::fh2s(Reg d, Reg a, CallLine) { put(Op::fh2s, d.index, a.index, 0, 0); }
void InstructionWriter::fs2h(Reg d, Reg a, CallLine) { put(Op::fs2h, d.index, a.index, 0, 0); }
void InstructionWriter::fi2s(Reg d, Reg a, CallLine) { put(Op::fi2s, d.index, a.index, 0, 0); }
void InstructionWriter::fu2s(Reg d, Reg a, CallLine) { put(Op::fu2s, d.index, a.index, 0, 0); }
void InstructionWriter::fs2i(Reg d, Reg a, CallLine) { put(Op::fs2i, d.index, a.index, 0, 0); }
void InstructionWriter::fs2u(Reg d, Reg a, CallLine) { put(Op::fs2u, d.index, a.index, 0, 0); }
void InstructionWriter::lw(Reg d, Reg a, std::int32_t immediate, CallLine) {
  put(Op::lw, d.index, a.index, 0, immediate);
}
void InstructionWriter::lh(Reg d, Reg a, std::int32_t immediate, CallLine) {
  put(Op::lh, d.index, a.index, 0, immediate);
}
void InstructionWriter::lpair(Reg d, Reg a, std::int32_t immediate, CallLine) {
  put(Op::lpair, d.index, a.index, 0, immediate);
}
void InstructionWriter::sh(Reg d, Reg a, std::int32_t immediate, CallLine) {
  put(Op::sh, d.index, a.index, 0, immediate);
}
void InstructionWriter::sw(Reg d, Reg a, std::int32_t immediate, CallLine) {
  put(Op::sw, d.index, a.index, 0, immediate);
}
void InstructionWriter::jump(Label target, CallLine) { put(Op::jump, 0, 0, 0, target.index); }
void InstructionWriter::beq(Reg d, Reg a, Label target, CallLine) {
  put(Op::beq, d.index, a.index, 0, target.index);
}
void InstructionWriter::bne(Reg d, Reg a, Label target, CallLine) {
  put(Op::bne, d.index, a.index, 0, target.index);
}
void InstructionWriter::blt(Reg d, Reg a, Label target, CallLine) {
  put(Op::blt, d.index, a.index, 0, target.index);
}
void InstructionWriter::bge(Reg d, Reg a, Label target, CallLine) {
  put(Op::bge, d.index, a.index, 0, target.index);
}
void InstructionWriter::bltu(Reg d, Reg a, Label target, CallLine) {
  put(Op::bltu, d.index, a.index, 0, target.index);
}
void InstructionWriter::bgeu(Reg d, Reg a, Label target, CallLine) {
  put(Op::bgeu, d.index, a.index, 0, target.index);
}
void InstructionWriter::call(Reg d, Label target, CallLine) {
  put(Op::call, d.index, 0, 0, target.index);
}
void InstructionWriter::ret(Reg d, CallLine) { put(Op::ret, d.index, 0, 0, 0); }
void InstructionWriter::xcoord(Reg d, CallLine) { put(Op::xcoord, d.index, 0, 0, 0); }
void InstructionWriter::ycoord(Reg d, CallLine) { put(Op::ycoord, d.index, 0, 0, 0); }
void InstructionWriter::tsc(Reg d, CallLine) { put(Op::tsc, d.index, 0, 0, 0); }
void InstructionWriter::tsch(Reg d, CallLine) { put(Op::tsch, d.index, 0, 0, 0); }
void InstructionWriter::dbase(Dsr d, std::int32_t immediate, CallLine) {
  put(Op::dbase, d.index, 0, 0, immediate);
}
void InstructionWriter::dlen(Dsr d, std::int32_t immediate, CallLine) {
  put(Op::dlen, d.index, 0, 0, immediate);
}
void InstructionWriter::dstride(Dsr d, std::int32_t immediate, CallLine) {
  put(Op::dstride, d.index, 0, 0, immediate);
}
void InstructionWriter::dbaser(Dsr d, Reg a, std::int32_t immediate, CallLine) {
  put(Op::dbaser, d.index, a.index, 0, immediate);
}
void InstructionWriter::dlenr(Dsr d, Reg a, std::int32_t immediate, CallLine) {
  put(Op::dlenr, d.index, a.index, 0, immediate);
}
void InstructionWriter::dstrider(Dsr d, Reg a, std::int32_t immediate, CallLine) {
  put(Op::dstrider, d.index, a.index, 0, immediate);
}
void InstructionWriter::dadd(Dsr d, Reg a, std::int32_t immediate, CallLine) {
  put(Op::dadd, d.index, a.index, 0, immediate);
}
void InstructionWriter::dshape(Dsr d, ShapeId shape, CallLine) {
  put(Op::dshape, d.index, 0, 0, shape.index);
}
void InstructionWriter::dfifo(Dsr d, FifoId fifo, CallLine) {
  put(Op::dfifo, d.index, fifo.index, 0, 0);
}
void InstructionWriter::dfabin(Dsr d, int queue, CallLine) {
  put(Op::dfabin, d.index, queue, 0, 0);
}
void InstructionWriter::dfabout(Dsr d, int queue, int color, bool control, CallLine) {
  put(Op::dfabout, d.index, queue, color, control ? 1 : 0);
}
void InstructionWriter::fifolen(Reg d, FifoId fifo, CallLine) {
  put(Op::fifolen, d.index, fifo.index, 0, 0);
}
void InstructionWriter::vfadds(Dsr d, Dsr a, Dsr b, VectorOptions options, CallLine) {
  put(Op::vfadds, d.index, a.index, b.index, options.pack());
}
void InstructionWriter::vfsubs(Dsr d, Dsr a, Dsr b, VectorOptions options, CallLine) {
  put(Op::vfsubs, d.index, a.index, b.index, options.pack());
}
void InstructionWriter::vfmuls(Dsr d, Dsr a, Dsr b, VectorOptions options, CallLine) {
  put(Op::vfmuls, d.index, a.index, b.index, options.pack());
}
void InstructionWriter::vfmacs(Dsr d, Dsr a, Dsr b, VectorOptions options, CallLine) {
  put(Op::vfmacs, d.index, a.index, b.index, options.pack());
}
void InstructionWriter::vfaddsr(Dsr d, Dsr a, Reg r, VectorOptions options, CallLine) {
  put(Op::vfaddsr, d.index, a.index, r.index, options.pack());
}
void InstructionWriter::vfsubsr(Dsr d, Dsr a, Reg r, VectorOptions options, CallLine) {
  put(Op::vfsubsr, d.index, a.index, r.index, options.pack());
}
void InstructionWriter::vfrsubsr(Dsr d, Dsr a, Reg r, VectorOptions options, CallLine) {
  put(Op::vfrsubsr, d.index, a.index, r.index, options.pack());
}
void InstructionWriter::vfmulsr(Dsr d, Dsr a, Reg r, VectorOptions options, CallLine) {
  put(Op::vfmulsr, d.index, a.index, r.index, options.pack());
}
void InstructionWriter::vfmacsr(Dsr d, Dsr a, Reg r, VectorOptions options, CallLine) {
  put(Op::vfmacsr, d.index, a.index, r.index, options.pack());
}
void InstructionWriter::vmov32(Dsr d, Dsr a, VectorOptions options, CallLine) {
  put(Op::vmov32, d.index, a.index, 0, options.pack());
}
void InstructionWriter::vmov32r(Dsr d, Reg r, VectorOptions options, CallLine) {
  put(Op::vmov32r, d.index, 0, r.index, options.pack());
}
void InstructionWriter::vfmaxs(Dsr d, Dsr a, Dsr b, VectorOptions options, CallLine) {
  put(Op::vfmaxs, d.index, a.index, b.index, options.pack());
}
void InstructionWriter::vfmaxsr(Dsr d, Dsr a, Reg r, VectorOptions options, CallLine) {
  put(Op::vfmaxsr, d.index, a.index, r.index, options.pack());
}
void InstructionWriter::vfmins(Dsr d, Dsr a, Dsr b, VectorOptions options, CallLine) {
  put(Op::vfmins, d.index, a.index, b.index, options.pack());
}
void InstructionWriter::vfminsr(Dsr d, Dsr a, Reg r, VectorOptions options, CallLine) {
  put(Op::vfminsr, d.index, a.index, r.index, options.pack());
}
void InstructionWriter::vfnegs(Dsr d, Dsr a, VectorOptions options, CallLine) {
  put(Op::vfnegs, d.index, a.index, 0, options.pack());
}
void InstructionWriter::vfabss(Dsr d, Dsr a, VectorOptions options, CallLine) {
  put(Op::vfabss, d.index, a.index, 0, options.pack());
}
void InstructionWriter::vadd32(Dsr d, Dsr a, Dsr b, VectorOptions options, CallLine) {
  put(Op::vadd32, d.index, a.index, b.index, options.pack());
}
void InstructionWriter::vsub32(Dsr d, Dsr a, Dsr b, VectorOptions options, CallLine) {
  put(Op::vsub32, d.index, a.index, b.index, options.pack());
}
void InstructionWriter::vadd32r(Dsr d, Dsr a, Reg r, VectorOptions options, CallLine) {
  put(Op::vadd32r, d.index, a.index, r.index, options.pack());
}
void InstructionWriter::vsub32r(Dsr d, Dsr a, Reg r, VectorOptions options, CallLine) {
  put(Op::vsub32r, d.index, a.index, r.index, options.pack());
}
void InstructionWriter::vrsub32r(Dsr d, Dsr a, Reg r, VectorOptions options, CallLine) {
  put(Op::vrsub32r, d.index, a.index, r.index, options.pack());
}
void InstructionWriter::vand32(Dsr d, Dsr a, Dsr b, VectorOptions options, CallLine) {
  put(Op::vand32, d.index, a.index, b.index, options.pack());
}
void InstructionWriter::vand32r(Dsr d, Dsr a, Reg r, VectorOptions options, CallLine) {
  put(Op::vand32r, d.index, a.index, r.index, options.pack());
}
void InstructionWriter::vor32(Dsr d, Dsr a, Dsr b, VectorOptions options, CallLine) {
  put(Op::vor32, d.index, a.index, b.index, options.pack());
}
void InstructionWriter::vor32r(Dsr d, Dsr a, Reg r, VectorOptions options, CallLine) {
  put(Op::vor32r, d.index, a.index, r.index, options.pack());
}
void InstructionWriter::vxor32(Dsr d, Dsr a, Dsr b, VectorOptions options, CallLine) {
  put(Op::vxor32, d.index, a.index, b.index, options.pack());
}
void InstructionWriter::vxor32r(Dsr d, Dsr a, Reg r, VectorOptions options, CallLine) {
  put(Op::vxor32r, d.index, a.index, r.index, options.pack());
}
void InstructionWriter::vsll32r(Dsr d, Dsr a, Reg r, VectorOptions options, CallLine) {
  put(Op::vsll32r, d.index, a.index, r.index, options.pack());
}
void InstructionWriter::vslr32r(Dsr d, Dsr a, Reg r, VectorOptions options, CallLine) {
  put(Op::vslr32r, d.index, a.index, r.index, options.pack());
}
void InstructionWriter::vsar32r(Dsr d, Dsr a, Reg r, VectorOptions options, CallLine) {
  put(Op::vsar32r, d.index, a.index, r.index, options.pack());
}
void InstructionWriter::vmax32(Dsr d, Dsr a, Dsr b, VectorOptions options, CallLine) {
  put(Op::vmax32, d.index, a.index, b.index, options.pack());
}
void InstructionWriter::vmax32r(Dsr d, Dsr a, Reg r, VectorOptions options, CallLine) {
  put(Op::vmax32r, d.index, a.index, r.index, options.pack());
}
void InstructionWriter::vmaxu32(Dsr d, Dsr a, Dsr b, VectorOptions options, CallLine) {
  put(Op::vmaxu32, d.index, a.index, b.index, options.pack());
}
void InstructionWriter::vmaxu32r(Dsr d, Dsr a, Reg r, VectorOptions options, CallLine) {
  put(Op::vmaxu32r, d.index, a.index, r.index, options.pack());
}
void InstructionWriter::vmin32(Dsr d, Dsr a, Dsr b, VectorOptions options, CallLine) {
  put(Op::vmin32, d.index, a.index, b.index, options.pack());
}
void InstructionWriter::vmin32r(Dsr d, Dsr a, Reg r, VectorOptions options, CallLine) {
  put(Op::vmin32r, d.index, a.index, r.index, options.pack());
}
void InstructionWriter::vminu32(Dsr d, Dsr a, Dsr b, VectorOptions options, CallLine) {
  put(Op::vminu32, d.index, a.index, b.index, options.pack());
}
void InstructionWriter::vminu32r(Dsr d, Dsr a, Reg r, VectorOptions options, CallLine) {
  put(Op::vminu32r, d.index, a.index, r.index, options.pack());
}
void InstructionWriter::vfaddh(Dsr d, Dsr a, Dsr b, VectorOptions options, CallLine) {
  put(Op::vfaddh, d.index, a.index, b.index, options.pack());
}
void InstructionWriter::vfsubh(Dsr d, Dsr a, Dsr b, VectorOptions options, CallLine) {
  put(Op::vfsubh, d.index, a.index, b.index, options.pack());
}
void InstructionWriter::vfmulh(Dsr d, Dsr a, Dsr b, VectorOptions options, CallLine) {
  put(Op::vfmulh, d.index, a.index, b.index, options.pack());
}
void InstructionWriter::vfmach(Dsr d, Dsr a, Dsr b, VectorOptions options, CallLine) {
  put(Op::vfmach, d.index, a.index, b.index, options.pack());
}
void InstructionWriter::vfaddhr(Dsr d, Dsr a, Reg r, VectorOptions options, CallLine) {
  put(Op::vfaddhr, d.index, a.index, r.index, options.pack());
}
void InstructionWriter::vfsubhr(Dsr d, Dsr a, Reg r, VectorOptions options, CallLine) {
  put(Op::vfsubhr, d.index, a.index, r.index, options.pack());
}
void InstructionWriter::vfrsubhr(Dsr d, Dsr a, Reg r, VectorOptions options, CallLine) {
  put(Op::vfrsubhr, d.index, a.index, r.index, options.pack());
}
void InstructionWriter::vfmulhr(Dsr d, Dsr a, Reg r, VectorOptions options, CallLine) {
  put(Op::vfmulhr, d.index, a.index, r.index, options.pack());
}
void InstructionWriter::vfmachr(Dsr d, Dsr a, Reg r, VectorOptions options, CallLine) {
  put(Op::vfmachr, d.index, a.index, r.index, options.pack());
}
void InstructionWriter::vfmaxh(Dsr d, Dsr a, Dsr b, VectorOptions options, CallLine) {
  put(Op::vfmaxh, d.index, a.index, b.index, options.pack());
}
void InstructionWriter::vfmaxhr(Dsr d, Dsr a, Reg r, VectorOptions options, CallLine) {
  put(Op::vfmaxhr, d.index, a.index, r.index, options.pack());
}
void InstructionWriter::vfminh(Dsr d, Dsr a, Dsr b, VectorOptions options, CallLine) {
  put(Op::vfminh, d.index, a.index, b.index, options.pack());
}
void InstructionWriter::vfminhr(Dsr d, Dsr a, Reg r, VectorOptions options, CallLine) {
  put(Op::vfminhr, d.index, a.index, r.index, options.pack());
}
void InstructionWriter::vfnegh(Dsr d, Dsr a, VectorOptions options, CallLine) {
  put(Op::vfnegh, d.index, a.index, 0, options.pack());
}
void InstructionWriter::vfabsh(Dsr d, Dsr a, VectorOptions options, CallLine) {
  put(Op::vfabsh, d.index, a.index, 0, options.pack());
}
void InstructionWriter::vadd16(Dsr d, Dsr a, Dsr b, VectorOptions options, CallLine) {
  put(Op::vadd16, d.index, a.index, b.index, options.pack());
}
void InstructionWriter::vsub16(Dsr d, Dsr a, Dsr b, VectorOptions options, CallLine) {
  put(Op::vsub16, d.index, a.index, b.index, options.pack());
}
void InstructionWriter::vand16(Dsr d, Dsr a, Dsr b, VectorOptions options, CallLine) {
  put(Op::vand16, d.index, a.index, b.index, options.pack());
}
void InstructionWriter::vor16(Dsr d, Dsr a, Dsr b, VectorOptions options, CallLine) {
  put(Op::vor16, d.index, a.index, b.index, options.pack());
}
void InstructionWriter::vxor16(Dsr d, Dsr a, Dsr b, VectorOptions options, CallLine) {
  put(Op::vxor16, d.index, a.index, b.index, options.pack());
}
void InstructionWriter::vadd16r(Dsr d, Dsr a, Reg r, VectorOptions options, CallLine) {
  put(Op::vadd16r, d.index, a.index, r.index, options.pack());
}
void InstructionWriter::vsub16r(Dsr d, Dsr a, Reg r, VectorOptions options, CallLine) {
  put(Op::vsub16r, d.index, a.index, r.index, options.pack());
}
void InstructionWriter::vrsub16r(Dsr d, Dsr a, Reg r, VectorOptions options, CallLine) {
  put(Op::vrsub16r, d.index, a.index, r.index, options.pack());
}
void InstructionWriter::vand16r(Dsr d, Dsr a, Reg r, VectorOptions options, CallLine) {
  put(Op::vand16r, d.index, a.index, r.index, options.pack());
}
void InstructionWriter::vor16r(Dsr d, Dsr a, Reg r, VectorOptions options, CallLine) {
  put(Op::vor16r, d.index, a.index, r.index, options.pack());
}
void InstructionWriter::vxor16r(Dsr d, Dsr a, Reg r, VectorOptions options, CallLine) {
  put(Op::vxor16r, d.index, a.index, r.index, options.pack());
}
void InstructionWriter::vmov16(Dsr d, Dsr a, VectorOptions options, CallLine) {
  put(Op::vmov16, d.index, a.index, 0, options.pack());
}
void InstructionWriter::vmov16r(Dsr d, Reg r, VectorOptions options, CallLine) {
  put(Op::vmov16r, d.index, 0, r.index, options.pack());
}
void InstructionWriter::vsll16r(Dsr d, Dsr a, Reg r, VectorOptions options, CallLine) {
  put(Op::vsll16r, d.index, a.index, r.index, options.pack());
}
void InstructionWriter::vslr16r(Dsr d, Dsr a, Reg r, VectorOptions options, CallLine) {
  put(Op::vslr16r, d.index, a.index, r.index, options.pack());
}
void InstructionWriter::vsar16r(Dsr d, Dsr a, Reg r, VectorOptions options, CallLine) {
  put(Op::vsar16r, d.index, a.index, r.index, options.pack());
}
void InstructionWriter::vmax16(Dsr d, Dsr a, Dsr b, VectorOptions options, CallLine) {
  put(Op::vmax16, d.index, a.index, b.index, options.pack());
}
void InstructionWriter::vmax16r(Dsr d, Dsr a, Reg r, VectorOptions options, CallLine) {
  put(Op::vmax16r, d.index, a.index, r.index, options.pack());
}
void InstructionWriter::vmaxu16(Dsr d, Dsr a, Dsr b, VectorOptions options, CallLine) {
  put(Op::vmaxu16, d.index, a.index, b.index, options.pack());
}
void InstructionWriter::vmaxu16r(Dsr d, Dsr a, Reg r, VectorOptions options, CallLine) {
  put(Op::vmaxu16r, d.index, a.index, r.index, options.pack());
}
void InstructionWriter::vmin16(Dsr d, Dsr a, Dsr b, VectorOptions options, CallLine) {
  put(Op::vmin16, d.index, a.index, b.index, options.pack());
}
void InstructionWriter::vmin16r(Dsr d, Dsr a, Reg r, VectorOptions options, CallLine) {
  put(Op::vmin16r, d.index, a.index, r.index, options.pack());
}
void InstructionWriter::vminu16(Dsr d, Dsr a, Dsr b, VectorOptions options, CallLine) {
  put(Op::vminu16, d.index, a.index, b.index, options.pack());
}
void InstructionWriter::vminu16r(Dsr d, Dsr a, Reg r, VectorOptions options, CallLine) {
  put(Op::vminu16r, d.index, a.index, r.index, options.pack());
}
void InstructionWriter::vfaddhs(Dsr d, Dsr a, Dsr b, VectorOptions options, CallLine) {
  put(Op::vfaddhs, d.index, a.index, b.index, options.pack());
}
void InstructionWriter::vfmachs(Dsr d, Dsr a, Dsr b, VectorOptions options, CallLine) {
  put(Op::vfmachs, d.index, a.index, b.index, options.pack());
}
void InstructionWriter::vfh2s(Dsr d, Dsr a, VectorOptions options, CallLine) {
  put(Op::vfh2s, d.index, a.index, 0, options.pack());
}
void InstructionWriter::vfs2h(Dsr d, Dsr a, VectorOptions options, CallLine) {
  put(Op::vfs2h, d.index, a.index, 0, options.pack());
}
void InstructionWriter::vxp162fs(Dsr d, Dsr a, VectorOptions options, CallLine) {
  put(Op::vxp162fs, d.index, a.index, 0, options.pack());
}
void InstructionWriter::vfs2xp16(Dsr d, Dsr a, VectorOptions options, CallLine) {
  put(Op::vfs2xp16, d.index, a.index, 0, options.pack());
}
void InstructionWriter::vxp162fh(Dsr d, Dsr a, VectorOptions options, CallLine) {
  put(Op::vxp162fh, d.index, a.index, 0, options.pack());
}
void InstructionWriter::vfh2xp16(Dsr d, Dsr a, VectorOptions options, CallLine) {
  put(Op::vfh2xp16, d.index, a.index, 0, options.pack());
}
void InstructionWriter::activate(Task task, CallLine) {
  put(Op::activate, 0, static_cast<int>(task.kind), task.id, 0);
}
void InstructionWriter::block(Task task, CallLine) {
  put(Op::block, 0, static_cast<int>(task.kind), task.id, 0);
}
void InstructionWriter::unblock(Task task, CallLine) {
  put(Op::unblock, 0, static_cast<int>(task.kind), task.id, 0);
}
void InstructionWriter::end(CallLine) { put(Op::end, 0, 0, 0, 0); }
void InstructionWriter::fcount(int color, Reg d, CallLine) {
  put(Op::fcount, d.index, color, 0, 0);
}
void InstructionWriter::flimit(int color, Reg d, CallLine) {
  put(Op::flimit, d.index, color, 0, 0);
}
void InstructionWriter::fmax(int color, Reg d, CallLine) { put(Op::fmax, d.index, color, 0, 0); }
void InstructionWriter::setpos(int color, Reg d, CallLine) {
  put(Op::setpos, d.index, color, 0, 0);
}
void InstructionWriter::setroute(int color, Reg d, CallLine) {
  put(Op::setroute, d.index, color, 0, 0);
}
void InstructionWriter::setswitch(int color, Reg d, CallLine) {
  put(Op::setswitch, d.index, color, 0, 0);
}
void InstructionWriter::texit(int color, Reg d, CallLine) { put(Op::texit, d.index, color, 0, 0); }
void InstructionWriter::tpending(Reg d, CallLine) { put(Op::tpending, d.index, 0, 0, 0); }

}  // namespace weft::inline v0
