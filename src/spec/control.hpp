#pragma once

#include <cstdint>

/// Control wavelets' payloads: eight command slots, each with a NOCE flag, and an entry point.
namespace weft::spec {

enum class Command : std::uint32_t { nop = 0, advance = 1, reset = 2, teardown = 3 };

struct Slot {
  Command command = Command::nop;
  bool no_core = true;
};

/// Slot 0 is at bits 22-23 (flag 24), slot 1 at 25-26 (27), slot 2 at 28-29 (flag at bit 0), slots
/// 3 to 7 at bits 1-2 (3), 4-5 (6), 7-8 (9), 10-11 (12), 13-14 (15).
Slot slot(std::uint32_t payload, int number);

/// The payload without its first command: the others move up, the last becomes a NOP with NOCE. The
/// other bits (entry point, 30, 31) stay.
std::uint32_t without_first(std::uint32_t payload);

/// Control task that it starts: bits 16-21.
int entry_point(std::uint32_t payload);

}  // namespace weft::spec
