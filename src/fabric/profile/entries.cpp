#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "fabric/profile/npy.hpp"
#include "weft/error.hpp"
#include "weft/observation.hpp"
#include "weft/profile.hpp"
#include "weft/version.hpp"

/// A profile as the files of its archive: run.json, and arrays of numbers.
namespace weft::inline v0 {
namespace {

using fabric::NpyField;
using Json = nlohmann::json;

constexpr std::string_view kKind = "weft run";
constexpr int kFormat = 1;
constexpr int kMostSide = 1 << 20;  ///< PEs: so that sizes fit 64 bits

/// The words of PeCounts of a color, in the order of the file.
const std::vector<NpyField> kColorFields = {{"west"},  {"east"}, {"south"},
                                            {"north"}, {"ramp"}, {"held"}};
const std::vector<NpyField> kLineFields = {
    {"program", 4}, {"cycles"}, {"most"}, {"x", 4, true}, {"y", 4, true}};

std::vector<NpyField> pe_fields() {
  std::vector<NpyField> fields;
  for (const CountInfo& info : count_infos()) fields.push_back({info.name});
  return fields;
}

std::string window_entry(const CountInfo& info) { return fmt::format("windows/{}.npy", info.name); }

struct Sides {
  std::size_t height, width;

  explicit Sides(const Profile& p)
      : height(static_cast<std::size_t>(p.height)), width(static_cast<std::size_t>(p.width)) {}
  std::size_t pes() const { return height * width; }
};

std::string json_of(const Profile& p) {
  Json colors = Json::array(), programs = Json::array();
  for (const ColorCounts& each : p.colors)
    colors.push_back({{"color", each.color}, {"name", each.name}});
  for (const ProgramCounts& program : p.programs) {
    Json lines = Json::array();
    for (const LineCounts& line : program.lines)
      lines.push_back({{"first", line.first}, {"what", line.what}, {"where", line.where}});
    programs.push_back({{"name", program.name}, {"lines", std::move(lines)}});
  }
  const Json all = {{"kind", kKind},
                    {"format", kFormat},
                    {"weft", version()},
                    {"width", p.width},
                    {"height", p.height},
                    {"cycles", p.cycles},
                    {"windows", p.windows},
                    {"window_cycles", p.window_cycles},
                    {"colors", std::move(colors)},
                    {"programs", std::move(programs)}};
  // Names may be any bytes; those that are no UTF-8 are replaced.
  return all.dump(1, ' ', false, Json::error_handler_t::replace);
}

std::string pes_of(const Profile& p) {
  const Sides sides(p);
  std::string bytes = fabric::npy_header(pe_fields(), {sides.height, sides.width});
  for (std::size_t pe = 0; pe < sides.pes(); ++pe)
    for (const auto& count : p.totals) fabric::append(bytes, count[pe], 8);
  return bytes;
}

std::string colors_of(const Profile& p) {
  const Sides sides(p);
  std::string bytes =
      fabric::npy_header(kColorFields, {p.colors.size(), sides.height, sides.width});
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
  return fabric::npy_header(kLineFields, {count}) + rows;
}

/// In two bytes each where all fit.
std::string windows_of(const Profile& p, const std::vector<std::uint32_t>& values) {
  const Sides sides(p);
  const std::size_t width = values.empty() || std::ranges::max(values) <= 0xffff ? 2 : 4;
  std::string bytes = fabric::npy_header(
      {{"", width}}, {static_cast<std::size_t>(p.windows), sides.height, sides.width});
  bytes.reserve(bytes.size() + width * values.size());
  for (const std::uint32_t value : values) fabric::append(bytes, value, width);
  return bytes;
}

class Reader {
 public:
  Reader(const std::vector<ProfileEntry>& entries, const std::string& source)
      : entries_(entries), source_(source) {}

