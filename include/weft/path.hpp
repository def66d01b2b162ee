#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace weft::inline v0 {

/// What a piece of the critical path is: a row of path.def each.
enum class PathKind : std::uint8_t {
#define WEFT_PATH(name, word, meaning) name,
#include "weft/path.def"
#undef WEFT_PATH
};

/// One row of path.def.
struct PathKindInfo {
  PathKind kind;
  std::string_view name, word, meaning;
};

/// All kinds, in the order of path.def.
std::span<const PathKindInfo> path_kind_infos() noexcept;

/// Their number: the rows of path.def.
inline constexpr std::size_t kPathKinds = static_cast<std::size_t>(PathKind::ending) + 1;

/// "waits for room", and so on.
std::string_view to_string(PathKind kind) noexcept;

/// A piece of the critical path: what the end of a run waited for from one cycle to another.
struct PathPiece {
  std::uint64_t from = 0, to = 0;  ///< cycles: the first one, and the one after the last
  PathKind kind = PathKind::computing;
  int x = 0, y = 0;               ///< the PE
  int to_x = 0, to_y = 0;         ///< on the way: the PE that it leads to; else the same
  int color = -1;                 ///< of the wavelet that waits or goes; -1: none
  std::int32_t instruction = -1;  ///< of the PE's program, where its core does something; -1: none
  std::int32_t phase = -1;        ///< of Profile::phases; -1: none
  bool operator==(const PathPiece&) const = default;
};

}  // namespace weft::inline v0
