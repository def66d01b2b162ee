#include <algorithm>

#include "differential/random_case.hpp"

/// Programs that send, receive, compute and start each other.
namespace weft::test {
namespace {

constexpr int kFree = 12;            ///< registers 0 to 11 hold anything
constexpr std::uint8_t kPlace = 12;  ///< a coordinate, perhaps shifted
constexpr std::uint8_t kLink = 13, kCount = 14, kZero = 15;

class Writer {
 public:
  Writer(const Plan& plan, Dice& dice) : plan_(plan), dice_(dice) {
    program_.name = "random";
    program_.data_entry.fill(Program::kUnbound);
    program_.local_entry.fill(Program::kUnbound);
    program_.control_entry.fill(Program::kUnbound);
  }

  Program write() {
    locals_ = dice_.roll(1, 4);
    for (int id = 0; id < locals_; ++id) {
      program_.local_entry[static_cast<std::size_t>(id)] = here();
      if (id == 0 || dice_.chance(30)) program_.started_local |= 1U << id;
      if (id != 0 && dice_.chance(10)) program_.blocked_local |= 1U << id;
      if (dice_.chance(30)) program_.high_local |= 1U << id;
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
    if (!calls_.empty()) {  // one subroutine
      for (const std::size_t call : calls_) program_.code[call].imm = here();
      for (int n = dice_.roll(1, 3); n > 0; --n) scalar();
      put(Op::ret, kLink);
    }
    return std::move(program_);
  }

 private:
  void put(Op op, int d = 0, int a = 0, int b = 0, std::int32_t imm = 0) {
    program_.code.push_back({op, static_cast<std::uint8_t>(d), static_cast<std::uint8_t>(a),
                             static_cast<std::uint8_t>(b), imm});
  }
  std::int32_t here() const { return static_cast<std::int32_t>(program_.code.size()); }

  int reg() { return dice_.roll(0, kFree - 1); }
  int source() { return dice_.chance(15) ? dice_.pick({kPlace, kZero}) : reg(); }
  int dsr() { return dice_.roll(0, plan_.wild ? kDescriptors - 1 : 5); }
  std::size_t flow() {
    return static_cast<std::size_t>(dice_.roll(0, static_cast<int>(plan_.colors.size()) - 1));
  }
  int local() {
    return dice_.chance(98) ? dice_.roll(0, locals_ - 1) : dice_.roll(0, kLocalTasks - 1);
  }
  int length() {
    const int kind = dice_.roll(0, 99);
    return kind < 6 ? 0 : kind < 80 ? dice_.roll(1, 5) : dice_.roll(1, 16);
  }
  int address(int width) {
    if (plan_.wild && dice_.chance(20)) return dice_.roll(-8, plan_.memory_bytes + 40);
    return dice_.roll(0, (plan_.memory_bytes - 4) / width) * width;
  }

  void task(int pieces) {
    for (; pieces > 0; --pieces) piece();
    put(Op::end);
  }

  void piece() {
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

  void scalar() {
    const int d = reg(), a = source(), b = source();
    switch (dice_.roll(0, 7)) {
      case 0:
        return put(Op::li, d, 0, 0,
                   dice_.chance(50) ? dice_.roll(-3, 9) : static_cast<int>(dice_.bits()));
      case 1:
        return put(dice_.pick({Op::addi, Op::muli, Op::shli, Op::shri}), d, a, 0,
                   dice_.roll(-4, 33));
      case 2:
        return put(dice_.pick({Op::lw, Op::lw, Op::sw}), d, kZero, 0, address(4));
      case 3:
        return put(dice_.pick({Op::lh, Op::sh}), d, kZero, 0, address(2));
      case 4:
        return put(Op::lpair, dice_.roll(0, kFree - 2), kZero, 0, address(4));
      case 5:
        return put(dice_.pick({Op::mov, Op::fnegs, Op::fnegh, Op::fh2s, Op::fs2h}), d, a);
      case 6:
        return put(dice_.pick({Op::fadds, Op::fsubs, Op::fmuls, Op::fmacs, Op::faddh, Op::fsubh,
                               Op::fmulh, Op::fmach}),
                   d, a, b);
      default:
        return put(dice_.pick({Op::add, Op::sub, Op::mul, Op::band, Op::bor, Op::bxor, Op::shl,
                               Op::shr, Op::sar}),
                   d, a, b);
    }
  }

  void place() {
    put(dice_.pick({Op::xcoord, Op::xcoord, Op::ycoord}), kPlace);
    if (dice_.chance(50)) put(Op::shli, kPlace, kPlace, 0, dice_.roll(1, 3));
    put(dice_.pick({Op::tsc, Op::tsc, Op::tsch}), reg());
  }

  void memory_dsr(int d, int width) {
    if (dice_.chance(25)) {
      put(Op::dbaser, d, kPlace, 0, address(width) / 2 / width * width);
    } else {
      put(Op::dbase, d, 0, 0, address(width) * 3 / 4 / width * width);
    }
    const int stride = dice_.chance(70) ? 1 : plan_.wild ? dice_.roll(-9, 17) : dice_.roll(0, 9);
    if (dice_.chance(85)) put(Op::dstride, d, 0, 0, stride);
  }

  void set_length(int d) {
    if (dice_.chance(12))
      put(Op::dlenr, d, kPlace, 0, dice_.roll(0, 3));
    else
      put(Op::dlen, d, 0, 0, length());
  }

  void descriptor() {
    const int d = dsr();
    put(Op::dadd, d, dice_.pick({kPlace, kZero}), 0, dice_.roll(-2, 4) * 4);
  }

  std::int32_t options(bool mostly_async = true) {
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

  void output_dsr(int d) {
    const std::size_t f = flow();
    const bool other_queue = dice_.chance(5);
    const bool control = dice_.chance(30);
    put(Op::dfabout, d, other_queue ? dice_.roll(0, kOutputQueues - 1) : plan_.output_queue[f],
        dice_.chance(99) ? plan_.colors[f] : dice_.roll(0, kColors - 1), control ? 1 : 0);
    if (!control || !dice_.chance(80)) return;
    control_register_ = reg();
    put(Op::li, control_register_, 0, 0, static_cast<std::int32_t>(random_control(dice_)));
  }

  void send() {
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
    put(dice_.pick({Op::vfadds, Op::vadd32, Op::vfmacs, Op::vfaddh, Op::vfaddhs}), out, from, more,
        options());
  }

  void receive() {
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
      return put(dice_.pick({Op::vfaddsr, Op::vfmacsr, Op::vfmulhr}), to, in, reg(),
                 options(false));
    memory_dsr(more, 4);
    if (dice_.chance(50)) set_length(more);
    const bool first = dice_.chance(70);
    put(dice_.pick({Op::vfadds, Op::vsub32, Op::vfmacs, Op::vfmach, Op::vfmachs}), to,
        first ? in : more, first ? more : in, options(false));
  }

  void vector_in_memory() {
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
          return put(dice_.pick({Op::vfaddsr, Op::vfmulsr, Op::vfmacsr}), d, a, source());
        case 1:
          return put(Op::vmov32, d, a);
        case 2:
          return put(Op::vmov32r, d, 0, source());
        default:
          return put(dice_.pick({Op::vfadds, Op::vfsubs, Op::vfmuls, Op::vfmacs, Op::vfmaxs,
                                 Op::vadd32, Op::vsub32, Op::vfaddhs, Op::vfmachs}),
                     d, a, b);
      }
    }
    switch (dice_.roll(0, 4)) {
      case 0:
        return put(dice_.pick({Op::vfaddhr, Op::vfmulhr, Op::vfmachr, Op::vsll16r, Op::vslr16r,
                               Op::vsar16r}),
                   d, a, source());
      case 1:
        return put(Op::vmov16, d, a);
      case 2:
        return put(Op::vmov16r, d, 0, source());
      case 3:
        return put(dice_.pick({Op::vfs2h, Op::vfh2s}), d, a);
      default:
        return put(dice_.pick({Op::vfaddh, Op::vfsubh, Op::vfmulh, Op::vfmach, Op::vfmaxh,
                               Op::vadd16, Op::vsub16, Op::vand16, Op::vor16, Op::vxor16}),
                   d, a, b);
    }
  }

  void tasks() {
    if (dice_.chance(50)) return put(Op::activate, 0, static_cast<int>(TaskKind::local), local());
    const Op op = dice_.chance(40) ? Op::block : Op::unblock;
    if (dice_.chance(40)) return put(op, 0, static_cast<int>(TaskKind::local), local());
    put(op, 0, static_cast<int>(TaskKind::data),
        dice_.chance(95) ? dice_.pick(plan_.colors) : dice_.roll(0, kColors - 1));
  }

  void router() {
    const int r = reg();
    const int color = dice_.chance(98) ? dice_.pick(plan_.colors) : dice_.roll(0, kColors - 1);
    const int kind = dice_.roll(0, 99);
    const bool filter = !plan_.ranges && dice_.chance(plan_.filtered ? 60 : 2);
    if (filter || kind < 50) {
      put(Op::li, r, 0, 0, dice_.chance(50) ? 0 : dice_.roll(0, dice_.chance(95) ? 1 : 4));
      put(filter ? dice_.pick({Op::fcount, Op::flimit, Op::fmax}) : Op::setpos, r, color);
    } else if (kind < 65) {
      put(Op::li, r, 0, 0, dice_.roll(0, 1023));
      put(Op::setroute, r, color);
    } else if (kind < 80) {
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

  void branch() {
    const std::size_t at = program_.code.size();
    put(dice_.pick({Op::beq, Op::bne, Op::blt, Op::bge, Op::jump}),
        dice_.chance(50) ? static_cast<int>(kPlace) : reg(), source());
    for (int n = dice_.roll(0, 3); n > 0; --n) scalar();
    if (dice_.chance(30)) send();
    program_.code[at].imm = here();
  }

  void loop() {
    if (looping_) return;
    looping_ = true;
    put(Op::li, kCount, 0, 0, dice_.roll(1, 4));
    const std::int32_t top = here();
    for (int n = dice_.roll(1, 3); n > 0; --n) piece();
    put(Op::addi, kCount, kCount, 0, -1);
    put(Op::bne, kCount, kZero, 0, top);
    looping_ = false;
  }

  void call() {
    calls_.push_back(program_.code.size());
    put(Op::call, kLink);
  }

  const Plan& plan_;
  Dice& dice_;
  Program program_;
  int locals_ = 1;
  int control_register_ = -1;
  bool looping_ = false;
  std::vector<std::size_t> calls_;
};

}  // namespace

Program random_program(const Plan& plan, Dice& dice) { return Writer(plan, dice).write(); }

}  // namespace weft::test
