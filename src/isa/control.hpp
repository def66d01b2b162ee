#pragma once

#include <cstdint>

#include "isa/alu.hpp"

/// Fields of a control wavelet's payload. Eight command slots of two bits with a NOCE ("no core")
/// bit each: 0 at bits 22-24, 1 at 25-27, 2 at 28-29 and bit 0, 3 to 7 from bit 1 up; the entry
/// point at bits 16-21.
namespace weft::isa {

enum Command : std::uint32_t { kNop = 0, kAdvance = 1, kReset = 2, kTeardown = 3 };

inline constexpr int kSlots = 8;

struct SlotBits {
  unsigned command, no_core;  ///< lowest bit of the command; the flag's bit
};

WEFT_HD SlotBits slot_bits(int slot) {
  if (slot < 2)
    return {22U + 3U * static_cast<unsigned>(slot), 24U + 3U * static_cast<unsigned>(slot)};
  if (slot == 2) return {28U, 0U};
  return {3U * static_cast<unsigned>(slot) - 8U, 3U * static_cast<unsigned>(slot) - 6U};
}

WEFT_HD std::uint32_t command(std::uint32_t payload, int slot) {
  return payload >> slot_bits(slot).command & 3U;
}

WEFT_HD bool no_core(std::uint32_t payload, int slot) {
  return (payload >> slot_bits(slot).no_core & 1U) != 0;
}

WEFT_HD std::uint32_t entry(std::uint32_t payload) { return payload >> 16U & 63U; }

WEFT_HD std::uint32_t with_slot(std::uint32_t payload, int slot, std::uint32_t command,
                                bool no_core) {
  const SlotBits at = slot_bits(slot);
  payload &= ~(3U << at.command) & ~(1U << at.no_core);
  return payload | command << at.command | (no_core ? 1U : 0U) << at.no_core;
}

/// The list moves up one slot; the last becomes a no-op that cores do not see.
WEFT_HD std::uint32_t popped(std::uint32_t payload) {
  for (int slot = 0; slot + 1 < kSlots; ++slot)
    payload = with_slot(payload, slot, command(payload, slot + 1), no_core(payload, slot + 1));
  return with_slot(payload, kSlots - 1, kNop, true);
}

}  // namespace weft::isa
