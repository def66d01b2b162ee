#include "differential/random_writer.hpp"

/// Descriptors, and vector instructions over memory and with queues.
namespace weft::test {

void Writer::memory_dsr(int d, int width) {
  if (dice_.chance(25)) {
    put(Op::dbaser, d, kPlace, 0, address(width) / 2 / width * width);
  } else {
    put(Op::dbase, d, 0, 0, address(width) * 3 / 4 / width * width);
  }
  int stride = dice_.chance(70) ? 1 : plan_.wild ? dice_.roll(-9, 17) : dice_.roll(0, 9);
  if (plan_.wild && dice_.chance(5)) stride = static_cast<int>(dice_.bits());
  if (dice_.chance(10))
    put(Op::dstrider, d, kPlace, 0, stride);
  else if (dice_.chance(85))
    put(Op::dstride, d, 0, 0, stride);
  if (program_.shapes.empty() || !dice_.chance(40)) return;
  put(Op::dshape, d, 0, 0, dice_.roll(0, static_cast<int>(program_.shapes.size()) - 1));
  if (dice_.chance(10)) put(Op::dstride, d, 0, 0, dice_.roll(0, 9));  // means nothing now
}

void Writer::set_length(int d) {
  const Instruction& last = program_.code.back();
  if (last.op == Op::dshape && last.d == d && dice_.chance(60)) return;  // the shape's
  if (dice_.chance(12))
    put(Op::dlenr, d, kPlace, 0, dice_.roll(0, 3));
  else
    put(Op::dlen, d, 0, 0, length());
}

void Writer::descriptor() {
  const int d = dsr();
  put(Op::dadd, d, dice_.pick({kPlace, kZero}), 0, dice_.roll(-2, 4) * 4);
}

std::int32_t Writer::options(bool mostly_async) {
  VectorOptions o;
  o.async = dice_.chance(mostly_async ? 45 : 30);
  if (dice_.chance(60)) {
    o.at_end = dice_.chance(75) ? VectorOptions::AtEnd::activate : VectorOptions::AtEnd::unblock;
    o.task_id = static_cast<std::uint8_t>(local());
    if (o.at_end == VectorOptions::AtEnd::unblock && dice_.chance(50)) {
      o.task_kind = TaskKind::data;
      o.task_id = static_cast<std::uint8_t>(dice_.pick(plan_.colors));
    }
  }
  return o.pack();
}

void Writer::output_dsr(int d) {
  const std::size_t f = flow();
  const bool other_queue = dice_.chance(5);
  const bool control = dice_.chance(30);
  put(Op::dfabout, d, other_queue ? dice_.roll(0, kOutputQueues - 1) : plan_.output_queue[f],
      dice_.chance(99) ? plan_.colors[f] : dice_.roll(0, kColors - 1), control ? 1 : 0);
  if (!control || !dice_.chance(80)) return;
  control_register_ = reg();
  put(Op::li, control_register_, 0, 0, static_cast<std::int32_t>(random_control(dice_)));
}

void Writer::send() {
  const int out = dsr(), from = dsr(), more = dsr();
  control_register_ = -1;
  output_dsr(out);
  const int kind = control_register_ >= 0 ? 0 : dice_.roll(0, 5);
  if (kind < 2) {
    set_length(out);
    const int r = control_register_ >= 0 ? control_register_ : reg();
    return put(dice_.chance(90) ? Op::vmov32r : Op::vmov16r, out, 0, r, options());
  }
  memory_dsr(from, 4);
  set_length(from);
  if (kind < 5) return put(dice_.chance(85) ? Op::vmov32 : Op::vmov16, out, from, 0, options());
  memory_dsr(more, 4);
  put(dice_.pick(
          {Op::vfadds, Op::vadd32, Op::vfmacs, Op::vfaddh, Op::vfaddhs, Op::vmin32, Op::vxor32}),
      out, from, more, options());
}

void Writer::receive() {
  const int in = dsr(), to = dsr(), more = dsr();
  put(Op::dfabin, in,
      dice_.chance(97) ? plan_.input_queue[flow()] : dice_.roll(0, kInputQueues - 1));
  set_length(in);
  const int kind = dice_.roll(0, 9);
  if (kind < 2)  // pass it on
    output_dsr(to);
  else
    memory_dsr(to, 4);
  if (kind < 7) return put(dice_.chance(85) ? Op::vmov32 : Op::vmov16, to, in, 0, options(false));
  if (kind < 8)
    return put(dice_.pick({Op::vfaddsr, Op::vfmacsr, Op::vfmulhr, Op::vfrsubsr, Op::vfmaxsr,
                           Op::vxor16r, Op::vfminhr, Op::vmaxu32r, Op::vsar32r}),
               to, in, reg(), options(false));
  memory_dsr(more, 4);
  if (dice_.chance(50)) set_length(more);
  const bool first = dice_.chance(70);
  put(dice_.pick({Op::vfadds, Op::vsub32, Op::vfmacs, Op::vfmach, Op::vfmachs}), to,
      first ? in : more, first ? more : in, options(false));
}

void Writer::vector_in_memory() {
  const int d = dsr(), a = dsr(), b = dsr();
  const int width = dice_.chance(70) ? 4 : 2;
  memory_dsr(d, width);
  if (a != d || dice_.chance(30)) memory_dsr(a, width);
  set_length(a);
  if (dice_.chance(30)) set_length(d);
  if (dice_.chance(90)) memory_dsr(b, width);
  if (width == 4) {
    switch (dice_.roll(0, 3)) {
      case 0:
        return put(dice_.pick({Op::vfaddsr, Op::vfmulsr, Op::vfmacsr,  Op::vfsubsr, Op::vfrsubsr,
                               Op::vfmaxsr, Op::vfminsr, Op::vadd32r,  Op::vsub32r, Op::vrsub32r,
                               Op::vand32r, Op::vor32r,  Op::vxor32r,  Op::vsll32r, Op::vslr32r,
                               Op::vsar32r, Op::vmax32r, Op::vmaxu32r, Op::vmin32r, Op::vminu32r}),
                   d, a, source());
      case 1:
        return put(dice_.pick({Op::vmov32, Op::vfnegs, Op::vfabss}), d, a);
      case 2:
        return put(Op::vmov32r, d, 0, source());
      default:
        return put(
            dice_.pick({Op::vfadds, Op::vfsubs, Op::vfmuls, Op::vfmacs, Op::vfmaxs, Op::vfmins,
                        Op::vadd32, Op::vsub32, Op::vfaddhs, Op::vfmachs, Op::vand32, Op::vor32,
                        Op::vxor32, Op::vmax32, Op::vmaxu32, Op::vmin32, Op::vminu32}),
            d, a, b);
    }
  }
  switch (dice_.roll(0, 4)) {
    case 0:
      return put(dice_.pick({Op::vfaddhr,  Op::vfmulhr, Op::vfmachr,  Op::vsll16r, Op::vslr16r,
                             Op::vsar16r,  Op::vfsubhr, Op::vfrsubhr, Op::vfmaxhr, Op::vfminhr,
                             Op::vadd16r,  Op::vsub16r, Op::vand16r,  Op::vor16r,  Op::vxor16r,
                             Op::vrsub16r, Op::vmax16r, Op::vmaxu16r, Op::vmin16r, Op::vminu16r}),
                 d, a, source());
    case 1:
      return put(dice_.pick({Op::vmov16, Op::vfnegh, Op::vfabsh}), d, a);
    case 2:
      return put(Op::vmov16r, d, 0, source());
    case 3:
      return put(dice_.pick({Op::vfs2h, Op::vfh2s, Op::vxp162fs, Op::vfs2xp16, Op::vxp162fh,
                             Op::vfh2xp16}),
                 d, a);
    default:
      return put(dice_.pick({Op::vfaddh, Op::vfsubh, Op::vfmulh, Op::vfmach, Op::vfmaxh, Op::vfminh,
                             Op::vadd16, Op::vsub16, Op::vand16, Op::vor16, Op::vxor16, Op::vmax16,
                             Op::vmaxu16, Op::vmin16, Op::vminu16}),
                 d, a, b);
  }
}

/// Two colors, one after the other, by the same input queue.
void Writer::take_turns() {
  const std::size_t first = plan_.shared[0], second = plan_.shared[1];
  for (const std::size_t f : {first, second, first}) {
    const int n = dice_.roll(1, 3);
    put(Op::dfabout, kFabricDsr, plan_.output_queue[f], plan_.colors[f]);
    put(Op::dlen, kFabricDsr, 0, 0, n);
    VectorOptions go_on;
    go_on.async = true;
    put(Op::vmov32r, kFabricDsr, 0, reg(), go_on.pack());
    if (dice_.chance(80)) {
      const int to = dsr();
      memory_dsr(to, 4);
      put(Op::dfabin, kFabricDsr, plan_.input_queue[f]);
      put(Op::dlen, kFabricDsr, 0, 0, n);
      put(Op::vmov32, to, kFabricDsr);
    }
    for (int pause = dice_.chance(50) ? dice_.roll(2, 12) : 0; pause > 0; --pause)
      put(Op::add, reg(), reg(), reg());
    if (dice_.chance(40)) return;
  }
}

}  // namespace weft::test
