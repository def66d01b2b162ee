#include <fmt/format.h>

#include <algorithm>

#include "fabric/profile/fields.hpp"
#include "fabric/profile/json.hpp"
#include "fabric/profile/npy.hpp"
#include "weft/error.hpp"
#include "weft/machine.hpp"
#include "weft/observation.hpp"
#include "weft/profile.hpp"

/// A profile from the files of its archive.
namespace weft::inline v0 {
namespace {

using fabric::NpyField;
using fabric::Sides;
using Json = nlohmann::json;

constexpr int kMostSide = 1 << 20;  ///< PEs: so that sizes fit 64 bits

class Reader {
 public:
  Reader(const std::vector<ProfileEntry>& entries, const std::string& source)
      : entries_(entries), source_(source) {}

  Profile read() {
    read_json();
    read_pes();
    read_colors();
    read_lines();
    read_code();
    read_programs();
    read_routes();
    read_phases();
    read_path();
    if (p_.windows > 0) read_windows();
    return std::move(p_);
  }

 private:
  [[noreturn]] void fail(const std::string& why) const {
    throw Error(ErrorCategory::input, fmt::format("cannot use '{}' as a run", source_), why,
                "give a file that a profile was saved to, unchanged");
  }

  const std::string& entry(const std::string& name) const {
    const auto found = std::ranges::find(entries_, name, &ProfileEntry::name);
    if (found == entries_.end()) fail(fmt::format("it has no {}", name));
    return found->bytes;
  }

  void check_format(int format) const {
    if (format == fabric::kFormat) return;
    throw Error(
        ErrorCategory::input, fmt::format("cannot read '{}'", source_),
        fmt::format("it has format {}, and this Weft reads format {}", format, fabric::kFormat),
        format > fabric::kFormat ? "read it with a later version of Weft"
                                 : "run the program once more, and save its profile");
  }

  void read_json() {
    try {
      const Json all = Json::parse(entry("run.json"));
      if (!all.is_object() || all.value("kind", "") != fabric::kKind)
        fail("its run.json is of another kind");
      check_format(all.at("format").get<int>());
      fabric::read(all, p_);
    } catch (const Json::exception& error) {
      fail(fmt::format("its run.json cannot be read: {}", error.what()));
    }
    check();
  }

  void check() const {
    const auto is_side = [](int side) { return side >= 1 && side <= kMostSide; };
    if (!is_side(p_.width) || !is_side(p_.height)) fail("its mesh has an invalid size");
    if (p_.windows < 0 || p_.windows > kMostWindows || (p_.windows > 0 && p_.window_cycles == 0))
      fail("its windows of time have an invalid number or length");
    for (std::size_t n = 0; n < p_.colors.size(); ++n) {
      const int color = p_.colors[n].color;
      if (color < 0 || color >= kColors || (n > 0 && color <= p_.colors[n - 1].color))
        fail("its colors are not in order from 0 to 23");
    }
    check_stuck();
    try {
      check_machine(p_.machine);
    } catch (const Error& error) {
      fail(error.what());
    }
  }

  void check_stuck() const {
    if (!p_.stuck) return;
    const auto is_one_of = [](std::int32_t number, std::size_t count) {
      return number >= -1 && number < static_cast<std::int64_t>(count);
    };
    for (const StuckWait& wait : p_.stuck->waits)
      if (!is_inside(wait.x, wait.y) || !is_one_of(wait.cause, p_.stuck->causes.size()) ||
          !is_one_of(wait.waits_for, p_.stuck->waits.size()))
        fail("its list of stuck PEs names causes or PEs that it does not have");
  }

  bool is_inside(int x, int y) const { return x >= 0 && x < p_.width && y >= 0 && y < p_.height; }

  std::string_view need(const std::string& name, const std::vector<NpyField>& fields,
                        const std::vector<std::size_t>& shape) const {
    const auto found = fabric::npy_numbers(entry(name), fields, shape);
    if (!found) fail(fmt::format("its {} is not the array that run.json describes", name));
    return *found;
  }

