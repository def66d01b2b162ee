#include <algorithm>

#include "differential/random_writer.hpp"

/// The declarations of programs, their tasks, and all instructions but those over descriptors.
namespace weft::test {

Program Writer::write() {
  locals_ = dice_.roll(1, 4);
  if (plan_.straight) program_.memory_bytes = static_cast<std::uint32_t>(plan_.memory_bytes);
  if (dice_.chance(60)) declare_shapes();
  if (!plan_.straight && dice_.chance(50)) declare_fifos();
  bind_tasks();
  if (!calls_.empty()) {  // one subroutine
    for (const std::size_t call : calls_) program_.code[call].imm = here();
    for (int n = dice_.roll(1, 3); n > 0; --n) scalar();
    put(Op::ret, kLink);
  }
  return std::move(program_);
}

/// Small ones, mostly going up; rarely one that leads out of memory.
void Writer::declare_shapes() {
  const int down = dice_.chance(20) ? 30 : 0, far = dice_.chance(plan_.wild ? 30 : 3) ? 50 : 0;
  for (int n = dice_.roll(1, 3); n > 0; --n) {
    Shape shape;
    int elements = 1;
    const auto dimensions = static_cast<std::size_t>(dice_.roll(1, kDimensions));
    for (std::size_t k = kDimensions - dimensions; k < kDimensions; ++k) {
      const int extent = std::min(dice_.pick({1, 2, 2, 3, 3, 4, 5}), 24 / elements);
      elements *= extent;
      int stride =
          k + 1 == kDimensions ? dice_.pick({0, 1, 1, 1, 2, 3, 4, 7, 8, 9}) : dice_.roll(0, 12);
      if (dice_.chance(down)) stride = -stride;
      if (dice_.chance(far)) stride = dice_.roll(-32768, 32767);
      shape[k] = {static_cast<std::uint16_t>(extent), static_cast<std::int16_t>(stride)};
    }
    program_.shapes.push_back(shape);
  }
}

void Writer::declare_fifos() {
  for (int n = dice_.pick({1, 1, 1, 1, 2, 2, 2, 3, kFifos}); n > 0; --n) {
    Fifo f;
    f.capacity = static_cast<std::uint32_t>(dice_.chance(90) ? dice_.roll(1, 6) : 24);
    f.bytes = dice_.chance(65) ? 4 : 2;
    const int last = plan_.memory_bytes - static_cast<int>(f.capacity * f.bytes);
    f.address = static_cast<std::uint32_t>(dice_.roll(0, last / 4) * 4);
    if (dice_.chance(60)) f.push_task = local();
    if (dice_.chance(60)) f.pop_task = local();
    program_.fifos.push_back(f);
  }
}

void Writer::bind_tasks() {
  for (int id = 0; id < locals_; ++id) {
    program_.local_entry[static_cast<std::size_t>(id)] = here();
    if (id == 0 || dice_.chance(30)) program_.started_local |= 1U << id;
    if (id != 0 && dice_.chance(10)) program_.blocked_local |= 1U << id;
    if (dice_.chance(30)) program_.high_local |= 1U << id;
    if (id == 0 && !program_.fifos.empty() && dice_.chance(50)) with_fifo();
    if (id == 0 && plan_.shares && dice_.chance(40)) take_turns();
    task(dice_.roll(2, 9));
  }
  for (const int color : plan_.colors) {
    if (dice_.chance(30)) program_.unblocked_colors |= 1U << color;
    if (!dice_.chance(35)) continue;
    program_.data_entry[static_cast<std::size_t>(color)] = here();
    if (dice_.chance(30)) program_.high_data |= 1U << color;
    task(dice_.roll(0, 3));
  }
  for (int id = 0; id < 4; ++id) {
    if (!dice_.chance(80)) continue;
    program_.control_entry[static_cast<std::size_t>(id)] = here();
    if (dice_.chance(30)) program_.high_control |= std::uint64_t{1} << id;
    task(dice_.roll(0, 2));
  }
  if (dice_.chance(70)) {  // what a teardown starts
    program_.local_entry[29] = here();
    put(Op::tpending, reg());
    if (dice_.chance(70)) put(Op::texit, reg(), dice_.pick(plan_.colors));
    task(dice_.roll(0, 1));
  }
}

void Writer::task(int pieces) {
  for (; pieces > 0; --pieces) piece();
  put(Op::end);
}

void Writer::piece() {
  if (!program_.fifos.empty() && dice_.chance(30)) return with_fifo();
  if (plan_.shares && dice_.chance(20)) return take_turns();
  const int kind = dice_.roll(0, 99);
  if (kind < 20)
    scalar();
  else if (kind < 42)
    send();
  else if (kind < 56)
    receive();
  else if (kind < 70)
    vector_in_memory();
  else if (kind < 80)
    tasks();
  else if (kind < 86)
    router();
  else if (kind < 91)
    branch();
  else if (kind < 94)
    loop();
  else if (kind < 97)
    place();
  else if (kind < 99)
    descriptor();
  else
    call();
}

void Writer::scalar() {
  const int d = reg(), a = source(), b = source();
  switch (dice_.roll(0, 7)) {
    case 0:
      return put(Op::li, d, 0, 0,
                 dice_.chance(50) ? dice_.roll(-3, 9) : static_cast<int>(dice_.bits()));
    case 1:
      return put(dice_.pick({Op::addi, Op::muli, Op::shli, Op::shri, Op::sari, Op::bandi, Op::bori,
                             Op::bxori}),
                 d, a, 0, dice_.roll(-4, 33));
    case 2:
      return put(dice_.pick({Op::lw, Op::lw, Op::sw}), d, kZero, 0, address(4));
    case 3:
      return put(dice_.pick({Op::lh, Op::sh}), d, kZero, 0, address(2));
    case 4:
      return put(Op::lpair, dice_.roll(0, kFree - 2), kZero, 0, address(4));
    case 5:
      return put(dice_.pick({Op::mov, Op::fnegs, Op::fabss, Op::fnegh, Op::fabsh, Op::fh2s,
                             Op::fs2h, Op::fi2s, Op::fu2s, Op::fs2i, Op::fs2u}),
                 d, a);
    case 6:
      return put(dice_.pick({Op::fadds, Op::fsubs, Op::fmuls, Op::fmacs, Op::faddh, Op::fsubh,
                             Op::fmulh, Op::fmach, Op::fmaxs, Op::fmaxh, Op::fmins, Op::fminh,
                             Op::flts, Op::fles, Op::feqs, Op::flth, Op::fleh, Op::feqh}),
                 d, a, b);
    default:
      return put(dice_.pick({Op::add, Op::sub, Op::mul, Op::band, Op::bor, Op::bxor, Op::shl,
                             Op::shr, Op::sar}),
                 d, a, b);
  }
}

void Writer::place() {
  put(dice_.pick({Op::xcoord, Op::xcoord, Op::ycoord}), kPlace);
  if (dice_.chance(50)) put(Op::shli, kPlace, kPlace, 0, dice_.roll(1, 3));
  put(dice_.pick({Op::tsc, Op::tsc, Op::tsch}), reg());
}

void Writer::tasks() {
  if (dice_.chance(50)) return put(Op::activate, 0, static_cast<int>(TaskKind::local), local());
  const Op op = dice_.chance(40) ? Op::block : Op::unblock;
  if (dice_.chance(40)) return put(op, 0, static_cast<int>(TaskKind::local), local());
  put(op, 0, static_cast<int>(TaskKind::data),
      dice_.chance(95) ? dice_.pick(plan_.colors) : dice_.roll(0, kColors - 1));
}

void Writer::router() {
  const int r = reg();
  const int color = dice_.chance(98) ? dice_.pick(plan_.colors) : dice_.roll(0, kColors - 1);
  const int kind = dice_.roll(0, 99);
  const bool filter = !plan_.ranges && dice_.chance(plan_.filtered ? 60 : 2);
  if (filter || kind < 50) {
    put(Op::li, r, 0, 0, dice_.chance(50) ? 0 : dice_.roll(0, dice_.chance(95) ? 1 : 4));
    put(filter ? dice_.pick({Op::fcount, Op::flimit, Op::fmax}) : Op::setpos, r, color);
  } else if (kind < 65 && !plan_.straight) {
    put(Op::li, r, 0, 0, dice_.roll(0, 1023));
    put(Op::setroute, r, color);
  } else if (kind < 80 && !plan_.straight) {
    int bits = dice_.roll(0, 1) << 12;
    for (int n = 0; n < 3; ++n)
      bits |= dice_.pick({0, 1, 2, 3, 4, 4, 5, 8, 9, 10, 11, 12, 12, 13}) << 4 * n;
    if (dice_.chance(20)) bits |= dice_.roll(0, 3) << 13;
    put(Op::li, r, 0, 0, bits);
    put(Op::setswitch, r, color);
  } else if (kind < 95) {
    put(Op::texit, r, color);
  } else {
    put(Op::tpending, r);
  }
}

void Writer::branch() {
  const std::size_t at = program_.code.size();
  put(dice_.pick({Op::beq, Op::bne, Op::blt, Op::bge, Op::bltu, Op::bgeu, Op::jump}),
      dice_.chance(50) ? static_cast<int>(kPlace) : reg(), source());
  for (int n = dice_.roll(0, 3); n > 0; --n) scalar();
  if (dice_.chance(30)) send();
  program_.code[at].imm = here();
}

void Writer::loop() {
  if (looping_) return;
  looping_ = true;
  put(Op::li, kCount, 0, 0, dice_.roll(1, 4));
  const std::int32_t top = here();
  for (int n = dice_.roll(1, 3); n > 0; --n) piece();
  put(Op::addi, kCount, kCount, 0, -1);
  put(Op::bne, kCount, kZero, 0, top);
  looping_ = false;
}

void Writer::call() {
  calls_.push_back(program_.code.size());
  put(Op::call, kLink);
}

Program random_program(const Plan& plan, Dice& dice) { return Writer(plan, dice).write(); }

}  // namespace weft::test
