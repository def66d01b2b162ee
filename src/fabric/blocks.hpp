#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "weft/fabric.hpp"

/// One array of a rectangle of PEs, of which each has a block in a symbol.
namespace weft::fabric {

struct Blocks {
  Rect where;
  std::string symbol;
  ElementType type{};
  std::vector<std::size_t> array{};    ///< its extents
  std::size_t rows = 1, columns = 1;   ///< of a block, without its halo
  std::size_t row_halo = 0, halo = 0;  ///< around its rows and columns
  std::size_t point_bytes = 0;         ///< of what stays together: the dimensions past the second
  std::size_t elements = 0;            ///< of the symbol, in each PE
  std::size_t all_elements = 0;        ///< of the symbols of all PEs
  std::size_t element_bytes = 0;
};

/// Throws Error(usage) if the symbol is not the same in all PEs, or no block is in its halo.
Blocks blocks_of(const Fabric& fabric, const Rect& where, std::string_view symbol, ElementType type,
                 int halo);

/// As Fabric::scatter_elements and gather_elements.
void scatter(Fabric& fabric, const Blocks& blocks, const void* array, std::size_t count);
void gather(const Fabric& fabric, const Blocks& blocks, void* array, std::size_t count);

}  // namespace weft::fabric
