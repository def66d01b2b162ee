// Broadcast and filter, by halves. On each level (halves.hpp) a PE sends its messages for all PEs
// of the other half, and takes one from each of them.
//
// In each direction the PEs of one half send through one color, the one beside the middle first.
// Its router begins with {ramp -> ahead}. The control wavelet behind what it sends moves it on to
// {behind -> ahead}, and what the PE behind has sent, which waits there, follows at once. That of
// the farthest sender takes all routers back. So no core is between two senders.
//
// - On levels with filters a PE sends one stream, nearest receiver first. Routers offer it to all
//   receivers, and filters let each message in where it is meant to go. All streams of a level have
//   one length, so filters stay as they are.
// - On the others all senders send to the nearest receiver first, then to the next one. The control
//   wavelet of the farthest sender resets the senders, and moves the receiver on: from now on it
//   lets pass what comes. (It removes the reset at the middle, where switches remove what they
//   obeyed.)
//
// Messages of a level wait for nobody but its PEs. A PE starts to receive on a level, sends, and
// goes on to the next one: the small levels first, and when it has all of these the last four.

#include "fft/wsfft/halves.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fft/wsfft/transpose_form.hpp"
#include "weft/error.hpp"

namespace weft::wsfft {
namespace {
namespace halves {

constexpr Reg kInHalf{5};           // this PE's place in its half
constexpr Reg kSide{6};             // not 0 in the upper half
constexpr Reg kHere{7}, kThere{8};  // of the first PE of its half: messages for it, and from it
constexpr Reg kLeft{9};             // things to wait for
constexpr Reg kRounds{10};
constexpr Dsr kCatch = kCatchTo[0], kFrom = kCatchFrom[0], kSend = kSendFrom[0], kTo = kSendTo[0];
constexpr Dsr kControlFrom{8}, kControlTo{9};

constexpr int kTogether = 4;  // levels under way at the same time: as many as have queues for it

// Local tasks of an axis; ids 0 to 3 are the transform's own.
constexpr int kTasks = 8;
struct Tasks {
  int first;
  int caught(int number) const { return first + number % kTogether; }
  int large() const { return first + 4; }
  int last_send() const { return first + 5; }
  int early(int number) const { return first + 6 + number - kTogether; }
};
Tasks tasks_of(Axis axis) { return {4 + (axis == Axis::row ? 0 : kTasks)}; }

/// The host's words: the control wavelets of senders, and of the farthest one.
enum Control { advance, reset, next_receiver, all_back };

// Where messages stand, in words, from the first word of those of the first PE.
struct Dimensions {
  std::vector<Dimension> all;
  int first = 0;  ///< the word of the first element, from the start of the nearest PE's message
};

/// The order of a message's axes on its way, and the one that goes backwards in those that go to
/// higher places, which are caught from the middle down.
struct Order {
  std::array<std::size_t, 3> axes;
  std::optional<std::size_t> backwards;
};

void add(std::vector<Dimension>& all, int extent, int stride) {
  if (extent == 1) return;
  // Those that join are one dimension.
  if (!all.empty() && all.back().stride == stride * extent)
    all.back() = dimension(all.back().extent * extent, stride);
  else
    all.push_back(dimension(extent, stride));
}

/// `count` messages, `step` numbers from one to the next; the last dimension of `all` is not empty.
Dimensions dimensions(const Exchange& exchange, const Order& order,
                      const std::array<int, 3>& strides, int count, int step, bool backwards) {
  Dimensions made;
  add(made.all, count, step * exchange.words);
  for (const std::size_t axis : order.axes) {
    const int extent = exchange.blocks.extents[axis], stride = strides[axis] * exchange.words;
    const bool turned = backwards && order.backwards == axis;
    if (turned) made.first += (extent - 1) * stride;
    add(made.all, extent, turned ? -stride : stride);
  }
  add(made.all, exchange.words, 1);
  return made;
}

/// What a PE sends, or catches, on a level: of `half` PEs of the other side.
Dimensions sent(const Exchange& exchange, const Order& order, int count, bool up) {
  const Blocks& blocks = exchange.blocks;
  return dimensions(exchange, order, blocks.from, count, up ? blocks.from_step : -blocks.from_step,
                    up);
}
Dimensions caught(const Exchange& exchange, const Order& order, int count, bool from_below) {
  const Blocks& blocks = exchange.blocks;
  return dimensions(exchange, order, blocks.to, count,
                    from_below ? -blocks.to_step : blocks.to_step, from_below);
}

bool suits(const Exchange& exchange, const Order& order) {
  constexpr std::size_t kMost = 4;
  return std::ranges::all_of(std::array{true, false}, [&](bool up) {
    return sent(exchange, order, 2, up).all.size() <= kMost &&
           caught(exchange, order, 2, up).all.size() <= kMost;
  });
}

/// As the array has them, or with the axis first along which parts of successive senders go on.
Order order_of(const Exchange& exchange) {
  std::vector<Order> orders{{{0, 1, 2}, {}}};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const Blocks& blocks = exchange.blocks;
    if (blocks.extents[axis] * blocks.to[axis] != blocks.to_step) continue;
    Order joined{{axis, axis == 0 ? std::size_t{1} : 0, axis == 2 ? std::size_t{1} : 2}, axis};
    orders.push_back(joined);
  }
  const auto found =
      std::ranges::find_if(orders, [&](const Order& order) { return suits(exchange, order); });
  if (found == orders.end())
    throw Error(ErrorCategory::emulator, "no exchange by halves",
                "its messages have more dimensions than a descriptor",
                "take another form of the transposes, and report this");
  return *found;
}

ShapeId shape_of(ProgramBuilder& p, std::vector<Dimension> all) {
  all.insert(all.begin(), 4 - all.size(), Dimension{});
  return p.shape({all[0], all[1], all[2], all[3]});
}

/// The code of an exchange.
struct Code {
  ProgramBuilder& p;
  const Exchange& exchange;
  const ExchangeCall& call;
  Order order;
  Tasks tasks;

