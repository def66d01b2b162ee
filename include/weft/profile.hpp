#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weft/types.hpp"

namespace weft::inline v0 {

/// A count of a PE: a row of counts.def each.
enum class Count : std::uint8_t {
#define WEFT_COUNT(name, windowed, unit, meaning) name,
#include "weft/counts.def"
#undef WEFT_COUNT
};

/// One row of counts.def.
struct CountInfo {
  Count count;
  std::string_view name;
  bool windowed;
  std::string_view unit, meaning;
};

/// All counts, in the order of counts.def.
std::span<const CountInfo> count_infos() noexcept;

/// Their number: the rows of counts.def.
inline constexpr std::size_t kCounts = 26;
static_assert(kCounts == static_cast<std::size_t>(Count::link_north) + 1, "a row more or fewer");

/// The count of the wavelets that left by a link.
constexpr Count count_of(Port link) noexcept {
  return static_cast<Count>(static_cast<int>(Count::link_west) + static_cast<int>(link));
}

/// One color's part of the counts, by PE, row by row.
struct ColorCounts {
  int color = 0;
  std::string name{};                                         ///< of the layout; empty: it has none
  std::array<std::vector<std::uint64_t>, kPorts> wavelets{};  ///< by the port that they left by
  std::vector<std::uint64_t> held{};                          ///< cycles
  bool operator==(const ColorCounts&) const = default;
};

/// The cycles of a line of a program: of the operations of the same words (ProgramNotes), one line
/// for all instructions without words; of a program without any words, of an instruction.
struct LineCounts {
  std::int32_t first = 0;       ///< its first instruction
  std::string what{}, where{};  ///< "copy(to(halo), u)", "heat.py:31"; empty: not known
  std::uint64_t cycles = 0;     ///< of all PEs
  std::uint64_t most = 0;       ///< of one PE: the first one of those that have as many
  int x = 0, y = 0;             ///< that PE
  bool operator==(const LineCounts&) const = default;
};

/// The lines of a program of the layout, in order.
struct ProgramCounts {
  std::string name{};
  std::vector<LineCounts> lines{};
  bool operator==(const ProgramCounts&) const = default;
};

/// A file of a profile's archive.
struct ProfileEntry {
  std::string name, bytes;
};

/// What a fabric has counted since it was made. Plain data, of one cycle: it stays as it is when
/// the fabric runs on. It is the same on every engine that counts. Vectors by PE go row by row.
struct Profile {
  int width = 0, height = 0;                                   ///< PEs
  std::uint64_t cycles = 0;                                    ///< the clock
  int windows = 0;                                             ///< of time, as many as are in use
  std::uint64_t window_cycles = 0;                             ///< of each; the last may be shorter
  std::array<std::vector<std::uint64_t>, kCounts> totals{};    ///< by Count, then by PE
  std::array<std::vector<std::uint32_t>, kCounts> windowed{};  ///< by Count, window, PE; or empty
  std::vector<ColorCounts> colors{};                           ///< those of the layout
  std::vector<ProgramCounts> programs{};                       ///< each once

  /// A count by PE; in a window of time, from 0 on, if one is given. Throws Error(usage) for a
  /// window that there is not, or a count that is kept without windows.
  std::vector<std::uint64_t> counts(Count count, std::optional<int> window = {}) const;
  /// The wavelets that left by a port, by PE: of one color or of all, and of all in a window of
  /// time, from 0 on. A link carries one wavelet a cycle, so they are also the cycles in which it
  /// was busy. Throws Error(usage) for a color that the layout has not, a window that there is not,
  /// and for a window together with a color or the ramp: only links of all colors have windows.
  std::vector<std::uint64_t> links(Port port, std::optional<int> color = {},
                                   std::optional<int> window = {}) const;
  /// The lines of the program of this name. Of those that a design has written under it, one for
  /// each kind of PE ("halo", "halo (2)"), lines of the same words are one. Throws Error(usage)
  /// that names the nearest.
  std::vector<LineCounts> lines(std::string_view program) const;

  /// Writes run.weft: an archive that numpy.load reads, of arrays and of run.json. The file appears
  /// whole or not at all. Throws Error(environment). In the library weft-io.
  void save(const std::string& path) const;
  /// Reads it again. Throws Error(input) for a file that is none, is cut, or has a later format. In
  /// the library weft-io.
  static Profile load(const std::string& path);

  /// The files of that archive, for other ways to write one, and the profile of such files;
  /// `source` is how messages name them. Throws Error(input) as load.
  std::vector<ProfileEntry> entries() const;
  static Profile of_entries(const std::vector<ProfileEntry>& entries, const std::string& source);

  bool operator==(const Profile&) const = default;
};

}  // namespace weft::inline v0
