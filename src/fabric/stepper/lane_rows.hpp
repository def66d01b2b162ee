#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <type_traits>

#include "base/bytes.hpp"
#include "model/lanes/lanes.hpp"
#include "model/lanes/loops.hpp"

/// Numbers of a strip in rows, one of each lane, as bytes: but for rows of zeros.
namespace weft::fabric {

template <class Number>
bool is_zero(std::span<Number, model::kLanes> row) {
  std::remove_const_t<Number> any = 0;
  for (const Number number : row) any = static_cast<decltype(any)>(any | number);
  return any == 0;
}

/// f(numbers) for groups of rows that one mask tells of.
template <class Number, class F>
void for_row_groups(std::span<Number> numbers, F f) {
  constexpr std::size_t kGroup = 64 * std::size_t{model::kLanes};
  for (std::size_t first = 0; first < numbers.size(); first += kGroup)
    f(numbers.subspan(first, std::min(kGroup, numbers.size() - first)));
}

template <class Number>
std::span<Number, model::kLanes> row_of(std::span<Number> numbers, int row) {
  const std::size_t first = static_cast<std::size_t>(row) * model::kLanes;
  return numbers.subspan(first).template first<model::kLanes>();
}

/// Appends whole rows.
template <class Number>
void add_rows(std::span<Number> numbers, base::Packer& pack) {
  for_row_groups(numbers, [&](std::span<Number> group) {
    const auto rows = static_cast<int>(group.size() / model::kLanes);
    model::Mask sent = 0;  // a bit each
    for (int row = 0; row < rows; ++row)
      if (!is_zero(row_of(group, row))) sent |= model::Mask{1} << row;
    pack(sent);
    model::for_each(sent, [&](int row) { pack.all(std::span<Number>(row_of(group, row))); });
  });
}

/// Sets all of them.
template <class Number>
void set_rows(std::span<Number> numbers, base::Unpacker& unpack) {
  for_row_groups(numbers, [&](std::span<Number> group) {
    const auto rows = static_cast<int>(group.size() / model::kLanes);
    const auto sent = unpack.next<model::Mask>();
    for (int row = 0; row < rows; ++row) {
      const auto to = row_of(group, row);
      if (model::has(sent, row))
        unpack.all(std::span<Number>(to));
      else if (!is_zero(to))  // a page that is only read takes no memory
        std::ranges::fill(to, Number{0});
    }
  });
}

}  // namespace weft::fabric
