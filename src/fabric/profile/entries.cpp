#include <algorithm>

#include "fabric/profile/fields.hpp"
#include "fabric/profile/json.hpp"
#include "fabric/profile/npy.hpp"
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
  for (const ColorCounts& color : p.colors) append_numbers(bytes, color.route_of, sides.pes());
  return bytes;
}

std::string phases_of(const Profile& p) {
  const Sides sides(p);
  std::string bytes =
      fabric::npy_header(fabric::phase_fields(), {p.phases.size(), sides.height, sides.width});
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

/// In as few bytes as all fit in.
std::string windows_of(const Profile& p, const std::vector<std::uint32_t>& values) {
  const Sides sides(p);
  const std::uint32_t most = values.empty() ? 0 : std::ranges::max(values);
  const std::size_t width = most <= 0xff ? 1 : most <= 0xffff ? 2 : 4;
  std::string bytes = fabric::npy_header(
      {{"", width}}, {static_cast<std::size_t>(p.windows), sides.height, sides.width});
  if (width == 1)
    fabric::append_all<1>(bytes, values);
  else if (width == 2)
    fabric::append_all<2>(bytes, values);
  else
    fabric::append_all<4>(bytes, values);
  return bytes;
}

}  // namespace

std::vector<ProfileEntry> Profile::entries() const {
  std::vector<ProfileEntry> all{
      {"run.json", json_text(*this)},   {"pes.npy", pes_of(*this)},
      {"colors.npy", colors_of(*this)}, {"lines.npy", lines_of(*this)},
      {"code.npy", code_of(*this)},     {"programs.npy", programs_of(*this)},
      {"routes.npy", routes_of(*this)}, {"phases.npy", phases_of(*this)}};
  if (!path.empty()) all.push_back({std::string(fabric::kPathEntry), path_of(*this)});
  if (windows > 0)
    for (const CountInfo& info : count_infos())
      if (info.windowed)
        all.push_back({fabric::window_entry(info),
                       windows_of(*this, windowed[static_cast<std::size_t>(info.count)])});
  return all;
}

}  // namespace weft::inline v0