  void read_pes() {
    const Sides sides(p_);
    std::string_view from = need("pes.npy", fabric::pe_fields(), {sides.height, sides.width});
    for (auto& count : p_.totals) count.resize(sides.pes());
    for (std::size_t pe = 0; pe < sides.pes(); ++pe)
      for (auto& count : p_.totals) count[pe] = fabric::take(from, 8);
  }

  void read_colors() {
    const Sides sides(p_);
    std::string_view from =
        need("colors.npy", fabric::kColorFields, {p_.colors.size(), sides.height, sides.width});
    for (ColorCounts& color : p_.colors) {
      for (auto& port : color.wavelets) port.resize(sides.pes());
      color.held.resize(sides.pes());
      for (std::size_t pe = 0; pe < sides.pes(); ++pe) {
        for (auto& port : color.wavelets) port[pe] = fabric::take(from, 8);
        color.held[pe] = fabric::take(from, 8);
      }
    }
  }

  void read_lines() {
    std::size_t count = 0;
    for (const ProgramCounts& program : p_.programs) count += program.lines.size();
    std::string_view from = need("lines.npy", fabric::kLineFields, {count});
    for (std::size_t program = 0; program < p_.programs.size(); ++program)
      for (LineCounts& line : p_.programs[program].lines) {
        const bool its = fabric::take(from, 4) == program;
        line.cycles = fabric::take(from, 8);
        line.most = fabric::take(from, 8);
        line.x = static_cast<int>(fabric::take(from, 4));
        line.y = static_cast<int>(fabric::take(from, 4));
        if (!its || !is_inside(line.x, line.y))
          fail("its lines.npy names programs or PEs that it does not have");
      }
  }

  void read_code() {
    std::size_t count = 0;
    for (const ProgramCounts& program : p_.programs) count += program.code.size();
    std::string_view from = need("code.npy", fabric::kCodeFields, {count});
    for (std::size_t program = 0; program < p_.programs.size(); ++program)
      for (CodeCounts& code : p_.programs[program].code) {
        const bool its = fabric::take(from, 4) == program;
        code.line = signed_number(from);
        code.phase = signed_number(from);
        code.cycles = fabric::take(from, 8);
        const auto lines = static_cast<std::int64_t>(p_.programs[program].lines.size());
        const auto phases = static_cast<std::int64_t>(p_.phases.size());
        if (!its || code.line < 0 || code.line >= lines ||
            code.phase < ProgramNotes::PhaseMark::kShared || code.phase >= phases)
          fail("its code.npy names lines or phases that it does not have");
      }
  }

  static std::int32_t signed_number(std::string_view& from) {
    return static_cast<std::int32_t>(fabric::take(from, 4));
  }

  /// By PE, of so many; -1: none.
  std::vector<std::int32_t> numbers(std::string_view& from, std::size_t count,
                                    const char* name) const {
    std::vector<std::int32_t> all(Sides(p_).pes());
    for (std::int32_t& number : all) {
      number = signed_number(from);
      if (number < -1 || number >= static_cast<std::int64_t>(count))
        fail(fmt::format("its {} numbers what it does not have", name));
    }
    return all;
  }

  void read_programs() {
    const Sides sides(p_);
    std::string_view from = need("programs.npy", fabric::kNumbers, {sides.height, sides.width});
    p_.program_of = numbers(from, p_.programs.size(), "programs.npy");
  }

  void read_routes() {
    const Sides sides(p_);
    std::string_view from =
        need("routes.npy", fabric::kNumbers, {p_.colors.size(), sides.height, sides.width});
    for (ColorCounts& color : p_.colors)
      color.route_of = numbers(from, color.routes.size(), "routes.npy");
  }

