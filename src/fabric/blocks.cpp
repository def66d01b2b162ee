#include "fabric/blocks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>

#include "weft/error.hpp"

namespace weft::fabric {
namespace {

std::size_t in_all(const std::vector<std::size_t>& extents) {
  std::size_t all = 1;
  for (const std::size_t extent : extents) all *= extent;
  return all;
}

void check_count(const Blocks& b, std::size_t count) {
  if (count != in_all(b.array))
    throw Error(ErrorCategory::usage, fmt::format("{} values do not fill {}", count, b.symbol),
                fmt::format("the array of {} x {} PEs has {} values", b.where.width, b.where.height,
                            fmt::join(b.array, " x ")),
                "give as many, row by row");
}

/// f(first byte in the array, first byte in the symbols of all PEs, bytes) for each row of a block.
template <class F>
void for_rows(const Blocks& b, F f) {
  const auto width = static_cast<std::size_t>(b.where.width);
  const auto height = static_cast<std::size_t>(b.where.height);
  const std::size_t each = b.elements * b.element_bytes;
  const std::size_t bytes = b.columns * b.point_bytes;
  const std::size_t symbol_row = (b.columns + 2 * b.halo) * b.point_bytes;
  for (std::size_t y = 0; y < height; ++y)
    for (std::size_t x = 0; x < width; ++x)
      for (std::size_t row = 0; row < b.rows; ++row)
        f(((y * b.rows + row) * width + x) * bytes,
          (y * width + x) * each + (row + b.row_halo) * symbol_row + b.halo * b.point_bytes, bytes);
}

std::vector<char> read_all(const Fabric& fabric, const Blocks& b) {
  std::vector<char> all(b.all_elements * b.element_bytes);
  fabric.read_elements(b.where, b.symbol, b.type, all.data(), b.all_elements);
  return all;
}

}  // namespace

Blocks blocks_of(const Fabric& fabric, const Rect& where, std::string_view symbol, ElementType type,
                 int halo) {
  Blocks b{.where = where, .symbol = std::string(symbol), .type = type};
  const MemorySpan span = fabric.symbol(where, symbol);
  b.elements = fabric.elements(where, symbol, type);
  b.all_elements =
      b.elements * static_cast<std::size_t>(where.width) * static_cast<std::size_t>(where.height);
  b.element_bytes = static_cast<std::size_t>(weft::element_bytes(type));
  std::vector<std::size_t> extents(span.extents.begin(), span.extents.end());
  if (extents.empty()) extents = {b.elements};
  if (extents.size() == 1) extents.insert(extents.begin(), 1);
  const bool is_row = span.extents.size() < 2;
  const auto around = static_cast<std::size_t>(std::max(halo, 0));
  b.halo = around;
  b.row_halo = is_row ? 0 : around;
  if (halo < 0 || extents[0] <= 2 * b.row_halo || extents[1] <= 2 * b.halo)
    throw Error(ErrorCategory::usage, fmt::format("{} has no halo of {}", symbol, halo),
                fmt::format("it has {} elements in each PE", fmt::join(extents, " x ")),
                "give the halo that the program declares around the block");
  b.rows = extents[0] - 2 * b.row_halo;
  b.columns = extents[1] - 2 * b.halo;
  b.array = {static_cast<std::size_t>(where.height) * b.rows,
             static_cast<std::size_t>(where.width) * b.columns};
  b.array.insert(b.array.end(), extents.begin() + 2, extents.end());
  b.point_bytes = b.element_bytes;
  for (std::size_t k = 2; k < extents.size(); ++k) b.point_bytes *= extents[k];
  return b;
}

void scatter(Fabric& fabric, const Blocks& b, const void* array, std::size_t count) {
  check_count(b, count);
  // The elements around the blocks are written back.
  std::vector<char> all = b.halo > 0 ? read_all(fabric, b) : std::vector<char>();
  all.resize(b.all_elements * b.element_bytes);
  for_rows(b, [&](std::size_t in_array, std::size_t in_symbols, std::size_t bytes) {
    std::memcpy(all.data() + in_symbols, static_cast<const char*>(array) + in_array, bytes);
  });
  fabric.write_elements(b.where, b.symbol, b.type, all.data(), b.all_elements);
}

void gather(const Fabric& fabric, const Blocks& b, void* array, std::size_t count) {
  check_count(b, count);
  const std::vector<char> all = read_all(fabric, b);
  for_rows(b, [&](std::size_t in_array, std::size_t in_symbols, std::size_t bytes) {
    std::memcpy(static_cast<char*>(array) + in_array, all.data() + in_symbols, bytes);
  });
}

}  // namespace weft::fabric