  int bytes() const { return 4 * exchange.words; }
  int control(Control which) const {
    return static_cast<int>(exchange.finish[0].address) + 4 * which;
  }
  Level level(int number) const { return level_of(exchange.axis, exchange.p(), number); }
};

/// Sets a descriptor to messages: the nearest PE of the other half has the first of them.
void set(const Code& c, Dsr d, Reg half, int step, const Level& level, bool low,
         const Dimensions& messages) {
  const int nearest = low ? level.half : -1;
  c.p.dbaser(d, half, nearest * step * c.bytes() + 4 * messages.first);
  c.p.dshape(d, shape_of(c.p, messages.all));
}

void name_control(const Code& c, Control which) { c.p.dbase(kControlFrom, c.control(which)); }

/// Names the first or the second, the latter if the PE is the farthest of its half.
void name_control(const Code& c, const Level& level, bool low, Control of_others,
                  Control of_farthest) {
  const Label named = c.p.label();
  name_control(c, of_farthest);
  c.p.li(kScratch, low ? 0 : level.half - 1);
  c.p.beq(kInHalf, kScratch, named);
  name_control(c, of_others);
  c.p.place(named);
}

/// A PE in the lower half, or in the upper one.
void emit_side(const Code& c, const Level& level, int then, bool low) {
  ProgramBuilder& p = c.p;
  const Blocks& blocks = c.exchange.blocks;
  const int message = c.exchange.message();
  set(c, kCatch, kThere, blocks.to_step, level, low, caught(c.exchange, c.order, level.half, !low));
  p.dfabin(kFrom, level.in_queue);
  p.dlen(kFrom, level.half * message);
  p.vmov32(kCatch, kFrom, then_activate(then));
  const bool stream = level.filters || level.half == 1;
  set(c, kSend, kHere, blocks.from_step, level, low,
      sent(c.exchange, c.order, stream ? level.half : 1, low));
  const int color = level.colors[low ? 0 : 1];
  p.dfabout(kTo, level.out_queue, color);
  if (level.half == 1) {
    p.vmov32(kTo, kSend);
    return;
  }
  p.dfabout(kControlTo, level.out_queue, color, true);
  if (stream) {
    name_control(c, level, low, advance, reset);
    p.vmov32(kTo, kSend);
    p.vmov32(kControlTo, kControlFrom);
    return;
  }
  name_control(c, level, low, advance, next_receiver);
  p.li(kRounds, level.half - 1);
  const Label again = p.label();
  p.place(again);
  p.vmov32(kTo, kSend);
  p.vmov32(kControlTo, kControlFrom);
  p.dadd(kSend, c.call.zero, (low ? 1 : -1) * blocks.from_step * c.bytes());
  p.addi(kRounds, kRounds, -1);
  p.bne(kRounds, c.call.zero, again);
  name_control(c, level, low, advance, all_back);
  p.vmov32(kTo, kSend);
  p.vmov32(kControlTo, kControlFrom);
}

/// Starts to receive on a level, and sends.
void emit_level(const Code& c, const Level& level, int then) {
  ProgramBuilder& p = c.p;
  const Blocks& blocks = c.exchange.blocks;
  const Label high = p.label(), sent_all = p.label();
  if (level.half > 1) p.bandi(kInHalf, kPlace, level.half - 1);
  p.bandi(kSide, kPlace, level.half);
  p.bne(kSide, c.call.zero, high);
  emit_side(c, level, then, true);
  p.jump(sent_all);
  p.place(high);
  emit_side(c, level, then, false);
  if (level.number > 0) {  // both halves are the next level's half
    p.addi(kHere, kHere, -level.half * blocks.from_step * c.bytes());
    p.addi(kThere, kThere, -level.half * blocks.to_step * c.bytes());
  }
  p.place(sent_all);
}

/// One thing less to wait for; after the last one, `then`.
void emit_done(const Code& c, Task then) {
  const Label waits = c.p.label();
  c.p.addi(kLeft, kLeft, -1);
  c.p.bne(kLeft, c.call.zero, waits);
  c.p.activate(then);
  c.p.place(waits);
}

Task local(int id) { return {TaskKind::local, static_cast<std::uint8_t>(id)}; }

Code code_of(ProgramBuilder& p, const Exchange& exchange, const ExchangeCall& call) {
  return {p, exchange, call, order_of(exchange), tasks_of(exchange.axis)};
}

int task_of(const Code& c, int number) {
  return number < kTogether ? c.tasks.caught(number) : c.tasks.early(number);
}

/// Whether the farther senders of the last level wait so long that other tasks can run before.
bool far_ones_wait(const Code& c) {
  // Measured: with 32 to wait for, 37 cycles are lost, with 64 36 won.
  constexpr int kWavelets = 50;
  const int half = c.level(0).half;
  return half / 2 * half * c.exchange.message() >= kWavelets;
}

/// The last level. What this PE has for itself stays.
void emit_last_level(const Code& c, bool own_block_first) {
  if (own_block_first) emit_own_block(c.p, c.exchange, c.call);
  emit_level(c, c.level(0), task_of(c, 0));
  if (!own_block_first) emit_own_block(c.p, c.exchange, c.call);
  emit_done(c, c.exchange.next);
}

/// The levels from `first` down to `last`, in this order. The task ends next.
void emit_levels(const Code& c, int first, int last) {
  ProgramBuilder& p = c.p;
  p.li(kLeft, first - last + 2);
  for (int number = first; number >= std::max(last, 1); --number)
    emit_level(c, c.level(number), task_of(c, number));
  if (last > 0) return emit_done(c, local(c.tasks.large()));
  // The farther senders wait for their turn anyway: they let tasks run that count what has come.
  const int half = c.level(0).half;
  if (far_ones_wait(c)) {
    const Label far = p.label(), now = p.label();
    p.li(kSide, half / 2);
    p.blt(kPlace, kSide, far);
    p.li(kSide, half + half / 2);
    p.blt(kPlace, kSide, now);
    p.place(far);
    p.activate(local(c.tasks.last_send()));
    p.end();
    p.place(now);
  }
  emit_last_level(c, false);
}

void start(ProgramBuilder& p, const Exchange& exchange, const ExchangeCall& call) {
  const Code c = code_of(p, exchange, call);
  const Blocks& blocks = exchange.blocks;
  emit_place(p, exchange);
  p.muli(kHere, kPlace, blocks.from_step * c.bytes());
  p.add(kHere, kHere, call.from);
  p.muli(kThere, kPlace, blocks.to_step * c.bytes());
  p.add(kThere, kThere, call.to);
  p.dstride(kControlFrom, 1);
  p.dlen(kControlFrom, 1);
  const int levels = levels_of(exchange.p());
  emit_levels(c, levels - 1, levels > kTogether ? kTogether : 0);
}

void tasks(ProgramBuilder& p, const Exchange& exchange, const ExchangeCall& call) {
  const Code c = code_of(p, exchange, call);
  const int levels = levels_of(exchange.p());
  for (int number = 0; number < levels; ++number) {
    p.local_task(task_of(c, number), TaskPriority::high);
    emit_done(c, number < kTogether ? exchange.next : local(c.tasks.large()));
    p.end();
  }
  if (levels > kTogether) {
    p.local_task(c.tasks.large(), TaskPriority::high);
    emit_levels(c, kTogether - 1, 0);
    p.end();
  }
  if (!far_ones_wait(c)) return;
  p.local_task(c.tasks.last_send());
  emit_last_level(c, true);
  p.end();
}

std::vector<std::uint32_t> finish(Form, Axis, bool) {
  using Command = ControlWavelet::Command;
  const auto word = [](std::initializer_list<Command> commands) {
    ControlWavelet control;
    std::size_t slot = 0;
    for (const Command command : commands) control.slots[slot++].command = command;
    return control.payload();
  };
  return {word({Command::advance}), word({Command::reset}),
          word({Command::reset, Command::advance}), word({Command::reset, Command::reset})};
}

/// The PE at this place.
void lay_out_place(Layout& layout, const Rect& where, Axis axis, const Level& level, int place,
                   int message) {
  const bool low = place % (2 * level.half) < level.half;
  const int in_half = place % level.half, order = low ? level.half - 1 - in_half : in_half;
  const Port up = axis == Axis::row ? Port::east : Port::south;
  const Port ahead = low ? up : opposite(up), behind = opposite(ahead);
  const bool farthest = order == level.half - 1;

  Route sender{.rx = Port::ramp, .tx = ahead};
  if (!farthest) sender.positions = {SwitchPosition::receive(behind)};
  if (!level.filters) sender.pop = order == 0 ? PopMode::always_pop : PopMode::pop_on_advance;
  layout.route(where, level.colors[low ? 0 : 1], sender);

  Route receiver{.rx = ahead, .tx = Port::ramp};
  receiver.input_queue = level.in_queue;
  if (!farthest && level.filters) receiver.tx = {Port::ramp, behind};
  if (!farthest && !level.filters) receiver.positions = {SwitchPosition::send(behind)};
  layout.route(where, level.colors[low ? 1 : 0], receiver);
  if (!level.filters) return;
  const int period = level.half * message;
  CounterFilter filter;
  filter.counter = static_cast<std::uint32_t>((period - order * message) % period);
  filter.limit1 = static_cast<std::uint32_t>(period - 1);
  filter.max_counter = static_cast<std::uint32_t>(message - 1);
  layout.filter(where, level.colors[low ? 1 : 0], filter);
}

void lay_out(Layout& layout, Form, Axis axis, int p, int message) {
  const int lines = axis == Axis::row ? layout.width() : layout.height();
  for (int number = 0; number < levels_of(p); ++number)
    for (int line = 0; line < lines; ++line)
      lay_out_place(layout, across(layout, axis, line), axis, level_of(axis, p, number), line % p,
                    message);
}

}  // namespace halves
}  // namespace

const ExchangeCode kHalves{halves::lay_out, halves::finish, halves::start, halves::tasks};

}  // namespace weft::wsfft
