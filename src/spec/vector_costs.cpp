#include "spec/arithmetic.hpp"

/// Of vector instructions: the bytes of their elements, and their rates.
namespace weft::spec {

namespace {

/// Integers of 32 bits, or their bits, are computed.
bool computes_words(Op op) {
  switch (op) {
    case Op::vadd32:
    case Op::vsub32:
    case Op::vadd32r:
    case Op::vsub32r:
    case Op::vrsub32r:
    case Op::vand32:
    case Op::vand32r:
    case Op::vor32:
    case Op::vor32r:
    case Op::vxor32:
    case Op::vxor32r:
    case Op::vsll32r:
    case Op::vslr32r:
    case Op::vsar32r:
    case Op::vmax32:
    case Op::vmax32r:
    case Op::vmaxu32:
    case Op::vmaxu32r:
    case Op::vmin32:
    case Op::vmin32r:
    case Op::vminu32:
    case Op::vminu32r:
      return true;
    default:
      return false;
  }
}

}  // namespace

Widths widths(Op op) {
  if (computes_words(op)) return {{4, 4, 4}};
  switch (op) {
    case Op::vfaddhs:
      return {{4, 4, 2}};
    case Op::vfmachs:
    case Op::vfh2s:
    case Op::vxp162fs:
      return {{4, 2, 2}};
    case Op::vfs2h:
    case Op::vfs2xp16:
      return {{2, 4, 4}};
    case Op::vfadds:
    case Op::vfsubs:
    case Op::vfmuls:
    case Op::vfmacs:
    case Op::vfaddsr:
    case Op::vfmulsr:
    case Op::vfmacsr:
    case Op::vmov32:
    case Op::vmov32r:
    case Op::vfmaxs:
    case Op::vfnegs:
    case Op::vfabss:
    case Op::vfsubsr:
    case Op::vfrsubsr:
    case Op::vfmaxsr:
    case Op::vfmins:
    case Op::vfminsr:
      return {{4, 4, 4}};
    default:
      return {{2, 2, 2}};
  }
}

int full_rate(const Machine& machine, Op op) {
  if (computes_words(op)) return machine.slow_rate;
  switch (op) {
    case Op::vfadds:
    case Op::vfsubs:
    case Op::vfaddsr:
    case Op::vfaddhs:
    case Op::vfmachs:
    case Op::vfnegs:
    case Op::vfabss:
    case Op::vfsubsr:
    case Op::vfrsubsr:
      return machine.f32_add_rate;
    case Op::vfmuls:
    case Op::vfmacs:
    case Op::vfmulsr:
    case Op::vfmacsr:
      return machine.f32_multiply_rate;
    case Op::vmov32:
    case Op::vmov32r:
      return machine.move32_rate;
    case Op::vfmaxs:
    case Op::vfmaxh:
    case Op::vsll16r:
    case Op::vslr16r:
    case Op::vsar16r:
    case Op::vfh2s:
    case Op::vfs2h:
    case Op::vfmaxsr:
    case Op::vfmins:
    case Op::vfminsr:
    case Op::vfmaxhr:
    case Op::vfminh:
    case Op::vfminhr:
    case Op::vxp162fs:
    case Op::vfs2xp16:
    case Op::vxp162fh:
    case Op::vfh2xp16:
    case Op::vmax16:
    case Op::vmax16r:
    case Op::vmaxu16:
    case Op::vmaxu16r:
    case Op::vmin16:
    case Op::vmin16r:
    case Op::vminu16:
    case Op::vminu16r:
      return machine.slow_rate;
    default:
      return machine.f16_rate;
  }
}

bool accumulates(Op op) {
  return op == Op::vfmacs || op == Op::vfmacsr || op == Op::vfmach || op == Op::vfmachr ||
         op == Op::vfmachs;
}

}  // namespace weft::spec
