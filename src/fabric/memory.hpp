#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "fabric/stepper/stepper.hpp"
#include "fabric/symbols.hpp"
#include "weft/fabric.hpp"

namespace weft::fabric {

/// The host reads, writes and starts things in a fabric's PEs, by address, symbol and task: as
/// Fabric's methods of the same names.
class Memory {
 public:
  /// `data`: as FabricOptions::data.
  Memory(const Layout& layout, const Machine& machine, bool data);

  int width() const { return width_; }
  int height() const { return height_; }
  const Symbols& symbols() const { return symbols_; }
  bool data() const { return data_; }

  void write(Stepper& stepper, const Rect& where, std::uint32_t address,
             std::span<const std::uint32_t> words) const;
  void read(const Stepper& stepper, const Rect& where, std::uint32_t address,
            std::span<std::uint32_t> words) const;
  /// As FabricAccess::read_own.
  void read_own(const Stepper& stepper, const Rect& where, std::uint32_t address,
                std::span<std::uint32_t> words) const;

  /// Activates a local task in the PEs of a rectangle: as Fabric::activate.
  void activate(Stepper& stepper, const Rect& where, std::string_view task) const;
  void activate(Stepper& stepper, const Rect& where, Task task) const;

  MemorySpan symbol(const Rect& where, std::string_view symbol) const;
  std::size_t elements(const Rect& where, std::string_view symbol, ElementType type) const;
  void write_elements(Stepper& stepper, const Rect& where, std::string_view symbol,
                      ElementType type, const void* values, std::size_t count) const;
  void read_elements(const Stepper& stepper, const Rect& where, std::string_view symbol,
                     ElementType type, void* values, std::size_t count) const;

 private:
  std::size_t first_word(const Rect& where, std::uint32_t address, std::size_t words) const;

  int width_, height_;  ///< PEs
  std::size_t words_;   ///< of a PE
  bool data_;
  Symbols symbols_;
};

}  // namespace weft::fabric
