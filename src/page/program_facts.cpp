#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/names.hpp"
#include "page/facts.hpp"

/// What the page knows of programs and routes.
namespace weft::page {
namespace {

using Json = nlohmann::json;

std::string ports_of(PortSet ports) {
  std::vector<std::string_view> names;
  names.reserve(kPorts);
  for (int port = 0; port < kPorts; ++port)
    if (ports.has(static_cast<Port>(port)))
      names.push_back(static_cast<Port>(port) == Port::ramp ? "core" : port_name(port));
  return fmt::format("{}", fmt::join(names, ", "));
}

/// The positions of a switch each change one of its two sets.
std::string text_of(const RouteKind& kind) {
  const Route& route = kind.route;
  std::string text = fmt::format("{} → {}", ports_of(route.rx), ports_of(route.tx));
  for (const SwitchPosition& position : route.positions)
    text += fmt::format("; then {} {}", position.side == SwitchPosition::Side::rx ? "from" : "to",
                        ports_of(position.port));
  return text + (kind.filtered ? "; filtered" : "");
}

Json line_facts(const LineCounts& line) {
  return {
      {"first", line.first}, {"what", line.what}, {"where", line.where}, {"cycles", line.cycles},
      {"most", line.most},   {"x", line.x},       {"y", line.y}};
}

}  // namespace

Json route_facts(const ColorCounts& color) {
  Json all = Json::array();
  for (const RouteKind& kind : color.routes)
    all.push_back(
        {{"from", kind.route.rx.bits()}, {"to", kind.route.tx.bits()}, {"text", text_of(kind)}});
  return all;
}

Json program_facts(const Profile& p) {
  Json all = Json::array();
  for (const ProgramCounts& program : p.programs) {
    Json lines = Json::array(), code = Json::array(), tasks = Json::array(), arrays = Json::array();
    for (const LineCounts& line : program.lines) lines.push_back(line_facts(line));
    for (const CodeCounts& each : program.code)
      code.push_back({{"text", each.text}, {"line", each.line}, {"cycles", each.cycles}});
    for (const ProgramTask& task : program.tasks)
      tasks.push_back(
          {{"kind", to_string(task.kind)}, {"number", task.number}, {"name", task.name}});
    for (const auto& [name, span] : program.arrays)
      arrays.push_back({{"name", name}, {"address", span.address}, {"bytes", span.bytes}});
    all.push_back({{"name", program.name},
                   {"lines", std::move(lines)},
                   {"code", std::move(code)},
                   {"tasks", std::move(tasks)},
                   {"arrays", std::move(arrays)}});
  }
  return all;
}

}  // namespace weft::page
