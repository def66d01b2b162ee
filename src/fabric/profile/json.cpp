#include "fabric/profile/json.hpp"

#include <string>
#include <vector>

#include "weft/version.hpp"

namespace weft::fabric {
namespace {

using Json = nlohmann::json;

template <class T, class F>
Json list(const std::vector<T>& values, F json_of_one) {
  Json all = Json::array();
  for (const T& value : values) all.push_back(json_of_one(value));
  return all;
}

template <class F>
auto read_list(const Json& json, F read_one) {
  std::vector<decltype(read_one(json))> all;
  all.reserve(json.size());
  for (const Json& each : json) all.push_back(read_one(each));
  return all;
}

/// Of so many values.
template <class E>
E enum_from(const Json& json, int count) {
  const int number = json.get<int>();
  if (number < 0 || number >= count)
    throw Json::out_of_range::create(401, "there is no value " + std::to_string(number), &json);
  return static_cast<E>(number);
}

Json of(const Machine& machine) {
  Json all = {{"name", machine.name}};
  for (const MachineConstant& c : machine_constants()) all[std::string(c.name)] = machine.*c.member;
  return all;
}

Machine machine_from(const Json& json) {
  Machine machine;
  json.at("name").get_to(machine.name);
  for (const MachineConstant& c : machine_constants())
    json.at(std::string(c.name)).get_to(machine.*c.member);
  return machine;
}

/// Ports are numbers, in the order of Port.
Json of(PortSet ports) {
  Json all = Json::array();
  for (int port = 0; port < kPorts; ++port)
    if (ports.has(static_cast<Port>(port))) all.push_back(port);
  return all;
}

PortSet ports_from(const Json& json) {
  PortSet ports;
  for (const Json& each : json) ports = ports | enum_from<Port>(each, kPorts);
  return ports;
}

Json of(const RouteKind& kind) {
  const Route& r = kind.route;
  return {{"rx", of(r.rx)},
          {"tx", of(r.tx)},
          {"positions", list(r.positions,
                             [](const SwitchPosition& p) {
                               const bool rx = p.side == SwitchPosition::Side::rx;
                               return Json{{rx ? "rx" : "tx", of(PortSet(p.port))}};
                             })},
          {"ring", r.ring},
          {"initial", r.initial},
          {"pop", static_cast<int>(r.pop)},
          {"input_queue", r.input_queue ? Json(*r.input_queue) : Json()},
          {"swap_north_south", r.swap_north_south},
          {"swap_east_west", r.swap_east_west},
          {"teardown", r.teardown},
          {"filtered", kind.filtered}};
}

SwitchPosition position_from(const Json& json) {
  const bool rx = json.contains("rx");
  const auto port = enum_from<Port>(json.at(rx ? "rx" : "tx").at(0), kPorts);
  return rx ? SwitchPosition::receive(port) : SwitchPosition::send(port);
}

RouteKind route_from(const Json& json) {
  RouteKind kind;
  Route& r = kind.route;
  r.rx = ports_from(json.at("rx"));
  r.tx = ports_from(json.at("tx"));
  r.positions = read_list(json.at("positions"), position_from);
  json.at("ring").get_to(r.ring);
  json.at("initial").get_to(r.initial);
  r.pop = enum_from<PopMode>(json.at("pop"), 4);
  if (const Json& queue = json.at("input_queue"); !queue.is_null())
    r.input_queue = queue.get<int>();
  json.at("swap_north_south").get_to(r.swap_north_south);
  json.at("swap_east_west").get_to(r.swap_east_west);
  json.at("teardown").get_to(r.teardown);
  json.at("filtered").get_to(kind.filtered);
  return kind;
}

Json of(const ColorCounts& color) {
  return {{"color", color.color},
          {"name", color.name},
          {"routes", list(color.routes, [](const RouteKind& kind) { return of(kind); })}};
}

ColorCounts color_from(const Json& json) {
  return {.color = json.at("color").get<int>(),
          .name = json.at("name").get<std::string>(),
          .routes = read_list(json.at("routes"), route_from)};
}

Json of(const std::map<std::string, MemorySpan>& arrays) {
  Json all = Json::object();
  for (const auto& [name, span] : arrays)
    all[name] = {{"address", span.address},
                 {"bytes", span.bytes},
                 {"type", static_cast<int>(span.type)},
                 {"extents", span.extents}};
  return all;
}

std::map<std::string, MemorySpan> arrays_from(const Json& json) {
  std::map<std::string, MemorySpan> arrays;
  for (const auto& [name, each] : json.items())
    arrays[name] = {each.at("address").get<std::uint32_t>(), each.at("bytes").get<std::uint32_t>(),
                    enum_from<ElementType>(each.at("type"), static_cast<int>(ElementType::c32) + 1),
                    each.at("extents").get<std::vector<int>>()};
  return arrays;
}

Json of(const ProgramCounts& program) {
  return {{"name", program.name},
          {"lines",
           list(program.lines,
                [](const LineCounts& line) {
                  return Json{{"first", line.first}, {"what", line.what}, {"where", line.where}};
                })},
          {"code", list(program.code, [](const CodeCounts& code) { return Json(code.text); })},
          {"tasks", list(program.tasks,
                         [](const ProgramTask& task) {
                           return Json{{"kind", static_cast<int>(task.kind)},
                                       {"number", task.number},
                                       {"name", task.name},
                                       {"entry", task.entry}};
                         })},
          {"arrays", of(program.arrays)}};
}

ProgramCounts program_from(const Json& json) {
  const auto line_from = [](const Json& line) {
    return LineCounts{.first = line.at("first").get<std::int32_t>(),
                      .what = line.at("what").get<std::string>(),
                      .where = line.at("where").get<std::string>()};
  };
  const auto code_from = [](const Json& text) {
    return CodeCounts{.text = text.get<std::string>()};
  };
  const auto task_from = [](const Json& task) {
    return ProgramTask{enum_from<TaskKind>(task.at("kind"), 3), task.at("number").get<int>(),
                       task.at("name").get<std::string>(), task.at("entry").get<std::int32_t>()};
  };
  return {.name = json.at("name").get<std::string>(),
          .lines = read_list(json.at("lines"), line_from),
          .code = read_list(json.at("code"), code_from),
          .tasks = read_list(json.at("tasks"), task_from),
          .arrays = arrays_from(json.at("arrays"))};
}

Json of(const Stuck& stuck) {
  const auto wait_json = [](const StuckWait& wait) {
    return Json{{"what", wait.what},
                {"line", wait.line},
                {"x", wait.x},
                {"y", wait.y},
                {"color", wait.color},
                {"cause", wait.cause},
                {"waits_for", wait.waits_for},
                {"first", wait.first}};
  };
  return {
      {"error", stuck.error}, {"causes", stuck.causes}, {"waits", list(stuck.waits, wait_json)}};
}

Stuck stuck_from(const Json& json) {
  const auto wait_from = [](const Json& wait) {
    return StuckWait{wait.at("what").get<std::string>(),
                     wait.at("line").get<std::string>(),
                     wait.at("x").get<int>(),
                     wait.at("y").get<int>(),
                     wait.at("color").get<int>(),
                     wait.at("cause").get<std::int32_t>(),
                     wait.at("waits_for").get<std::int32_t>(),
                     wait.at("first").get<bool>()};
  };
  return {json.at("error").get<std::string>(), json.at("causes").get<std::vector<std::string>>(),
          read_list(json.at("waits"), wait_from)};
}

}  // namespace

Json json_of(const Profile& p) {
  return {{"kind", kKind},
          {"format", kFormat},
          {"weft", version()},
          {"machine", of(p.machine)},
          {"width", p.width},
          {"height", p.height},
          {"cycles", p.cycles},
          {"windows", p.windows},
          {"window_cycles", p.window_cycles},
          {"colors", list(p.colors, [](const ColorCounts& color) { return of(color); })},
          {"programs", list(p.programs, [](const ProgramCounts& each) { return of(each); })},
          {"phases", list(p.phases, [](const PhaseCounts& each) { return Json(each.name); })},
          {"stuck", p.stuck ? of(*p.stuck) : Json()}};
}

void read(const Json& json, Profile& p) {
  const auto phase_from = [](const Json& name) {
    return PhaseCounts{.name = name.get<std::string>()};
  };
  p.machine = machine_from(json.at("machine"));
  json.at("width").get_to(p.width);
  json.at("height").get_to(p.height);
  json.at("cycles").get_to(p.cycles);
  json.at("windows").get_to(p.windows);
  json.at("window_cycles").get_to(p.window_cycles);
  p.colors = read_list(json.at("colors"), color_from);
  p.programs = read_list(json.at("programs"), program_from);
  p.phases = read_list(json.at("phases"), phase_from);
  if (const Json& stuck = json.at("stuck"); !stuck.is_null()) p.stuck = stuck_from(stuck);
}

}  // namespace weft::fabric