  Profile read() {
    read_json();
    read_pes();
    read_colors();
    read_lines();
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

  void read_json() {
    Json all;
    try {
      all = Json::parse(entry("run.json"));
      if (!all.is_object() || all.value("kind", "") != kKind)
        fail("its run.json is of another kind");
      const int format = all.at("format").get<int>();
      if (format > kFormat)
        throw Error(
            ErrorCategory::input, fmt::format("cannot read '{}'", source_),
            fmt::format("it has format {}, and this Weft knows formats up to {}", format, kFormat),
            "read it with a later version of Weft");
      p_.width = all.at("width").get<int>();
      p_.height = all.at("height").get<int>();
      p_.cycles = all.at("cycles").get<std::uint64_t>();
      p_.windows = all.at("windows").get<int>();
      p_.window_cycles = all.at("window_cycles").get<std::uint64_t>();
      for (const Json& each : all.at("colors"))
        p_.colors.push_back(
            {.color = each.at("color").get<int>(), .name = each.at("name").get<std::string>()});
      for (const Json& each : all.at("programs")) {
        ProgramCounts program{each.at("name").get<std::string>(), {}};
        for (const Json& line : each.at("lines"))
          program.lines.push_back({.first = line.at("first").get<std::int32_t>(),
                                   .what = line.at("what").get<std::string>(),
                                   .where = line.at("where").get<std::string>()});
        p_.programs.push_back(std::move(program));
      }
    } catch (const Json::exception& error) {
      fail(fmt::format("its run.json cannot be read: {}", error.what()));
    }
    check();
  }

  void check() const {
    const auto is_side = [](int side) { return side >= 1 && side <= kMostSide; };
    if (!is_side(p_.width) || !is_side(p_.height)) fail("its mesh has no such size");
    if (p_.windows < 0 || p_.windows > kMostWindows || (p_.windows > 0 && p_.window_cycles == 0))
      fail("it has no such windows of time");
    for (std::size_t n = 0; n < p_.colors.size(); ++n) {
      const int color = p_.colors[n].color;
      if (color < 0 || color >= kColors || (n > 0 && color <= p_.colors[n - 1].color))
        fail("its colors are none");
    }
  }

  std::string_view need(const std::string& name, const std::vector<NpyField>& fields,
                        const std::vector<std::size_t>& shape) const {
    const auto found = fabric::npy_numbers(entry(name), fields, shape);
    if (!found) fail(fmt::format("its {} is not the array that run.json describes", name));
    return *found;
  }

  void read_pes() {
    const Sides sides(p_);
    std::string_view from = need("pes.npy", pe_fields(), {sides.height, sides.width});
    for (auto& count : p_.totals) count.resize(sides.pes());
    for (std::size_t pe = 0; pe < sides.pes(); ++pe)
      for (auto& count : p_.totals) count[pe] = fabric::take(from, 8);
  }

  void read_colors() {
    const Sides sides(p_);
    std::string_view from =
        need("colors.npy", kColorFields, {p_.colors.size(), sides.height, sides.width});
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
    std::string_view from = need("lines.npy", kLineFields, {count});
    for (std::size_t program = 0; program < p_.programs.size(); ++program)
      for (LineCounts& line : p_.programs[program].lines) {
        const bool its = fabric::take(from, 4) == program;
        line.cycles = fabric::take(from, 8);
        line.most = fabric::take(from, 8);
        line.x = static_cast<int>(fabric::take(from, 4));
        line.y = static_cast<int>(fabric::take(from, 4));
        const bool inside = line.x >= 0 && line.x < p_.width && line.y >= 0 && line.y < p_.height;
        if (!its || !inside) fail("its lines.npy names programs or PEs that it has not");
      }
  }

  void read_windows() {
    const Sides sides(p_);
    for (const CountInfo& info : count_infos()) {
      if (!info.windowed) continue;
      std::vector<std::uint32_t>& to = p_.windowed[static_cast<std::size_t>(info.count)];
      const std::vector<std::size_t> shape{static_cast<std::size_t>(p_.windows), sides.height,
                                           sides.width};
      const std::string name = window_entry(info);
      const bool narrow = fabric::npy_numbers(entry(name), {{"", 2}}, shape).has_value();
      const std::size_t width = narrow ? 2 : 4;
      std::string_view from = need(name, {{"", width}}, shape);
      to.reserve(from.size() / width);
      while (!from.empty()) to.push_back(static_cast<std::uint32_t>(fabric::take(from, width)));
    }
  }

  const std::vector<ProfileEntry>& entries_;
  const std::string& source_;
  Profile p_;
};

}  // namespace

std::vector<ProfileEntry> Profile::entries() const {
  std::vector<ProfileEntry> all{{"run.json", json_of(*this)},
                                {"pes.npy", pes_of(*this)},
                                {"colors.npy", colors_of(*this)},
                                {"lines.npy", lines_of(*this)}};
  if (windows > 0)
    for (const CountInfo& info : count_infos())
      if (info.windowed)
        all.push_back({window_entry(info),
                       windows_of(*this, windowed[static_cast<std::size_t>(info.count)])});
  return all;
}

Profile Profile::of_entries(const std::vector<ProfileEntry>& entries, const std::string& source) {
  return Reader(entries, source).read();
}

}  // namespace weft::inline v0
