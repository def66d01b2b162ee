#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <span>

#include "fabric/profile/byte_pieces.hpp"
#include "fabric/profile/fields.hpp"
#include "fabric/profile/json.hpp"
#include "fabric/profile/npy.hpp"
#include "weft/error.hpp"
#include "weft/profile.hpp"

/// A profile as the files of its archive: run.json, and arrays of numbers.
namespace weft::inline v0 {
namespace {

using fabric::BytePieces;
using fabric::Sides;
using Json = nlohmann::json;

/// Names may be any bytes; those that are no UTF-8 are replaced.
void write_json(const Profile& p, BytePieces& to) {
  to.text(fabric::json_of(p).dump(1, ' ', false, Json::error_handler_t::replace));
}

void write_pes(const Profile& p, BytePieces& to) {
  const Sides sides(p);
  to.text(fabric::npy_header(fabric::pe_fields(), {sides.height, sides.width}));
  for (std::size_t pe = 0; pe < sides.pes(); ++pe)
    for (const auto& count : p.totals) to.number<8>(count[pe]);
}

void write_colors(const Profile& p, BytePieces& to) {
  const Sides sides(p);
  to.text(fabric::npy_header(fabric::kColorFields, {p.colors.size(), sides.height, sides.width}));
  for (const ColorCounts& color : p.colors)
    for (std::size_t pe = 0; pe < sides.pes(); ++pe) {
      for (const auto& port : color.wavelets) to.number<8>(port[pe]);
      to.number<8>(color.held[pe]);
    }
}

void write_lines(const Profile& p, BytePieces& to) {
  std::size_t count = 0;
  for (const ProgramCounts& program : p.programs) count += program.lines.size();
  to.text(fabric::npy_header(fabric::kLineFields, {count}));
  for (std::size_t program = 0; program < p.programs.size(); ++program)
    for (const LineCounts& line : p.programs[program].lines) {
      to.number<4>(program);
      to.number<8>(line.cycles);
      to.number<8>(line.most);
      to.number<4>(static_cast<std::uint32_t>(line.x));
      to.number<4>(static_cast<std::uint32_t>(line.y));
    }
}

void write_code(const Profile& p, BytePieces& to) {
  std::size_t count = 0;
  for (const ProgramCounts& program : p.programs) count += program.code.size();
  to.text(fabric::npy_header(fabric::kCodeFields, {count}));
  for (std::size_t program = 0; program < p.programs.size(); ++program)
    for (const CodeCounts& code : p.programs[program].code) {
      to.number<4>(program);
      to.number<4>(static_cast<std::uint32_t>(code.line));
      to.number<4>(static_cast<std::uint32_t>(code.phase));
      to.number<8>(code.cycles);
    }
}

/// By PE; -1 where it is unknown.
void write_numbers(BytePieces& to, const std::vector<std::int32_t>& numbers, std::size_t pes) {
  for (std::size_t pe = 0; pe < pes; ++pe)
    to.number<4>(static_cast<std::uint32_t>(pe < numbers.size() ? numbers[pe] : -1));
}

void write_programs(const Profile& p, BytePieces& to) {
  const Sides sides(p);
  to.text(fabric::npy_header(fabric::kNumbers, {sides.height, sides.width}));
  write_numbers(to, p.program_of, sides.pes());
}

void write_routes(const Profile& p, BytePieces& to) {
  const Sides sides(p);
  to.text(fabric::npy_header(fabric::kNumbers, {p.colors.size(), sides.height, sides.width}));
  for (const ColorCounts& color : p.colors) write_numbers(to, color.route_of, sides.pes());
}

void write_phases(const Profile& p, BytePieces& to) {
  const Sides sides(p);
  to.text(fabric::npy_header(fabric::phase_fields(), {p.phases.size(), sides.height, sides.width}));
  for (const PhaseCounts& phase : p.phases) {
    std::vector<const std::uint64_t*> fields{phase.first.data(), phase.last.data()};
    for (const auto& count : phase.counts)
      if (!count.empty()) fields.push_back(count.data());
    for (std::size_t pe = 0; pe < sides.pes(); ++pe)
      for (const std::uint64_t* const field : fields) to.number<8>(field[pe]);
  }
}

void write_path(const Profile& p, BytePieces& to) {
  to.text(fabric::npy_header(fabric::kPathFields, {p.path.size()}));
  for (const PathPiece& piece : p.path) {
    to.number<8>(piece.from);
    to.number<8>(piece.to);
    to.number<4>(static_cast<std::uint64_t>(piece.kind));
    for (const std::int32_t number :
         {piece.x, piece.y, piece.to_x, piece.to_y, piece.color, piece.instruction, piece.phase})
      to.number<4>(static_cast<std::uint32_t>(number));
  }
}

/// The numbers of all windows, which fit into so many bytes.
template <std::size_t kBytes>
void write_all(const PackedCounts& counts, BytePieces& to) {
  std::array<std::uint32_t, 16 * PackedCounts::kBlock> some;
  for (std::size_t first = 0; first < counts.size(); first += some.size()) {
    const std::span part = std::span(some).first(std::min(some.size(), counts.size() - first));
    counts.read(first, part);
    to.numbers<kBytes>(part);
  }
}

/// In as few bytes as all fit in.
void write_windows(const Profile& p, const PackedCounts& counts, BytePieces& to) {
  const Sides sides(p);
  const std::uint32_t most = counts.greatest();
  const std::size_t width = most <= 0xff ? 1 : most <= 0xffff ? 2 : 4;
  to.text(fabric::npy_header({{"", width}},
                             {static_cast<std::size_t>(p.windows), sides.height, sides.width}));
  if (width == 1)
    write_all<1>(counts, to);
  else if (width == 2)
    write_all<2>(counts, to);
  else
    write_all<4>(counts, to);
}

/// A file that is always there.
struct Entry {
  std::string_view name;
  void (*write)(const Profile&, BytePieces&);
};
constexpr Entry kEntries[] = {
    {"run.json", &write_json},     {"pes.npy", &write_pes},       {"colors.npy", &write_colors},
    {"lines.npy", &write_lines},   {"code.npy", &write_code},     {"programs.npy", &write_programs},
    {"routes.npy", &write_routes}, {"phases.npy", &write_phases},
};

/// Whether there is an entry of this name.
bool write(const Profile& p, std::string_view name, BytePieces& to) {
  for (const Entry& entry : kEntries) {
    if (entry.name != name) continue;
    entry.write(p, to);
    return true;
  }
  if (name == fabric::kPathEntry && !p.path.empty()) {
    write_path(p, to);
    return true;
  }
  for (const CountInfo& info : count_infos()) {
    if (p.windows == 0 || !info.windowed || name != fabric::window_entry(info)) continue;
    write_windows(p, p.windowed[static_cast<std::size_t>(info.count)], to);
    return true;
  }
  return false;
}

}  // namespace

std::vector<std::string> Profile::entry_names() const {
  std::vector<std::string> names;
  names.reserve(std::size(kEntries) + 1 + kCounts);
  for (const Entry& entry : kEntries) names.emplace_back(entry.name);
  if (!path.empty()) names.emplace_back(fabric::kPathEntry);
  if (windows > 0)
    for (const CountInfo& info : count_infos())
      if (info.windowed) names.push_back(fabric::window_entry(info));
  return names;
}

void Profile::write_entry(std::string_view name,
                          const std::function<void(std::string_view)>& take) const {
  BytePieces to(take);
  if (!write(*this, name, to))
    throw Error(ErrorCategory::usage, fmt::format("a profile has no file '{}'", name),
                fmt::format("it has {}", fmt::join(entry_names(), ", ")), "name one of these");
  to.hand_on();
}

ProfileEntry Profile::entry(std::string_view name) const {
  ProfileEntry entry{std::string(name), {}};
  write_entry(name, [&](std::string_view piece) { entry.bytes += piece; });
  return entry;
}

std::vector<ProfileEntry> Profile::entries() const {
  const std::vector<std::string> names = entry_names();
  std::vector<ProfileEntry> all;
  all.reserve(names.size());
  for (const std::string& name : names) all.push_back(entry(name));
  return all;
}

}  // namespace weft::inline v0
