#include <fmt/format.h>

#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "patterns/checks.hpp"
#include "patterns/place.hpp"
#include "program/pe_impl.hpp"
#include "program/vector_forms.hpp"
#include "weft/error.hpp"
#include "weft/patterns.hpp"

namespace weft::inline v0 {
namespace {

constexpr const char* kPattern = "moving broadcast";

/// A register for as long as it lives: one that loops, too, take in turn.
class Borrowed {
 public:
  explicit Borrowed(PeProgram& pe)
      : impl_(PeProgramAccess::impl(pe)), scalar_(impl_.loop_counter()) {}
  Borrowed(const Borrowed&) = delete;
  ~Borrowed() { impl_.free_counters[impl_.at.section].push_back(scalar_); }
  PeScalar operator*() const { return scalar_; }

 private:
  using Impl = decltype(PeProgramAccess::impl(std::declval<PeProgram&>()));  // a reference

  Impl impl_;
  PeScalar scalar_;
};

/// The ways of a stream through a router: from the core, from earlier PEs, from later ones.
struct Ways {
  PortSet from_core, from_first, from_last;
};

Ways ways_of(PeProgram& pe, const Rect& where, Along along) {
  const Port down = patterns::to_first(along), up = patterns::to_last(along);
  const PortSet to_first = patterns::is_last(pe, where, down) ? PortSet() : PortSet(down);
  const PortSet to_last = patterns::is_last(pe, where, up) ? PortSet() : PortSet(up);
  Ways ways{Port::ramp, Port::ramp, Port::ramp};
  for (const Port side : {Port::west, Port::east, Port::south, Port::north}) {
    if (to_last.has(side)) {
      ways.from_core = ways.from_core | side;
      ways.from_first = ways.from_first | side;
    }
    if (to_first.has(side)) {
      ways.from_core = ways.from_core | side;
      ways.from_last = ways.from_last | side;
    }
  }
  return ways;
}

}  // namespace

MovingBroadcast::MovingBroadcast(Design& design, const Rect& where, Along along,
                                 const std::string& name)
    : place_(patterns::place_in(design, where, name)),
      along_(along),
      color_(design.color(name, where)) {
  const int length = patterns::length_of(where, along);
  if (length == 1) return;
  const Port down = patterns::to_first(along), up = patterns::to_last(along);
  const auto route = [&](int first, int end, Port from, PortSet to) {
    if (first < end)
      design.route(patterns::places(where, along, first, end), color_, {.rx = from, .tx = to});
  };
  // Until a use turns them. All lead to the core: so they have the color's queue.
  route(0, 1, Port::ramp, {up, Port::ramp});
  route(1, length - 1, down, {up, Port::ramp});
  route(length - 1, length, down, {Port::ramp});
}

void MovingBroadcast::turn(PeProgram& pe, PortSet rx, PortSet tx) const {
  const Borrowed route(pe);
  pe.set(*route, static_cast<int>(tx.bits()) | static_cast<int>(rx.bits()) << 5);
  pe.setroute(color_, *route);
}

/// The operation to wait for; none: the line has one PE.
template <class Root>
std::optional<PeOperation> MovingBroadcast::receive(PeProgram& pe, const PeVector& out,
                                                    const PeVector& in, Root root) const {
  patterns::check_place(pe, place_, kPattern);
  patterns::check_copy(pe, kPattern, out, in);
  patterns::check_written(kPattern, in);
  patterns::check_types(kPattern, out, in);
  if (out.size() != in.size()) patterns::check_transfer(pe, kPattern, out, in);
  const Rect& where = place_.where;
  if (patterns::length_of(where, along_) == 1) {
    pe.copy(in, out);
    return {};
  }
  const Port down = patterns::to_first(along_), up = patterns::to_last(along_);
  const Ways ways = ways_of(pe, where, along_);
  auto& impl = PeProgramAccess::impl(pe);
  const auto number = static_cast<int>(impl.moving_roots.size());
  const ProgramNotes::RootedLines lines{
      .color = color_, .where = where, .rows = along_ == Along::rows};
  const auto from_core = [&] {
    turn(pe, Port::ramp, ways.from_core);
    pe.send(color_, out).async();
    impl.section().back().returns = true;
  };
  const auto from_first = [&] { turn(pe, down, ways.from_first); };
  const auto from_last = [&] { turn(pe, up, ways.from_last); };
  if constexpr (std::is_same_v<Root, int>) {
    if (root < 0 || root >= patterns::length_of(where, along_))
      throw Error(ErrorCategory::program, fmt::format("{}: invalid root {}", kPattern, root),
                  fmt::format("its lines have {} PEs", patterns::length_of(where, along_)),
                  "count the PEs of a line from 0");
    impl.moving_roots.push_back({{}, root, lines});
    const int side = pe.pick(patterns::by_place(where, along_, [root](int place) {
      return place == root ? 0 : place > root ? 1 : 2;
    }));
    side == 0 ? from_core() : side == 1 ? from_first() : from_last();
  } else {
    if (is_float(root.type))
      throw Error(
          ErrorCategory::program,
          fmt::format("{}: invalid root: a register of type {}", kPattern, to_string(root.type)),
          "it counts the PEs of a line", "declare the register as int32");
    impl.moving_roots.push_back({root, 0, lines});
    const int first = along_ == Along::rows ? where.x : where.y;
    const PeScalar here = along_ == Along::rows ? pe.x() : pe.y();
    std::optional<Borrowed> moved;
    PeScalar there = root;
    if (first != 0) {
      moved.emplace(pe);
      there = **moved;
      pe.add(there, root, first);
    }
    pe.when(there == here, from_core, [&] { pe.when(there < here, from_first, from_last); });
  }
  const PeOperation received = pe.receive(in, color_);
  impl.section().back().moving_root = number;
  return received;
}

std::vector<PeOperation> MovingBroadcast::start(PeProgram& pe, const PeVector& out,
                                                const PeVector& in, PeScalar root, CallLine) const {
  return patterns::started(receive(pe, out, in, root));
}
std::vector<PeOperation> MovingBroadcast::start(PeProgram& pe, const PeVector& out,
                                                const PeVector& in, int root, CallLine) const {
  return patterns::started(receive(pe, out, in, root));
}

void MovingBroadcast::broadcast(PeProgram& pe, const PeVector& out, const PeVector& in,
                                PeScalar root, CallLine) const {
  receive(pe, out, in, root);
}
void MovingBroadcast::broadcast(PeProgram& pe, const PeVector& out, const PeVector& in, int root,
                                CallLine) const {
  receive(pe, out, in, root);
}

std::uint64_t MovingBroadcast::cycles(const Machine& machine, std::uint64_t n, int links) {
  patterns::check_elements(n);
  patterns::check_links(links);
  return patterns::go_on(machine) + static_cast<std::uint64_t>(machine.router_write_cycles) +
         patterns::first_element(machine) + patterns::travel(machine, links) + (n - 1) +
         patterns::go_on(machine);
}

}  // namespace weft::inline v0
