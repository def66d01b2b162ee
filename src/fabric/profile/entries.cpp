#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iterator>

#include "fabric/profile/fields.hpp"
#include "fabric/profile/json.hpp"
#include "fabric/profile/npy.hpp"
#include "weft/error.hpp"
#include "weft/profile.hpp"

/// A profile as the files of its archive: run.json, and arrays of numbers.
namespace weft::inline v0 {
namespace {

using fabric::Sides;
using Json = nlohmann::json;

/// Names may be any bytes; those that are no UTF-8 are replaced.
std::string json_text(const Profile& p) {
  return fabric::json_of(p).dump(1, ' ', false, Json::error_handler_t::replace);
}

std::string pes_of(const Profile& p) {
  const Sides sides(p);
  std::string bytes = fabric::npy_header(fabric::pe_fields(), {sides.height, sides.width});
  bytes.reserve(bytes.size() + 8 * kCounts * sides.pes());
  for (std::size_t pe = 0; pe < sides.pes(); ++pe)
    for (const auto& count : p.totals) fabric::append(bytes, count[pe], 8);
  return bytes;
}

std::string colors_of(const Profile& p) {
  const Sides sides(p);
  std::string bytes =
      fabric::npy_header(fabric::kColorFields, {p.colors.size(), sides.height, sides.width});
  bytes.reserve(bytes.size() + std::size_t{8} * (kPorts + 1) * p.colors.size() * sides.pes());
  for (const ColorCounts& color : p.colors)
    for (std::size_t pe = 0; pe < sides.pes(); ++pe) {
      for (const auto& port : color.wavelets) fabric::append(bytes, port[pe], 8);
      fabric::append(bytes, color.held[pe], 8);
    }
  return bytes;
}

std::string lines_of(const Profile& p) {
  std::size_t count = 0;
  std::string rows;
  for (std::size_t program = 0; program < p.programs.size(); ++program)
    for (const LineCounts& line : p.programs[program].lines) {
      ++count;
      fabric::append(rows, program, 4);
      fabric::append(rows, line.cycles, 8);
      fabric::append(rows, line.most, 8);
      fabric::append(rows, static_cast<std::uint32_t>(line.x), 4);
      fabric::append(rows, static_cast<std::uint32_t>(line.y), 4);
    }
  return fabric::npy_header(fabric::kLineFields, {count}) + rows;
}

std::string code_of(const Profile& p) {
  std::size_t count = 0;
  std::string rows;
  for (std::size_t program = 0; program < p.programs.size(); ++program)
    for (const CodeCounts& code : p.programs[program].code) {
      ++count;
      fabric::append(rows, program, 4);
      fabric::append(rows, static_cast<std::uint32_t>(code.line), 4);
      fabric::append(rows, static_cast<std::uint32_t>(code.phase), 4);
      fabric::append(rows, code.cycles, 8);
    }
  return fabric::npy_header(fabric::kCodeFields, {count}) + rows;
}

/// By PE; -1 where it is unknown.
void append_numbers(std::string& bytes, std::vector<std::int32_t> numbers, std::size_t pes) {
  numbers.resize(pes, -1);
  for (const std::int32_t number : numbers)
    fabric::append(bytes, static_cast<std::uint32_t>(number), 4);
}

std::string programs_of(const Profile& p) {
  const Sides sides(p);
  std::string bytes = fabric::npy_header(fabric::kNumbers, {sides.height, sides.width});
  append_numbers(bytes, p.program_of, sides.pes());
  return bytes;
}

std::string routes_of(const Profile& p) {
  const Sides sides(p);
  std::string bytes =
      fabric::npy_header(fabric::kNumbers, {p.colors.size(), sides.height, sides.width});
  bytes.reserve(bytes.size() + 4 * p.colors.size() * sides.pes());
  for (const ColorCounts& color : p.colors) append_numbers(bytes, color.route_of, sides.pes());
  return bytes;
}

std::string phases_of(const Profile& p) {
  const Sides sides(p);
  std::string bytes =
      fabric::npy_header(fabric::phase_fields(), {p.phases.size(), sides.height, sides.width});
  bytes.reserve(bytes.size() + 8 * fabric::phase_fields().size() * p.phases.size() * sides.pes());
  for (const PhaseCounts& phase : p.phases)
    for (std::size_t pe = 0; pe < sides.pes(); ++pe) {
      fabric::append(bytes, phase.first[pe], 8);
      fabric::append(bytes, phase.last[pe], 8);
      for (const auto& count : phase.counts)
        if (!count.empty()) fabric::append(bytes, count[pe], 8);
    }
  return bytes;
}

std::string path_of(const Profile& p) {
  std::string bytes = fabric::npy_header(fabric::kPathFields, {p.path.size()});
  for (const PathPiece& piece : p.path) {
    fabric::append(bytes, piece.from, 8);
    fabric::append(bytes, piece.to, 8);
    fabric::append(bytes, static_cast<std::uint64_t>(piece.kind), 4);
    for (const std::int32_t number :
         {piece.x, piece.y, piece.to_x, piece.to_y, piece.color, piece.instruction, piece.phase})
      fabric::append(bytes, static_cast<std::uint32_t>(number), 4);
  }
  return bytes;
}

/// The numbers of all windows, which fit into so many bytes.
template <std::size_t kBytes>
void append_windows(std::string& bytes, const PackedCounts& counts, std::size_t pes) {
  bytes.reserve(bytes.size() + kBytes * counts.size());
  std::vector<std::uint32_t> plane(pes);
  for (std::size_t first = 0; first < counts.size(); first += pes) {
    counts.read(first, plane);
    fabric::append_all<kBytes>(bytes, plane);
  }
}

/// In as few bytes as all fit in.
std::string windows_of(const Profile& p, const PackedCounts& counts) {
  const Sides sides(p);
  const std::uint32_t most = counts.greatest();
  const std::size_t width = most <= 0xff ? 1 : most <= 0xffff ? 2 : 4;
  std::string bytes = fabric::npy_header(
      {{"", width}}, {static_cast<std::size_t>(p.windows), sides.height, sides.width});
  if (width == 1)
    append_windows<1>(bytes, counts, sides.pes());
  else if (width == 2)
    append_windows<2>(bytes, counts, sides.pes());
  else
    append_windows<4>(bytes, counts, sides.pes());
  return bytes;
}

/// A file that is always there.
struct Entry {
  std::string_view name;
  std::string (*bytes)(const Profile&);
};
constexpr Entry kEntries[] = {
    {"run.json", &json_text},   {"pes.npy", &pes_of},       {"colors.npy", &colors_of},
    {"lines.npy", &lines_of},   {"code.npy", &code_of},     {"programs.npy", &programs_of},
    {"routes.npy", &routes_of}, {"phases.npy", &phases_of},
};

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

ProfileEntry Profile::entry(std::string_view name) const {
  for (const Entry& entry : kEntries)
    if (entry.name == name) return {std::string(name), entry.bytes(*this)};
  if (name == fabric::kPathEntry && !path.empty()) return {std::string(name), path_of(*this)};
  for (const CountInfo& info : count_infos())
    if (windows > 0 && info.windowed && name == fabric::window_entry(info))
      return {std::string(name), windows_of(*this, windowed[static_cast<std::size_t>(info.count)])};
  throw Error(ErrorCategory::usage, fmt::format("a profile has no file '{}'", name),
              fmt::format("it has {}", fmt::join(entry_names(), ", ")), "name one of these");
}

std::vector<ProfileEntry> Profile::entries() const {
  const std::vector<std::string> names = entry_names();
  std::vector<ProfileEntry> all;
  all.reserve(names.size());
  for (const std::string& name : names) all.push_back(entry(name));
  return all;
}

}  // namespace weft::inline v0
