#include "program/listing.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "base/names.hpp"
#include "program/color_names.hpp"
#include "program/disassembler.hpp"

namespace weft::inline v0 {
namespace {

std::string ports_text(PortSet ports) {
  std::vector<const char*> names;
  for (int port = 0; port < kPorts; ++port)
    if (ports.has(static_cast<Port>(port))) names.push_back(port_name(port));
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string route_text(const Route& route) {
  std::string text = fmt::format("from {} to {}", ports_text(route.rx), ports_text(route.tx));
  for (std::size_t n = 0; n < route.positions.size(); ++n) {
    const SwitchPosition& p = route.positions[n];
    text += fmt::format("; position {}: {} {}", n + 1,
                        p.side == SwitchPosition::Side::rx ? "from" : "to", ports_text(p.port));
  }
  if (route.swap_east_west || route.swap_north_south) text += "; swaps the color";
  return text;
}

/// The routes and queues of a color.
std::string ways_text(const ListedPe& pe, int color) {
  std::vector<std::string> parts;
  for (const Layout::Routing& r : pe.routes)
    if (r.color == color) parts.push_back(route_text(r.route));
  if (std::ranges::any_of(pe.filters, [&](const auto& f) { return f.color == color; }))
    parts.emplace_back("a filter");
  const QueueChoice& queues = pe.names.queues;
  if (const auto at = queues.input.find(color); at != queues.input.end())
    parts.push_back(fmt::format("input queue {}", at->second));
  if (const auto at = queues.output.find(color); at != queues.output.end())
    parts.push_back(fmt::format("output queue {}", at->second));
  return fmt::format("{}", fmt::join(parts, "; "));
}

std::string colors_text(const ListedPe& pe) {
  std::set<int> here;
  for (const Layout::Routing& r : pe.routes) here.insert(r.color);
  for (const auto& [color, queue] : pe.names.queues.input) here.insert(color);
  for (const auto& [color, queue] : pe.names.queues.output) here.insert(color);
  std::string text;
  for (const int color : here)
    text += fmt::format("  {}: {}\n", color_text(color, pe.colors), ways_text(pe, color));
  return text;
}

std::string memory_text(const Program& program) {
  std::vector<std::pair<std::string, MemorySpan>> spans(program.symbols.begin(),
                                                        program.symbols.end());
  std::ranges::stable_sort(spans, {}, [](const auto& s) { return s.second.address; });
  std::string text;
  for (const auto& [name, span] : spans) {
    const std::string extents =
        span.extents.empty() ? "" : fmt::format(", {}", fmt::join(span.extents, " x "));
    const std::string type =
        span.type == ElementType::unspecified ? "" : fmt::format(", {}", to_string(span.type));
    text += fmt::format("  {:<16} bytes {} to {}{}{}\n", name, span.address,
                        span.address + span.bytes, type, extents);
  }
  const std::size_t code = program.code.size() * sizeof(Instruction);
  return text +
         fmt::format("  {:<16} {} bytes, {} instructions\n", "code", code, program.code.size());
}

std::string names_text(const char* what, const std::map<int, std::string>& names) {
  std::string text;
  for (const auto& [number, name] : names) text += fmt::format("  {} {}: {}\n", what, number, name);
  return text;
}

std::string section(const char* title, const std::string& text) {
  return text.empty() ? "" : fmt::format("{}\n{}", title, text);
}

}  // namespace

std::string listing(const ListedPe& pe) {
  const std::string place = fmt::format("PE ({}, {})", pe.where.x, pe.where.y);
  const std::string colors = section("Colors", colors_text(pe));
  if (pe.program == nullptr) return place + ": no program\n" + colors;
  const Program& program = *pe.program;
  return fmt::format("{}: program {}, {} bytes\n", place, program.name, program.memory_bytes) +
         section("Memory", memory_text(program)) + colors +
         section("Registers", names_text("register", pe.names.registers)) +
         section("Code",
                 code_text(program, {pe.colors, pe.names.local_tasks, pe.names.subroutines}));
}

}  // namespace weft::inline v0
