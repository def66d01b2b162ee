#include "pe_step/corner_cases.hpp"

namespace weft::test {

void put(Program& p, Op op, int d, int a, int b, std::int32_t imm) {
  p.code.push_back({op, static_cast<std::uint8_t>(d), static_cast<std::uint8_t>(a),
                    static_cast<std::uint8_t>(b), imm});
}

void send_one(Program& p, int color, bool control) {
  put(p, Op::dfabout, 0, 0, color, control ? 1 : 0);
  put(p, Op::dlen, 0, 0, 0, 1);
  put(p, Op::vmov32r, 0, 0, 1, VectorOptions{.async = true}.pack());
  put(p, Op::end);
}

namespace {

Program sender(int color, int delay) {
  Program p = program_of({}, {0});
  for (int n = 0; n < delay; ++n) put(p, Op::addi, 1, 1, 0, 1);
  send_one(p, color, false);
  return p;
}

}  // namespace

Case crossing(int delay, bool busy) {
  Case c;
  c.width = c.height = 3;
  const auto send = [&](int x, int y, int color, Port to) {
    c.programs.emplace_back(Rect{x, y, 1, 1}, sender(color, delay));
    c.routes.push_back({{x, y, 1, 1}, color, {.rx = Port::ramp, .tx = to}});
  };
  send(0, 1, kAlong, Port::east);
  send(2, 1, kAlong, Port::west);
  send(1, 0, kDown, Port::south);
  send(1, 2, kDown, Port::north);
  const Rect middle{1, 1, 1, 1};
  if (busy) {
    Program p = program_of({}, {0});
    put(p, Op::dlen, 2, 0, 0, 200);  // all in one word
    put(p, Op::vmov32r, 2, 0, 1);
    put(p, Op::end);
    c.programs.emplace_back(middle, p);
  }
  c.routes.push_back(
      {middle, kAlong, {.rx = {Port::west, Port::east}, .tx = Port::ramp, .input_queue = 0}});
  c.routes.push_back(
      {middle, kDown, {.rx = {Port::north, Port::south}, .tx = Port::ramp, .input_queue = 1}});
  return c;
}

Case shutter(unsigned writes, int delay) {
  constexpr int kWrites = 6;
  constexpr std::int32_t kToCore = 16, kFromWest = 1 << 5, kFromCore = 16 << 5;
  const std::int32_t async = VectorOptions{.async = true}.pack();
  Program p = program_of({}, {0});
  put(p, Op::dfabout, 0, 0, kAlong);
  put(p, Op::dlen, 0, 0, 0, 12);
  put(p, Op::vmov32r, 0, 0, 1, async);
  put(p, Op::end);
  Program q = program_of({}, {0});
  put(q, Op::li, 1, 0, 0, kToCore | kFromWest);
  put(q, Op::li, 2, 0, 0, kToCore | kFromCore);
  put(q, Op::li, 3, 0, 0, static_cast<std::int32_t>(ControlWavelet{}.payload()));
  put(q, Op::dfabout, 0, 1, kDown, 1);
  put(q, Op::dlen, 0, 0, 0, 40);
  put(q, Op::vmov32r, 0, 0, 3, async);
  put(q, Op::dfabin, 1);
  put(q, Op::dlen, 1, 0, 0, 12);
  put(q, Op::vmov32, 2, 1, 0, async);
  for (int n = 0; n < delay; ++n) put(q, Op::addi, 4, 4, 0, 1);
  for (int n = 0; n < kWrites; ++n) put(q, Op::setroute, (writes >> n & 1U) != 0 ? 1 : 2, kAlong);
  put(q, Op::addi, 4, 4, 0, 1);
  put(q, Op::setroute, 1, kAlong);
  put(q, Op::end);
  Case c;
  c.width = 2;
  c.machine.router_write_cycles = 1;
  c.machine.hop_cycles = delay % 2 + 1;
  c.programs = {{{0, 0, 1, 1}, p}, {{1, 0, 1, 1}, q}};
  const Rect west{0, 0, 1, 1}, east{1, 0, 1, 1};
  c.routes = {{west, kAlong, {.rx = Port::ramp, .tx = Port::east}},
              {east, kAlong, {.rx = Port::ramp, .tx = Port::ramp, .input_queue = 0}},
              {west, kDown, {.rx = Port::east, .tx = Port::ramp, .input_queue = 1}},
              {east, kDown, {.rx = Port::ramp, .tx = Port::west}}};
  return c;
}

Case long_row(int width, int words) {
  const std::int32_t async = VectorOptions{.async = true}.pack();
  Program p = program_of({}, {0}), q = p;
  put(p, Op::dfabout, 0, 0, kAlong);
  put(p, Op::dlen, 0, 0, 0, words);
  put(p, Op::vmov32r, 0, 0, 1, async);
  put(p, Op::end);
  put(q, Op::dfabin, 1);
  put(q, Op::dlen, 1, 0, 0, words);
  put(q, Op::vmov32, 2, 1, 0, async);
  put(q, Op::end);
  Case c;
  c.width = width;
  c.limit = 10000;
  c.machine.link_busy_cycles = 1;
  c.machine.crowd_wavelets = width;
  const Rect first{0, 0, 1, 1}, between{1, 0, width - 2, 1}, last{width - 1, 0, 1, 1};
  c.programs = {{first, p}, {last, q}};
  c.routes = {{first, kAlong, {.rx = Port::ramp, .tx = Port::east}},
              {between, kAlong, {.rx = Port::west, .tx = Port::east}},
              {last, kAlong, {.rx = Port::west, .tx = Port::ramp, .input_queue = 0}}};
  return c;
}

Case stuck_before_the_end() {
  Program p = program_of({}, {0});
  put(p, Op::dfabout, 0, 0, kAlong);
  put(p, Op::dlen, 0, 0, 0, 100);
  put(p, Op::vmov32r, 0, 0, 1, VectorOptions{.async = true}.pack());
  put(p, Op::end);
  Case c;
  c.width = 12;
  c.programs = {{{0, 0, 1, 1}, p}, {{10, 0, 1, 1}, sender(kAlong, 200)}};
  c.filters = {{{11, 0, 1, 1}, kAlong, RangeFilter{.min_index = 1, .max_index = 1}}};
  for (const int x : {0, 10}) {
    c.routes.push_back({{x, 0, 1, 1}, kAlong, {.rx = Port::ramp, .tx = Port::east}});
    c.routes.push_back(
        {{x + 1, 0, 1, 1}, kAlong, {.rx = Port::west, .tx = Port::ramp, .input_queue = 0}});
  }
  return c;
}

Case addition(const std::array<std::int32_t, 3>& at, std::size_t received) {
  constexpr int kQueue = 5;
  Program p = program_of({}, {0});
  put(p, Op::dfabout, 0, 0, kAlong);
  put(p, Op::dlen, 0, 0, 0, 1);
  put(p, Op::vmov32r, 0, 0, 1, VectorOptions{.async = true}.pack());
  for (std::size_t k = 0; k < at.size(); ++k) {
    const int descriptor = static_cast<int>(k) + 1;
    if (k != 0 && k == received)
      put(p, Op::dfabin, descriptor, kQueue);
    else
      put(p, Op::dbase, descriptor, 0, 0, at[k]);
    put(p, Op::dlen, descriptor, 0, 0, 1);
  }
  put(p, Op::vadd32, 1, 2, 3);
  put(p, Op::end);
  Case c;
  c.programs = {{Rect{}, p}};
  c.routes = {{Rect{}, kAlong, {.rx = Port::ramp, .tx = Port::ramp, .input_queue = kQueue}}};
  return c;
}

Case long_vector() {
  Program p = program_of({}, {0});
  put(p, Op::dlen, 2, 0, 0, kMostElements);  // all in one word
  put(p, Op::li, 1, 0, 0, 77);
  put(p, Op::vmov32r, 2, 0, 1);
  put(p, Op::tsc, 1);
  send_one(p, kAlong, false);
  Program q = program_of({}, {0});
  put(q, Op::dbase, 1, 0, 0, 16);
  put(q, Op::dlen, 0, 0, 0, 1);
  put(q, Op::dfabin, 0, 1);
  put(q, Op::vmov32, 1, 0);
  put(q, Op::end);
  Case c;
  c.width = 2;
  c.limit = 100000;
  c.machine.ramp_cycles = 3;
  c.machine.link_busy_cycles = 6;
  c.machine.crowd_wavelets = 1;
  c.programs = {{{0, 0, 1, 1}, p}, {{1, 0, 1, 1}, q}};
  c.routes = {{{0, 0, 1, 1}, kAlong, {.rx = Port::ramp, .tx = Port::east}},
              {{1, 0, 1, 1}, kAlong, {.rx = Port::west, .tx = Port::ramp, .input_queue = 1}}};
  return c;
}

}  // namespace weft::test
