#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weft/count.hpp"
#include "weft/layout.hpp"
#include "weft/machine.hpp"
#include "weft/packed_counts.hpp"
#include "weft/path.hpp"
#include "weft/program.hpp"
#include "weft/types.hpp"

namespace weft::inline v0 {

/// How routers of several PEs treat a color.
struct RouteKind {
  Route route{};
  bool filtered = false;  ///< there is a filter
  bool operator==(const RouteKind&) const = default;
};

/// One color's part of the counts, by PE, row by row.
struct ColorCounts {
  int color = 0;
  std::string name{};                                         ///< of the layout; empty: it has none
  std::array<std::vector<std::uint64_t>, kPorts> wavelets{};  ///< by the port that they left by
  std::vector<std::uint64_t> held{};                          ///< cycles
  std::vector<RouteKind> routes{};                            ///< each once
  std::vector<std::int32_t> route_of{};  ///< by PE: its number in `routes`; -1: none
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

/// An instruction of a program, as its listing has it.
struct CodeCounts {
  std::string text{};       ///< "fadds    r3, r1, r2"
  std::int32_t line = 0;    ///< of its program: which one it belongs to
  std::int32_t phase = -1;  ///< of Profile::phases; or PhaseMark::kNone or kShared
  /// Of all PEs; 0 where the engine has counted by line alone, and the line has other ones too.
  std::uint64_t cycles = 0;
  bool operator==(const CodeCounts&) const = default;
};

/// A task of a program. Its number is a color of data tasks, else an id.
struct ProgramTask {
  TaskKind kind = TaskKind::local;
  int number = 0;
  std::string name{};      ///< empty: it has none
  std::int32_t entry = 0;  ///< its first instruction
  bool operator==(const ProgramTask&) const = default;
};

/// A program of the layout: its lines and its instructions, in order, and names.
struct ProgramCounts {
  std::string name{};
  std::vector<LineCounts> lines{};
  std::vector<CodeCounts> code{};
  std::vector<ProgramTask> tasks{};
  std::map<std::string, MemorySpan> arrays{};  ///< where its named memory is in each PE
  bool operator==(const ProgramCounts&) const = default;
};

/// What was counted in a phase of the program (PeProgram::phase), by PE, row by row.
struct PhaseCounts {
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};

  std::string name{};
  std::vector<std::uint64_t> first{};  ///< cycle; kNever: the PE was not in it
  std::vector<std::uint64_t> last{};   ///< cycle, of its tasks and the streams that they started
  /// By Count: those that are kept by phase (is_by_phase); others are empty.
  std::array<std::vector<std::uint64_t>, kCounts> counts{};
  bool operator==(const PhaseCounts&) const = default;
};

/// Something that could not go on when a run ended in an error, and what it waited for.
struct StuckWait {
  std::string what{};  ///< "2 wavelets of color 1 (halo) in output queue 0 of PE (3, 0)"
  std::string line{};  ///< "copy(u, from(halo)) (heat.py:31)"; empty: not known
  int x = 0, y = 0;
  int color = -1;               ///< -1: none is involved
  std::int32_t cause = -1;      ///< of Stuck::causes; -1: of none
  std::int32_t waits_for = -1;  ///< of Stuck::waits; -1: for none of them
  bool first = false;           ///< a first cause: nothing else that is stuck keeps it
  bool operator==(const StuckWait&) const = default;
};

/// Why a run stood still, or did not end in time: causes and who waits for whom.
struct Stuck {
  std::string error{};                ///< in words
  std::vector<std::string> causes{};  ///< why each cannot go on; with the most waits first
  std::vector<StuckWait> waits{};
  bool operator==(const Stuck&) const = default;
};

/// A file of a profile's archive.
struct ProfileEntry {
  std::string name, bytes;
};

/// What a fabric has counted since it was made. Plain data, of one cycle: it stays as it is when
/// the fabric runs on. It is the same on every engine that counts. Vectors by PE go row by row.
struct Profile {
  Machine machine{};                                         ///< that was emulated
  int width = 0, height = 0;                                 ///< PEs
  std::uint64_t cycles = 0;                                  ///< the clock
  int windows = 0;                                           ///< of time, as many as are in use
  std::uint64_t window_cycles = 0;                           ///< of each; the last may be shorter
  std::array<std::vector<std::uint64_t>, kCounts> totals{};  ///< by Count, then by PE
  std::array<PackedCounts, kCounts> windowed{};              ///< by Count, window, PE; or empty
  std::vector<ColorCounts> colors{};                         ///< those of the layout
  std::vector<ProgramCounts> programs{};                     ///< each once
  std::vector<std::int32_t> program_of{};                    ///< by PE; -1: it has none
  std::vector<PhaseCounts> phases{};                         ///< in the order they began in
  std::optional<Stuck> stuck{};                              ///< of a run that ended so
  std::vector<PathPiece> path{};  ///< from cycle 0 to the clock, without gaps, if it was asked for

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
  /// The program of exactly this name. Throws Error(usage) that names the nearest.
  const ProgramCounts& program(std::string_view name) const;

  /// Writes run.weft: an archive that numpy.load reads, of arrays and of run.json. The file appears
  /// whole or not at all. Throws Error(environment). In the library weft-io.
  void save(const std::string& file) const;
  /// Reads it again. Throws Error(input) for a file that is none, is cut, or has another format. In
  /// the library weft-io.
  static Profile load(const std::string& path);

  /// The files of that archive, for other ways to write one, and the profile of such files;
  /// `source` is how messages name them. Throws Error(input) as load.
  std::vector<ProfileEntry> entries() const;
  /// Their names, and one of them: all at once may be large. Throws Error(usage) for another name.
  std::vector<std::string> entry_names() const;
  ProfileEntry entry(std::string_view name) const;
  /// The same, in pieces: `take` gets one after the other, and each is gone when it returns.
  void write_entry(std::string_view name, const std::function<void(std::string_view)>& take) const;
  static Profile of_entries(const std::vector<ProfileEntry>& entries, const std::string& source);

  bool operator==(const Profile&) const = default;
};

}  // namespace weft::inline v0
