#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "patterns/checks.hpp"
#include "patterns/place.hpp"
#include "patterns/ring_code.hpp"
#include "patterns/ring_places.hpp"
#include "patterns/steps.hpp"
#include "program/pe_impl.hpp"
#include "program/wait_tasks.hpp"
#include "weft/error.hpp"

namespace weft::inline v0 {
namespace {

constexpr const char* kRingTranspose = "ring transpose";
constexpr int kFirstDescriptor = 8;
constexpr patterns::OneAtATime kOneAtATime{kRingTranspose, patterns::kAllRings,
                                           "they share registers and descriptors"};

using ProgramImpl = PeProgramAccess::Impl;

[[noreturn]] void refuse_parts(const std::string& what, const std::string& why,
                               const std::string& remedy) {
  throw Error(ErrorCategory::program, fmt::format("{}: {}", kRingTranspose, what), why, remedy);
}

/// Buffers of parts: words side by side, in memory.
void check_ring_buffer(const PeVector& v) {
  if (element_bytes(v.type()) != 4)
    refuse_parts(fmt::format("{} has elements of {} bytes", v.name(), element_bytes(v.type())),
                 "a wavelet carries 32 bits", "take pairs() of them");
  const std::vector<Dimension> joined = v.joined();
  if (joined.size() != 1 || joined[0].stride != 1 || v.by_register())
    refuse_parts(fmt::format("the elements of {} are not side by side in one place", v.name()),
                 "it is a buffer of what is on its way too",
                 "take whole arrays, and name their parts");
}

std::int64_t ring_part_elements(const RingParts& parts) {
  std::int64_t elements = 1;
  for (const Dimension& d : parts.part) elements *= d.extent;
  return elements;
}

void check_ring_parts(const RingParts& parts, const PeVector& v, int length) {
  std::int64_t low = 0, high = 0;
  const auto reach = [&](std::int64_t to) { (to < 0 ? low : high) += to; };
  reach(std::int64_t{length - 1} * parts.step);
  for (const Dimension& d : parts.part) reach(std::int64_t{d.extent - 1} * d.stride);
  if (parts.part.empty() || low < 0 || high >= v.size() ||
      ring_part_elements(parts) * length > v.size())
    refuse_parts(
        fmt::format("parts do not lie in {}", v.name()),
        fmt::format("they reach from element {} to {}, and it has {}", low, high, v.size()),
        "declare as many elements as all parts have, or other steps");
  if (std::abs(parts.step) > std::numeric_limits<std::int16_t>::max())
    refuse_parts(fmt::format("parts of {} are {} elements apart", v.name(), parts.step),
                 "a descriptor has strides of 16 bits", "put them closer together");
}

/// Whole vectors as parts one after the other.
RingParts ring_parts_in_order(const PeVector& v, int length) {
  if (v.size() % length != 0)
    refuse_parts(fmt::format("{} does not divide among {} PEs", v.name(), length),
                 fmt::format("it has {} elements", v.size()),
                 "declare a multiple of the PEs of a line");
  const int n = v.size() / length;
  return {n, {{static_cast<std::uint16_t>(n), 1}}};
}

/// Registers for as long as it lives: loops and other patterns take them in turn.
class LoopRegisters {
 public:
  explicit LoopRegisters(ProgramImpl& impl) : impl_(impl) {
    for (PeScalar& scalar : scalars_) scalar = impl.loop_counter();
  }
  LoopRegisters(const LoopRegisters&) = delete;
  ~LoopRegisters() {
    auto& free = impl_.free_counters[impl_.at.section];
    free.insert(free.end(), scalars_.begin(), scalars_.end());
  }
  std::array<Reg, kRingRegisters> all() const {
    std::array<Reg, kRingRegisters> registers{};
    std::ranges::copy(scalars_, registers.begin());
    return registers;
  }

