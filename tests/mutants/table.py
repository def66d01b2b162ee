"""Faults that were made once, or are easily made, in the PE step and its kernel, and the test that must find each."""

from typing import NamedTuple


class Mutant(NamedTuple):
    name: str
    file: str
    old: str  # is in the file exactly once
    new: str
    program: str  # the test's
    tests: str  # --gtest_filter of it; one of them fails


STEP, KERNEL = "weft-test-pe_step", "weft-test-pe_kernel"
# Random fabrics, traffic and valid programs.
ON_FABRICS = "*PeStep.*"
IN_TILES = "PeKernel.*:PeKernelEdges.*"
PROCESSES, AT_CUTS = "weft-test-device_processes", "*AtACutOfDevices*"

MUTANTS = [
    Mutant("a PE reads the inbox that its neighbours write",
           "src/pe/inbox.hpp",
           "Inbox<S>& box = pe.inbox(now.parity ^ 1U);",
           "Inbox<S>& box = pe.inbox(now.parity);",
           STEP, ON_FABRICS),
    Mutant("wavelets at open inputs leave out those in the inbox",
           "src/pe/due.hpp",
           "r.held.nonzero() | Ports::of_links(pe.inbox(parity).came);",
           "r.held.nonzero();",
           KERNEL, IN_TILES),
    Mutant("the core's room is that after the router's wavelets have left",
           "src/pe/step.hpp",
           "  const Colors room = ready != 0 ? room_for_core(pe, r) : 0;\n"
           "  const Colors torn_down = route(pe, r, came, now, counted);\n",
           "  const Colors torn_down = route(pe, r, came, now, counted);\n"
           "  const Colors room = ready != 0 ? room_for_core(pe, r) : 0;\n",
           STEP, ON_FABRICS),
    Mutant("the port is left out of a ring's number",
           "src/pe/state.hpp",
           "far.ringed.before(one) * S::kSlots",
           "far.ringed.before(S::Ports::one(0, one.fold())) * S::kSlots",
           STEP, ON_FABRICS),
    Mutant("colors take turns by their dense numbers",
           "src/pe/build/rules.hpp",
           "if ((color >> bit & 1U) != 0) rules.has_bit",
           "if ((n >> bit & 1U) != 0) rules.has_bit",
           STEP, ON_FABRICS),
    Mutant("a changed route is told of one cycle late",
           "src/pe/switches.hpp",
           "std::uint8_t& note = pe.beyond(side).inbox(parity).note",
           "std::uint8_t& note = pe.beyond(side).inbox(parity ^ 1U).note",
           STEP, "PeCorners.*:" + ON_FABRICS),
    Mutant("a route that is written beside another is not told of",
           "src/pe/inbox.hpp",
           "  box = {};\n",
           "  const auto notes = word_of(box.note);\n"
           "  box = {};\n"
           "  if (notes != 0 && now.cycle % 2 != 0) box.note[0] = static_cast<std::uint8_t>(notes);\n",
           STEP, "PeCorners.*:" + ON_FABRICS),
    Mutant("a filter changes one wavelet late",
           "src/pe/filters.hpp",
           "counts(now, control) && --now.left == 0;",
           "counts(now, control) && now.left-- == 0;",
           STEP, "PeFilters.*:" + ON_FABRICS),
    Mutant("a core's cycles are compared in 16 bits",
           "src/pe/core_state.hpp",
           "return static_cast<std::int32_t>(static_cast<std::uint32_t>(now) - cycle) >= 0;",
           "return static_cast<std::int16_t>(static_cast<std::uint32_t>(now) - cycle) >= 0;",
           STEP, "PeCorners.*:" + ON_FABRICS),
    Mutant("a wavelet fills a ramp queue one too early",
           "src/pe/ramp.hpp",
           "queues.ramp.held(queue) == queues.sizes.depth[queue]",
           "queues.ramp.held(queue) + 1U == queues.sizes.depth[queue]",
           STEP, ON_FABRICS),
    Mutant("a PE that holds wavelets sleeps",
           "src/pe/step.hpp",
           "if (r.held.nonzero().any()) counted.note(Did::holds);",
           "if (r.held.equal(1).any()) counted.note(Did::holds);",
           STEP, ON_FABRICS),
    Mutant("records go by the clock's cycle, which jumps",
           "cuda/pe/block.cuh",
           "return {stepped + static_cast<std::uint64_t>(k)};",
           "return {clock.from + static_cast<std::uint64_t>(k)};",
           KERNEL, IN_TILES),
    Mutant("a record is sent before its PE is stepped",
           "cuda/pe/cycle.cuh",
           "if (edge) before_step(rules, b, n, k, facts);",
           "if (edge) before_step(rules, b, n, k, facts), after_step(rules, b, n, k, facts);",
           KERNEL, IN_TILES),
    Mutant("a note is lost at a tile's edge",
           "cuda/pe/exchange.cuh",
           "if (note != 0) record.add_note();",
           "if (note > 255U) record.add_note();",
           KERNEL, IN_TILES),
    Mutant("a note comes one cycle late to the next tile",
           "cuda/pe/exchange.cuh",
           "take_note(f.edges, at)",
           "take_note(f.edges, Edges::at(f.tiles, tile, before.parity() ^ 1U, place))",
           KERNEL, IN_TILES),
    Mutant("a warp votes inside a branch",
           "cuda/pe/cycle.cuh",
           "const std::uint32_t call = cuda::ballot(goes && waits);",
           "const std::uint32_t call = mine ? cuda::ballot(goes && waits) : 0U;",
           KERNEL, IN_TILES),
    Mutant("a device goes by the facts of its own process",
           "cuda/pe/post.cpp",
           "tell(all.facts, last, stepped);",
           "tell(mine.facts, last, stepped);",
           PROCESSES, AT_CUTS),
]
