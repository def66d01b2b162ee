#include "fabric/memory.hpp"

#include <fmt/format.h>

#include <cstring>
#include <vector>

#include "weft/error.hpp"

namespace weft::fabric {

Memory::Memory(const Layout& layout, const Machine& machine, bool data)
    : width_(layout.width()),
      height_(layout.height()),
      words_(static_cast<std::size_t>(machine.pe_memory_bytes) / 4),
      data_(data),
      symbols_(layout) {}

/// The word at which `words` words for a rectangle begin in each PE, after checking that all are
/// there.
std::size_t Memory::first_word(const Rect& r, std::uint32_t address, std::size_t words) const {
  if (r.width < 1 || r.height < 1 || r.x < 0 || r.y < 0 || r.width > width_ - r.x ||
      r.height > height_ - r.y)
    throw Error(
        ErrorCategory::usage,
        fmt::format("no PEs {}..{} x {}..{}", r.x, r.x + r.width - 1, r.y, r.y + r.height - 1),
        fmt::format("the fabric is {} x {}", width_, height_), "give a rectangle inside it");
  const auto pes = static_cast<std::size_t>(r.width) * static_cast<std::size_t>(r.height);
  if (words % pes != 0)
    throw Error(ErrorCategory::usage,
                fmt::format("{} words do not divide among {} PEs", words, pes),
                "each PE of the rectangle takes as many", "give a multiple of the number of PEs");
  const std::size_t each = words / pes;
  if (address % 4 != 0 || address / 4 + each > words_)
    throw Error(ErrorCategory::usage,
                fmt::format("bytes {} to {} are not in a PE's memory", address, address + each * 4),
                fmt::format("it has {} bytes, and words start at multiples of four", words_ * 4),
                "use an address of the program's symbols");
  return address / 4;
}

void Memory::write(Stepper& stepper, const Rect& where, std::uint32_t address,
                   std::span<const std::uint32_t> words) const {
  stepper.write(where, first_word(where, address, words.size()), words);
}

void Memory::read(const Stepper& stepper, const Rect& where, std::uint32_t address,
                  std::span<std::uint32_t> words) const {
  stepper.read(where, first_word(where, address, words.size()), words);
}

void Memory::read_own(const Stepper& stepper, const Rect& where, std::uint32_t address,
                      std::span<std::uint32_t> words) const {
  stepper.read_own(where, first_word(where, address, words.size()), words);
}

void Memory::activate(Stepper& stepper, const Rect& where, std::string_view task) const {
  (void)first_word(where, 0, 0);  // only checks the rectangle
  for (const auto& [part, id] : symbols_.find_task(where, std::string(task)))
    stepper.activate(part, id);
}

void Memory::activate(Stepper& stepper, const Rect& where, Task task) const {
  (void)first_word(where, 0, 0);  // only checks the rectangle
  symbols_.check_task(where, task);
  stepper.activate(where, task.id);
}

MemorySpan Memory::symbol(const Rect& where, std::string_view symbol) const {
  (void)first_word(where, 0, 0);  // only checks the rectangle
  return symbols_.find(where, symbol).front().second;
}

std::size_t Memory::elements(const Rect& where, std::string_view symbol, ElementType type) const {
  return elements_of(this->symbol(where, symbol), symbol, type);
}

void Memory::write_elements(Stepper& stepper, const Rect& where, std::string_view symbol,
                            ElementType type, const void* values, std::size_t count) const {
  const std::size_t each = elements(where, symbol, type);
  check_count(where, symbol, each, count);
  const std::size_t bytes = each * static_cast<std::size_t>(element_bytes(type));
  for (const auto& [part, span] : symbols_.find(where, symbol)) {
    std::vector<std::uint32_t> words(words_of(part, bytes));
    if (bytes % 4 != 0) read(stepper, part, span.address, words);  // what follows the last element
    each_pe(where, part, [&](std::size_t in_where, std::size_t in_part) {
      std::memcpy(words.data() + in_part * ((bytes + 3) / 4),
                  static_cast<const char*>(values) + in_where * bytes, bytes);
    });
    write(stepper, part, span.address, words);
  }
}

void Memory::read_elements(const Stepper& stepper, const Rect& where, std::string_view symbol,
                           ElementType type, void* values, std::size_t count) const {
  const std::size_t each = elements(where, symbol, type);
  check_count(where, symbol, each, count);
  if (!data_ && stepper.history().begun) symbols_.check_computed(where, symbol);
  const std::size_t bytes = each * static_cast<std::size_t>(element_bytes(type));
  for (const auto& [part, span] : symbols_.find(where, symbol)) {
    std::vector<std::uint32_t> words(words_of(part, bytes));
    read(stepper, part, span.address, words);
    each_pe(where, part, [&](std::size_t in_where, std::size_t in_part) {
      std::memcpy(static_cast<char*>(values) + in_where * bytes,
                  words.data() + in_part * ((bytes + 3) / 4), bytes);
    });
  }
}

}  // namespace weft::fabric
