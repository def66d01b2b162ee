#include "differential/random_writer.hpp"
#include "isa/table.hpp"

/// Vector instructions with FIFOs.
namespace weft::test {

void Writer::with_fifo() {
  const int f = fifo();
  const int kind = dice_.roll(0, 99);
  if (kind < 45) {
    push(f);
    if (dice_.chance(50)) pop(f);
  } else if (kind < 62) {
    pop(f);
  } else if (kind < 78) {
    pop_second(f);
  } else if (kind < 88) {
    relay(f);
  } else if (kind < 98) {
    put(Op::fifolen, reg(), f);
  } else {
    misuse(f);
  }
}

void Writer::fifo_dsr(int d, int f) {
  put(Op::dfifo, d, f);
  if (dice_.chance(80)) put(Op::dlen, d, 0, 0, length());
}

/// A descriptor of memory or of an input queue, with its length.
int Writer::source_beside_fifo(int d, bool& fabric) {
  if (dice_.chance(30)) {
    fabric = true;
    put(Op::dfabin, kFabricDsr, plan_.input_queue[flow()]);
    put(Op::dlen, kFabricDsr, 0, 0, length());
    return kFabricDsr;
  }
  memory_dsr(d, 4);
  set_length(d);
  return d;
}

void Writer::push(int f) {
  const bool wide = is_wide(f);
  const int to = kFifoDsr, from = dsr(), more = dsr();
  fifo_dsr(to, f);
  const int kind = dice_.roll(0, 9);
  if (kind < 4) return put(wide ? Op::vmov32r : Op::vmov16r, to, 0, source());
  bool fabric = false;
  const int first = source_beside_fifo(from, fabric);
  if (kind < 8) {
    const Op op = wide ? dice_.pick({Op::vmov32, Op::vmov32, Op::vfaddsr, Op::vfmulsr, Op::vfh2s})
                       : dice_.pick({Op::vmov16, Op::vmov16, Op::vfaddhr, Op::vsll16r, Op::vfs2h});
    const int r = isa::format_of(op) == isa::Format::vector_vr ? source() : 0;
    return put(op, to, first, r, fabric ? options() : 0);
  }
  memory_dsr(more, 4);
  put(wide ? dice_.pick({Op::vfadds, Op::vadd32, Op::vfmaxs, Op::vfaddhs})
           : dice_.pick({Op::vfaddh, Op::vfmulh, Op::vxor16}),
      to, first, more, fabric ? options() : 0);
}

void Writer::pop(int f) {
  const bool wide = is_wide(f), fabric = dice_.chance(30);
  const int to = fabric ? kFabricDsr : dsr();
  if (fabric)
    output_dsr(to);
  else
    memory_dsr(to, 4);
  fifo_dsr(kFifoDsr, f);
  const Op op = wide ? dice_.pick({Op::vmov32, Op::vmov32, Op::vfs2h, Op::vfaddsr, Op::vfmacsr})
                     : dice_.pick({Op::vmov16, Op::vmov16, Op::vfh2s, Op::vfmachr, Op::vsll16r});
  const int r = isa::format_of(op) == isa::Format::vector_vr ? source() : 0;
  put(op, to, kFifoDsr, r, fabric ? options() : 0);
}

void Writer::pop_second(int f) {
  const int to = dsr(), from = dsr();
  bool fabric = false;
  const int first = source_beside_fifo(from, fabric);
  if (to != first) memory_dsr(to, 4);
  fifo_dsr(kFifoDsr, f);
  put(is_wide(f) ? dice_.pick({Op::vfadds, Op::vfsubs, Op::vfmacs, Op::vsub32, Op::vfmaxs})
                 : dice_.pick({Op::vfaddh, Op::vfmach, Op::vfaddhs, Op::vfmachs, Op::vsub16}),
      to, first, kFifoDsr, fabric ? options() : 0);
}

/// From one FIFO to another, or to itself.
void Writer::relay(int from) {
  const int to = fifo();
  fifo_dsr(kFifoDsr, from);
  if (to != from) put(Op::dfifo, kFifoDsr + 1, to);
  const Op op = is_wide(to)     ? is_wide(from) ? Op::vmov32 : Op::vfh2s
                : is_wide(from) ? Op::vfs2h
                                : Op::vmov16;
  put(op, to == from ? kFifoDsr : kFifoDsr + 1, kFifoDsr);
}

/// Probably a fault.
void Writer::misuse(int f) {
  fifo_dsr(kFifoDsr, f);
  const auto any = [&] { return dice_.chance(50) ? kFifoDsr : dsr(); };
  const int to = any(), from = any(), more = any();
  put(dice_.pick({Op::vmov32, Op::vmov16, Op::vfadds, Op::vfmacs, Op::vfaddhs, Op::vfh2s}), to,
      from, more, options());
}

}  // namespace weft::test
