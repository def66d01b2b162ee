#include "spec/control.hpp"

namespace weft::spec {
namespace {

constexpr int kSlots = 8;
constexpr int kCommandBit[kSlots] = {22, 25, 28, 1, 4, 7, 10, 13};
constexpr int kNoCoreBit[kSlots] = {24, 27, 0, 3, 6, 9, 12, 15};

std::uint32_t with(std::uint32_t payload, int number, Slot slot) {
  payload &= ~(std::uint32_t{3} << kCommandBit[number]);
  payload &= ~(std::uint32_t{1} << kNoCoreBit[number]);
  payload |= static_cast<std::uint32_t>(slot.command) << kCommandBit[number];
  if (slot.no_core) payload |= std::uint32_t{1} << kNoCoreBit[number];
  return payload;
}

}  // namespace

Slot slot(std::uint32_t payload, int number) {
  return {static_cast<Command>(payload >> kCommandBit[number] & 3U),
          (payload >> kNoCoreBit[number] & 1U) != 0};
}

std::uint32_t without_first(std::uint32_t payload) {
  std::uint32_t result = payload;
  for (int n = 0; n + 1 < kSlots; ++n) result = with(result, n, slot(payload, n + 1));
  return with(result, kSlots - 1, Slot{});
}

int entry_point(std::uint32_t payload) { return static_cast<int>(payload >> 16U & 63U); }

}  // namespace weft::spec
