// p PEs stand at the places of a ring, and each has a part for each place. A part has `distance`
// places to go, the shorter way round: up to p / 2 onwards, the others backwards.
//
// 1. Skew: each PE copies its parts from the numbers to the room, ordered by distance: those that
//    go onwards, then those that go backwards, then its own. Now each step is the same in all PEs.
// 2. Shift: in step t = 1, 2, ... a PE sends on all parts that have t or more places to go, and
//    receives as many, into the same slots of the other buffer. So a part of distance t ends in
//    step t: in the numbers if t is odd, else in the room. The two ways are chains of tasks, each
//    in its own time: one way's turn from step to step hides behind the other's stream.
// 3. Skew back: parts of even distance are copied to the numbers, and all from there to the room,
//    ordered by the place that they came from.
//
// Nothing can come too early: what a PE receives by a way comes from one PE, in the order of its
// steps, and each instruction takes what belongs to its step. The rest waits in the queues, also
// for the next transposition.
//
// A part that goes onwards is sent from its last word to its first. Then the words of successive
// slots, which come from places one before the other, have one descriptor at their receiver.

#include "patterns/ring_code.hpp"

#include <algorithm>
#include <iterator>
#include <string>

#include "patterns/ring_places.hpp"
#include "weft/error.hpp"

namespace weft::patterns {
namespace {

constexpr int kBytes = 4;

/// Distances that go by the way.
int steps_of(const RingCode& ring, int way) {
  return way == kOnwards ? ring.p / 2 : (ring.p - 1) / 2;
}
int first_slot(const RingCode& ring, int way) { return way == kOnwards ? 0 : ring.p / 2; }
int own_slot(const RingCode& ring) { return ring.p - 1; }
int slot_bytes(const RingCode& ring) { return kBytes * ring.words; }

/// Dimensions that can be joined are one; those before the first that is needed are {1, 0}.
Shape shape_of(const std::vector<Dimension>& dimensions) {
  std::vector<Dimension> joined;
  for (const Dimension& d : dimensions) {
    if (d.extent == 1) continue;
    if (!joined.empty() && joined.back().stride == d.extent * d.stride)
      joined.back() = {static_cast<std::uint16_t>(joined.back().extent * d.extent), d.stride};
    else
      joined.push_back(d);
  }
  if (joined.size() > kDimensions)
    throw Error(
        ErrorCategory::program, "ring transpose: a part and its step have too many dimensions",
        std::to_string(joined.size()) + " of them cannot be joined, and a descriptor has four",
        "take parts with fewer dimensions");
  Shape shape{};
  std::ranges::copy_backward(joined, shape.end());
  return shape;
}

/// Parts one after the other, upwards or downwards, with their words in order or from the end.
Shape shape_of(const RingCode& ring, const RingParts& parts, bool upwards, bool in_order) {
  const auto dimension = [](int extent, int stride, bool same) {
    return Dimension{static_cast<std::uint16_t>(extent),
                     static_cast<std::int16_t>(same ? stride : -stride)};
  };
  std::vector<Dimension> all{dimension(ring.p, parts.step, upwards)};
  for (const Dimension& d : parts.part) all.push_back(dimension(d.extent, d.stride, in_order));
  return shape_of(all);
}

/// From a part's first word to its last, in bytes.
int last_word(const RingParts& parts) {
  int words = 0;
  for (const Dimension& d : parts.part) words += (d.extent - 1) * d.stride;
  return kBytes * words;
}

/// Writes the pieces of a transposition.
class Writer {
 public:
  Writer(const CodeWriter& w, const RingCode& ring)
      : w_(w),
        p_(w.p),
        ring_(ring),
        r_(ring.registers),
        n_(ring.registers.scratch[0]),
        t_(ring.registers.scratch[1]),
        u_(ring.registers.scratch[2]) {}

  void wait_for_a_multiple_of_8();
  void find_place();
  void skew(bool back);
  void copy_evens();
  void name_streams();
  void step(int way);

 private:
  Dsr take(int way) const { return dsr(way); }
  Dsr send(int way) const { return dsr(2 + way); }
  Dsr in(int way) const { return dsr(4 + way); }
  Dsr out(int way) const { return dsr(6 + way); }
  Dsr dsr(int k) const { return ring_.descriptors[static_cast<std::size_t>(k)]; }
  // Copies come before and after the streams, so they take descriptors of these.
  Dsr part() const { return dsr(0); }
  Dsr slot() const { return dsr(2); }
  static std::size_t index(int way) { return static_cast<std::size_t>(way); }