 private:
  ProgramImpl& impl_;
  std::array<PeScalar, kRingRegisters> scalars_;
};

/// Registers that other code leaves alone, of all transposes that are started.
std::array<Reg, kRingRegisters> registers_of_started(ProgramImpl& impl) {
  if (!impl.ring_registers) {
    impl.ring_registers.emplace();
    for (Reg& reg : *impl.ring_registers) reg = impl.new_register(kRingTranspose);
  }
  return *impl.ring_registers;
}

/// The queue of the three colors of a way: a PE uses one of them.
int ring_queue_of(ProgramImpl& impl, const std::array<Color, 3>& colors, bool input) {
  auto& known = input ? impl.queues.input : impl.queues.output;
  if (const auto at = known.find(colors[0]); at != known.end()) return at->second;
  impl.take_queue(colors[0], input);
  const int queue = known.at(colors[0]);
  impl.of_user.insert({input, colors[0]});  // code names it
  for (const std::size_t k : {1U, 2U}) impl.claim_queue(colors[k], input, queue);
  return queue;
}

void check_ring_queues(const std::array<int, 2>& in, const std::array<int, 2>& out) {
  std::vector<int> all{in[0], in[1], out[0], out[1]};
  std::ranges::sort(all);
  if (std::ranges::adjacent_find(all) != all.end())
    refuse_parts(
        "its queues share a microthread", "other streams of the program have the others",
        "give the other streams queues that may be used in turn (input_queue, output_queue)");
}

}  // namespace

RingTranspose::RingTranspose(Design& design, const Rect& where, Along along,
                             const std::string& name)
    : place_(patterns::place_in(design, where, name)), along_(along) {
  patterns::check_ring(where, along, name);
  std::array<Color, 6> colors;
  for (std::size_t k = 0; k < colors.size(); ++k)
    colors[k] = design.color(fmt::format("{} {}", name, k), where);
  colors_ = patterns::ring_colors(colors);
  for (const int way : {patterns::kOnwards, patterns::kBackwards})
    patterns::route_ring(design, where, along, way, colors_[static_cast<std::size_t>(way)]);
}

void RingTranspose::transpose(PeProgram& pe, const PeVector& out, const PeVector& in,
                              CallLine) const {
  const auto [from, to] = parts_in_order(pe, out, in);
  write(pe, out, in, from, to, false);
}
void RingTranspose::transpose(PeProgram& pe, const PeVector& out, const PeVector& in,
                              const RingParts& from, const RingParts& to, CallLine) const {
  write(pe, out, in, from, to, false);
}
std::vector<PeOperation> RingTranspose::start(PeProgram& pe, const PeVector& out,
                                              const PeVector& in, CallLine) const {
  const auto [from, to] = parts_in_order(pe, out, in);
  return {*write(pe, out, in, from, to, true)};
}
std::vector<PeOperation> RingTranspose::start(PeProgram& pe, const PeVector& out,
                                              const PeVector& in, const RingParts& from,
                                              const RingParts& to, CallLine) const {
  return {*write(pe, out, in, from, to, true)};
}

std::pair<RingParts, RingParts> RingTranspose::parts_in_order(PeProgram& pe, const PeVector& out,
                                                              const PeVector& in) const {
  patterns::check_place(pe, place_, kRingTranspose);
  patterns::check_transfer(pe, kRingTranspose, out, in);
  const int length = patterns::length_of(place_.where, along_);
  return {ring_parts_in_order(out, length), ring_parts_in_order(in, length)};
}

/// Of one that is started: the operation to wait for.
std::optional<PeOperation> RingTranspose::write(PeProgram& pe, const PeVector& out,
                                                const PeVector& in, const RingParts& from,
                                                const RingParts& to, bool starts) const {
  patterns::check_place(pe, place_, kRingTranspose);
  patterns::check_together(pe, kRingTranspose, out, in);
  check_ring_buffer(out);
  check_ring_buffer(in);
  const int length = patterns::length_of(place_.where, along_);
  check_ring_parts(from, out, length);
  check_ring_parts(to, in, length);
  if (!std::ranges::equal(from.part, to.part, {}, &Dimension::extent, &Dimension::extent))
    refuse_parts(fmt::format("the parts of {} are no parts of {}", out.name(), in.name()),
                 "their dimensions have other extents", "give the same extents, in the same order");

  ProgramImpl& impl = PeProgramAccess::impl(pe);
  patterns::check_under_way(pe, kOneAtATime);
  const PeScalar zero = pe.constant(0, ElementType::i32);
  const Task onwards = pe.declare_task(fmt::format("{} onwards", kRingTranspose));
  const Task backwards = pe.declare_task(fmt::format("{} backwards", kRingTranspose));
  const std::string end =
      fmt::format("the code {} a {}", starts ? "at the end of" : "below", kRingTranspose);
  const Task below = starts
                         ? pe.declare_task(end)
                         : Task{TaskKind::local,
                                static_cast<std::uint8_t>(impl.local_tasks.next(kTaskOrder, end))};
  std::optional<LoopRegisters> borrowed;
  if (!starts) borrowed.emplace(impl);
  const std::array<Reg, kRingRegisters> r = starts ? registers_of_started(impl) : borrowed->all();
  const auto numbers = [](const std::array<Color, 3>& colors) {
    return std::array<int, 3>{colors[0], colors[1], colors[2]};
  };
  patterns::RingCode ring{
      length,
      static_cast<int>(ring_part_elements(from)),
      from,
      to,
      {zero, static_cast<std::int32_t>(out.address())},
      {zero, static_cast<std::int32_t>(in.address())},
      {numbers(colors_[0]), numbers(colors_[1])},
      {ring_queue_of(impl, colors_[0], true), ring_queue_of(impl, colors_[1], true)},
      {ring_queue_of(impl, colors_[0], false), ring_queue_of(impl, colors_[1], false)},
      {onwards, backwards},
      below,
      {r[0], {r[1], r[2]}, {r[3], r[4]}, {r[5], r[6]}, {r[7], r[8], r[9]}, zero},
      {}};
  check_ring_queues(ring.input_queues, ring.output_queues);
  for (std::size_t k = 0; k < ring.descriptors.size(); ++k)
    ring.descriptors[k] = Dsr{static_cast<std::uint8_t>(kFirstDescriptor + k)};
  const patterns::CodeWriter writer{pe, [&] { return impl.builder.label(); },
                                    [&](Label label) { impl.put_label(label); },
                                    [&](const Shape& s) {
                                      return impl.builder.shape({s[0], s[1], s[2], s[3]});
                                    }};

  const bool rows = along_ == Along::rows;
  rows ? pe.xcoord(ring.registers.place) : pe.ycoord(ring.registers.place);
  if (const int first = rows ? place_.where.x : place_.where.y; first != 0)
    pe.addi(ring.registers.place, ring.registers.place, -first);
  patterns::emit_ring_start(writer, ring);
  std::optional<PeOperation> started;
  if (starts) {
    started = PeProgramAccess::last_item(pe);
    patterns::note_started(pe, kOneAtATime, *started);
    PeProgramAccess::follow(pe, *started, below, {out, in},
                            [&] { patterns::emit_ring_end(writer, ring); });
  } else {
    impl.put({.kind = Item::Kind::pause, .task = below});
    impl.note_wait();
    patterns::emit_ring_end(writer, ring);
  }
  for (const auto& [task, way] :
       {std::pair{onwards, patterns::kOnwards}, {backwards, patterns::kBackwards}})
    pe.task(task, [&, number = way] { patterns::emit_ring_way(writer, ring, number); });
  return started;
}

std::uint64_t RingTranspose::most_cycles(const Machine& machine, std::uint64_t n, int length) {
  patterns::check_elements(n);
  patterns::check_length(length, 2);
  const auto cycles = [](int count) { return static_cast<std::uint64_t>(count); };
  const std::uint64_t p = cycles(length), scalar = cycles(machine.scalar_cycles),
                      branch = cycles(machine.branch_taken_cycles),
                      vector = cycles(machine.vector_start_cycles),
                      task = cycles(machine.task_start_cycles);
  // A task of a way, and the first element of its streams on its way.
  const std::uint64_t code = task + 14 * scalar + 2 * branch;
  const std::uint64_t way = patterns::first_element(machine) + patterns::travel(machine, 2);
  const std::uint64_t turn = 2 * code + way;
  const std::uint64_t before_and_after = 180 * scalar + 20 * branch + 20 * vector + 3 * task + 16;
  return n * p * p / 4 + n * p * 5 / 2 + n + (p / 2 + 1) * turn + before_and_after;
}

}  // namespace weft::inline v0