  void read_phases() {
    const Sides sides(p_);
    std::string_view from =
        need("phases.npy", fabric::phase_fields(), {p_.phases.size(), sides.height, sides.width});
    for (PhaseCounts& phase : p_.phases) {
      phase.first.resize(sides.pes());
      phase.last.resize(sides.pes());
      for (const CountInfo& info : count_infos())
        if (is_by_phase(info))
          phase.counts[static_cast<std::size_t>(info.count)].resize(sides.pes());
      for (std::size_t pe = 0; pe < sides.pes(); ++pe) {
        phase.first[pe] = fabric::take(from, 8);
        phase.last[pe] = fabric::take(from, 8);
        for (auto& count : phase.counts)
          if (!count.empty()) count[pe] = fabric::take(from, 8);
      }
    }
  }

  /// Pieces follow each other, from cycle 0 to the clock.
  void read_path() {
    const std::string name(fabric::kPathEntry);
    const auto found = std::ranges::find(entries_, name, &ProfileEntry::name);
    if (found == entries_.end()) return;
    const std::optional<std::size_t> count = fabric::npy_length(found->bytes, fabric::kPathFields);
    if (!count) fail(fmt::format("its {} is not the array that it should be", name));
    std::string_view from = need(name, fabric::kPathFields, {*count});
    p_.path.resize(*count);
    std::uint64_t at = 0;
    for (PathPiece& piece : p_.path) {
      piece.from = fabric::take(from, 8);
      piece.to = fabric::take(from, 8);
      const std::uint64_t kind = fabric::take(from, 4);
      piece.kind = static_cast<PathKind>(kind % kPathKinds);
      for (std::int32_t* const number : {&piece.x, &piece.y, &piece.to_x, &piece.to_y, &piece.color,
                                         &piece.instruction, &piece.phase})
        *number = signed_number(from);
      if (kind >= kPathKinds || piece.from != at || piece.to <= at || !is_on_path(piece))
        fail(fmt::format("its {} has pieces that do not follow each other, or PEs outside the mesh",
                         name));
      at = piece.to;
    }
    if (at != p_.cycles) fail(fmt::format("its {} ends before the run does", name));
  }

  bool is_on_path(const PathPiece& piece) const {
    if (!is_inside(piece.x, piece.y) || !is_inside(piece.to_x, piece.to_y)) return false;
    const std::int32_t program =
        p_.program_of[static_cast<std::size_t>(piece.y) * static_cast<std::size_t>(p_.width) +
                      static_cast<std::size_t>(piece.x)];
    const std::size_t code =
        program < 0 ? 0 : p_.programs[static_cast<std::size_t>(program)].code.size();
    return piece.color >= -1 && piece.color < kColors && piece.instruction >= -1 &&
           piece.instruction < static_cast<std::int64_t>(code) && piece.phase >= -1 &&
           piece.phase < static_cast<std::int64_t>(p_.phases.size());
  }

  void read_windows() {
    const Sides sides(p_);
    for (const CountInfo& info : count_infos()) {
      if (!info.windowed) continue;
      PackedCounts& to = p_.windowed[static_cast<std::size_t>(info.count)];
      const std::vector<std::size_t> shape{static_cast<std::size_t>(p_.windows), sides.height,
                                           sides.width};
      const std::string name = fabric::window_entry(info);
      std::size_t width = 1;
      while (width < 4 && !fabric::npy_numbers(entry(name), {{"", width}}, shape)) width *= 2;
      std::string_view from = need(name, {{"", width}}, shape);
      std::vector<std::uint32_t> plane(sides.pes());
      while (!from.empty()) {
        for (std::uint32_t& number : plane)
          number = static_cast<std::uint32_t>(fabric::take(from, width));
        to.append(plane);
      }
    }
  }

  const std::vector<ProfileEntry>& entries_;
  const std::string& source_;
  Profile p_;
};

}  // namespace

Profile Profile::of_entries(const std::vector<ProfileEntry>& entries, const std::string& source) {
  return Reader(entries, source).read();
}

}  // namespace weft::inline v0