  void name(Dsr d, const CodeAddress& at, int bytes) { p_.dbaser(d, at.base, at.offset + bytes); }
  void copy(bool back) { back ? p_.vmov32(part(), slot()) : p_.vmov32(slot(), part()); }
  void set_length(bool back, Reg words) { p_.dlenr(back ? slot() : part(), words); }
  void name_part(const CodeAddress& at, int bytes, const Shape& shape) {
    name(part(), at, bytes);
    p_.dshape(part(), w_.shape(shape));
  }
  /// The part `beyond` parts behind the PE's own.
  void name_part_of_place(const RingParts& parts, const CodeAddress& at, int beyond, int bytes,
                          const Shape& shape) {
    const int step = kBytes * parts.step;
    p_.muli(u_, r_.place, step);
    p_.add(u_, u_, at.base);
    name_part({u_, at.offset}, beyond * step + bytes, shape);
  }
  void choose_color(int way, Reg color);
  void skew(int way, bool back);
  void skew_own(bool back);
  void name_slot(const CodeAddress& at, int number) {
    name(slot(), at, number * slot_bytes(ring_));
    p_.dstride(slot(), 1);
  }

  const CodeWriter& w_;
  InstructionWriter& p_;
  const RingCode& ring_;
  const RingRegisters& r_;
  Reg n_, t_, u_;
};

/// Links that two streams share give them turns by the clock. So lines whose clocks differ do the
/// same if they begin at the same cycle of eight, and can be stepped together.
void Writer::wait_for_a_multiple_of_8() {
  p_.tsc(t_);
  p_.sub(t_, r_.zero, t_);
  p_.bandi(t_, t_, 7);
  name(slot(), ring_.numbers, 0);
  p_.dstride(slot(), 0);
  p_.dlenr(slot(), t_, 1);
  p_.vmov32(slot(), slot());  // the first word, once a cycle
}

/// From the place in the line to that in the ring, and to the color by which the PE sends each way.
void Writer::find_place() {
  constexpr int kThird = 21846, kShift = 16;  // x / 3 is x kThird >> kShift below 2^15
  const Reg to_last = t_, to_first = u_;
  p_.muli(t_, r_.place, kThird);
  p_.shri(t_, t_, kShift);
  p_.muli(t_, t_, 3);
  p_.sub(to_last, r_.place, t_);
  p_.addi(to_first, to_last, 1);  // 3 is as good as 0
  const Label not_first = w_.label(), not_last = w_.label(), even = w_.label();
  p_.bne(r_.place, r_.zero, not_first);
  p_.li(to_first, ring_color(0, kBackwards, ring_.p));
  w_.place(not_first);
  p_.li(n_, ring_.p - 1);
  p_.bne(r_.place, n_, not_last);
  p_.li(to_last, (ring_.p - 2) % 3);
  w_.place(not_last);
  p_.bandi(n_, r_.place, 1);
  p_.shri(r_.place, r_.place, 1);
  p_.beq(n_, r_.zero, even);
  p_.li(n_, ring_.p - 1);
  p_.sub(r_.place, n_, r_.place);
  p_.mov(n_, t_);
  p_.mov(t_, u_);
  p_.mov(u_, n_);
  w_.place(even);
  choose_color(kOnwards, t_);
  choose_color(kBackwards, u_);
}

void Writer::choose_color(int way, Reg color) {
  const auto& colors = ring_.colors[index(way)];
  const int queue = ring_.output_queues[index(way)];
  p_.dfabout(out(way), queue, colors[0]);
  for (const int k : {1, 2}) {
    const Label other = w_.label();
    p_.li(n_, k);
    p_.bne(color, n_, other);
    p_.dfabout(out(way), queue, colors[index(k)]);
    w_.place(other);
  }
}

/// The parts of a way, between their slots and their places in order. They begin beside the PE's
/// own; from the last place on they go on at the first, or the other way round.
void Writer::skew(int way, bool back) {
  const int steps = steps_of(ring_, way), last = ring_.p - 1;
  if (steps == 0) return;
  const RingParts& parts = back ? ring_.to : ring_.from;
  const CodeAddress &slots = back ? ring_.numbers : ring_.room,
                    &array = back ? ring_.room : ring_.numbers;
  const bool upwards = (way == kOnwards) != back, in_order = way == kBackwards;
  const Shape shape = shape_of(ring_, parts, upwards, in_order);
  const int first_word = in_order ? 0 : last_word(parts);
  if (upwards) {
    p_.li(n_, last);
    p_.sub(n_, n_, r_.place);
  } else {
    p_.mov(n_, r_.place);
  }
  const Label fewer = w_.label();
  p_.li(t_, steps);
  p_.blt(n_, t_, fewer);
  p_.mov(n_, t_);
  w_.place(fewer);
  name_slot(slots, first_slot(ring_, way));
  name_part_of_place(parts, array, upwards ? 1 : -1, first_word, shape);
  p_.muli(t_, n_, ring_.words);
  set_length(back, t_);
  copy(back);

  p_.shli(t_, t_, 2);
  p_.dadd(slot(), t_);
  name_part(array, (upwards ? 0 : last * kBytes * parts.step) + first_word, shape);
  p_.li(t_, steps);
  p_.sub(t_, t_, n_);
  p_.muli(t_, t_, ring_.words);
  set_length(back, t_);
  copy(back);
}

void Writer::skew_own(bool back) {
  const RingParts& parts = back ? ring_.to : ring_.from;
  name_slot(back ? ring_.numbers : ring_.room, own_slot(ring_));
  name_part_of_place(parts, back ? ring_.room : ring_.numbers, 0, 0,
                     shape_of(ring_, parts, true, true));
  p_.dlen(back ? slot() : part(), ring_.words);
  copy(back);
}

void Writer::skew(bool back) {
  for (const int way : {kOnwards, kBackwards}) skew(way, back);
  skew_own(back);
}

/// From the room to the numbers, with the PE's own.
void Writer::copy_evens() {
  const auto copy_slots = [&](int first, int count) {
    if (count == 0) return;
    const std::vector<Dimension> every_other{
        {static_cast<std::uint16_t>(count), static_cast<std::int16_t>(2 * ring_.words)},
        {static_cast<std::uint16_t>(ring_.words), 1}};
    const ShapeId shape = w_.shape(shape_of(every_other));
    for (const auto& [d, at] : {std::pair{part(), ring_.numbers}, {slot(), ring_.room}}) {
      name(d, at, first * slot_bytes(ring_));
      p_.dshape(d, shape);
    }
    p_.vmov32(part(), slot());
  };
  for (const int way : {kOnwards, kBackwards})
    copy_slots(first_slot(ring_, way) + 1, steps_of(ring_, way) / 2);
  copy_slots(own_slot(ring_), 1);
}

void Writer::name_streams() {
  for (const int way : {kOnwards, kBackwards}) {
    const std::size_t k = index(way);
    const int bytes = first_slot(ring_, way) * slot_bytes(ring_);
    p_.addi(r_.send[k], ring_.room.base, ring_.room.offset + bytes);
    p_.addi(r_.take[k], ring_.numbers.base, ring_.numbers.offset + bytes);
    p_.li(r_.length[k], steps_of(ring_, way) * ring_.words);
    p_.dfabin(in(way), ring_.input_queues[k]);
    p_.dstride(take(way), 1);
    p_.dstride(send(way), 1);
  }
}

/// A step of a way: sends and receives, and goes on when both have ended.
void Writer::step(int way) {
  const std::size_t k = index(way);
  const Task self = ring_.ways[k];
  const Label all = w_.label(), end = w_.label();
  p_.beq(r_.length[k], r_.zero, all);
  p_.dbaser(take(way), r_.take[k]);
  p_.dlenr(in(way), r_.length[k]);
  p_.dbaser(send(way), r_.send[k]);
  p_.dlenr(send(way), r_.length[k]);
  p_.block(self);
  p_.vmov32(take(way), in(way),
            {.async = true, .at_end = VectorOptions::AtEnd::activate, .task_id = self.id});
  p_.vmov32(out(way), send(way),
            {.async = true, .at_end = VectorOptions::AtEnd::unblock, .task_id = self.id});
  // Of the parts received, those of this distance stay.
  p_.mov(t_, r_.send[k]);
  p_.addi(r_.send[k], r_.take[k], slot_bytes(ring_));
  p_.addi(r_.take[k], t_, slot_bytes(ring_));
  p_.addi(r_.length[k], r_.length[k], -ring_.words);
  p_.jump(end);
  w_.place(all);
  way == kOnwards ? p_.activate(ring_.last) : p_.unblock(ring_.last);
  w_.place(end);
}

}  // namespace

void emit_ring_start(const CodeWriter& w, const RingCode& ring) {
  Writer writer(w, ring);
  writer.wait_for_a_multiple_of_8();
  writer.find_place();
  writer.skew(false);
  writer.name_streams();
  w.p.block(ring.last);
  for (const Task way : ring.ways) w.p.activate(way);
}

void emit_ring_way(const CodeWriter& w, const RingCode& ring, int way) {
  Writer(w, ring).step(way);
}

void emit_ring_end(const CodeWriter& w, const RingCode& ring) {
  Writer writer(w, ring);
  writer.copy_evens();
  writer.skew(true);
}

}  // namespace weft::patterns
