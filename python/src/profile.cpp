#include <algorithm>
#include <initializer_list>
#include <memory>
#include <optional>
#include <utility>

#include "bind.hpp"
#include "values.hpp"

namespace weft::python {
namespace {

py::object files() { return py::module_::import("weft._profiles"); }

/// A structured array of such a shape, with zeros.
py::array structured(const py::list& fields, const std::vector<std::size_t>& shape) {
  const py::module_ numpy = py::module_::import("numpy");
  return numpy.attr("zeros")(py::cast(shape), numpy.attr("dtype")(fields));
}

py::tuple field(std::string_view name, const char* type) { return py::make_tuple(name, type); }

/// Adds values to a field of an array.
template <class T>
void add(const py::object& field, const std::vector<T>& values) {
  const py::array_t<T> flat(static_cast<py::ssize_t>(values.size()), values.data());
  py::module_::import("numpy").attr("add")(field, flat.attr("reshape")(field.attr("shape")),
                                           py::arg("out") = field);
}

std::vector<std::size_t> shape_of(const Profile& p, std::initializer_list<std::size_t> first = {}) {
  std::vector<std::size_t> shape(first);
  shape.push_back(static_cast<std::size_t>(p.height));
  shape.push_back(static_cast<std::size_t>(p.width));
  return shape;
}

py::array pes(const Profile& p) {
  py::list fields;
  for (const CountInfo& info : count_infos()) fields.append(field(info.name, "u8"));
  const py::array all = structured(fields, shape_of(p));
  for (const CountInfo& info : count_infos()) add(all[py::str(info.name)], p.counts(info.count));
  return all;
}

py::array windows(const Profile& p) {
  py::list fields;
  for (const CountInfo& info : count_infos())
    if (info.windowed) fields.append(field(info.name, "u4"));
  const py::array all = structured(fields, shape_of(p, {static_cast<std::size_t>(p.windows)}));
  if (p.windows == 0) return all;
  for (const CountInfo& info : count_infos())
    if (info.windowed)
      add(all[py::str(info.name)], p.windowed[static_cast<std::size_t>(info.count)].numbers());
  return all;
}

/// By PE and link: its wavelets, and the color of most of them.
py::array links(const Profile& p) {
  py::list fields;
  fields.append(field("wavelets", "u8"));
  fields.append(field("color", "i1"));
  std::vector<std::size_t> shape = shape_of(p);
  shape.push_back(kLinks);
  const py::array all = structured(fields, shape);
  const std::size_t pes = p.totals.front().size();
  std::vector<std::uint64_t> wavelets(pes * kLinks), most(pes * kLinks);
  std::vector<std::int8_t> fullest(pes * kLinks, -1);  // none
  for (std::size_t link = 0; link < kLinks; ++link) {
    const std::vector<std::uint64_t> total = p.links(static_cast<Port>(link));
    for (std::size_t pe = 0; pe < pes; ++pe) wavelets[pe * kLinks + link] = total[pe];
    for (const ColorCounts& color : p.colors)
      for (std::size_t pe = 0; pe < pes; ++pe) {
        const std::size_t at = pe * kLinks + link;
        if (color.wavelets[link][pe] <= most[at]) continue;
        most[at] = color.wavelets[link][pe];
        fullest[at] = static_cast<std::int8_t>(color.color);
      }
  }
  add(all["wavelets"], wavelets);
  add(all["color"], fullest);
  return all;
}

/// By name, or by number where a color has none. Colors of one name are together.
py::dict colors(const Profile& p) {
  const char* ports[] = {"west", "east", "south", "north", "ramp"};
  py::list fields;
  for (const char* port : ports) fields.append(field(port, "u8"));
  fields.append(field("held", "u8"));
  py::dict all;
  for (const ColorCounts& color : p.colors) {
    const py::object key =
        color.name.empty() ? py::object(py::int_(color.color)) : py::object(py::str(color.name));
    if (!all.contains(key)) all[key] = structured(fields, shape_of(p));
    const py::object counts = all[key];
    for (std::size_t port = 0; port < kPorts; ++port)
      add(counts[ports[port]], color.wavelets[port]);
    add(counts["held"], color.held);
  }
  return all;
}

using Columns = std::initializer_list<std::pair<const char*, const char*>>;

/// A structured array of these rows.
py::array table(Columns columns, const py::list& rows) {
  py::list fields;
  for (const auto& [name, type] : columns) fields.append(field(name, type));
  return py::module_::import("numpy").attr("array")(rows, fields);
}

py::array lines(const Profile& p, const std::string& program) {
  py::list rows;
  for (const LineCounts& line : p.lines(program))
    rows.append(py::make_tuple(line.first, in_python(line.what), line.where, line.cycles, line.most,
                               line.x, line.y));
  return table({{"first", "i4"},
                {"what", "O"},
                {"where", "O"},
                {"cycles", "u8"},
                {"most", "u8"},
                {"x", "i4"},
                {"y", "i4"}},
               rows);
}

py::array code(const Profile& p, const std::string& program) {
  py::list rows;
  for (const CodeCounts& each : p.program(program).code)
    rows.append(py::make_tuple(each.text, each.line, each.phase, each.cycles));
  return table({{"text", "O"}, {"line", "i4"}, {"phase", "i4"}, {"cycles", "u8"}}, rows);
}

py::array tasks(const Profile& p, const std::string& program) {
  py::list rows;
  for (const ProgramTask& task : p.program(program).tasks)
    rows.append(
        py::make_tuple(std::string(to_string(task.kind)), task.number, task.name, task.entry));
  return table({{"kind", "O"}, {"number", "i4"}, {"name", "O"}, {"entry", "i4"}}, rows);
}

py::array arrays(const Profile& p, const std::string& program) {
  py::list rows;
  for (const auto& [name, span] : p.program(program).arrays)
    rows.append(py::make_tuple(name, span.address, span.bytes,
                               in_python(std::string(to_string(span.type))),
                               py::tuple(py::cast(span.extents))));
  return table({{"name", "O"}, {"address", "u4"}, {"bytes", "u4"}, {"type", "O"}, {"extents", "O"}},
               rows);
}

py::list programs(const Profile& p) {
  py::list names;
  for (const ProgramCounts& program : p.programs) names.append(program.name);
  return names;
}

py::array program_of(const Profile& p) {
  const py::array_t<std::int32_t> flat(static_cast<py::ssize_t>(p.program_of.size()),
                                       p.program_of.data());
  return flat.attr("reshape")(py::cast(shape_of(p)));
}

std::optional<Route> route(const Profile& p, const py::object& color, int x, int y) {
  if (x < 0 || x >= p.width || y < 0 || y >= p.height)
    throw Error(ErrorCategory::usage,
                "no PE (" + std::to_string(x) + ", " + std::to_string(y) + ")",
                "the mesh has " + std::to_string(p.width) + " x " + std::to_string(p.height),
                "name one of these");
  const auto pe =
      static_cast<std::size_t>(y) * static_cast<std::size_t>(p.width) + static_cast<std::size_t>(x);
  const bool by_name = py::isinstance<py::str>(color);
  bool found = false;
  for (const ColorCounts& each : p.colors) {
    if (by_name ? each.name != text_of(color) : each.color != whole_number<int>(color, "color"))
      continue;
    found = true;
    const std::int32_t kind = each.route_of[pe];
    if (kind >= 0) return each.routes[static_cast<std::size_t>(kind)].route;
  }
  if (!found)
    throw Error(ErrorCategory::usage, "there is no color " + text_of(color),
                "the run's layout has none of this name or number", "see Profile.colors");
  return {};
}

/// By name, in the order in which they began.
py::dict phases(const Profile& p) {
  py::list fields;
  fields.append(field("first", "u8"));
  fields.append(field("last", "u8"));
  for (const CountInfo& info : count_infos())
    if (is_by_phase(info)) fields.append(field(info.name, "u8"));
  py::dict all;
  for (const PhaseCounts& phase : p.phases) {
    const py::array counts = structured(fields, shape_of(p));
    add(counts["first"], phase.first);
    add(counts["last"], phase.last);
    for (const CountInfo& info : count_infos())
      if (is_by_phase(info))
        add(counts[py::str(info.name)], phase.counts[static_cast<std::size_t>(info.count)]);
    all[py::str(phase.name)] = counts;
  }
  return all;
}

py::object stuck(const Profile& p) {
  if (!p.stuck) return py::none();
  py::list rows;
  for (const StuckWait& wait : p.stuck->waits)
    rows.append(py::make_tuple(wait.what, in_python(wait.line), wait.x, wait.y, wait.color,
                               wait.cause, wait.waits_for, wait.first));
  py::dict all;
  all["error"] = in_python(p.stuck->error);
  all["causes"] = p.stuck->causes;
  all["waits"] = table({{"what", "O"},
                        {"line", "O"},
                        {"x", "i4"},
                        {"y", "i4"},
                        {"color", "i4"},
                        {"cause", "i4"},
                        {"waits_for", "i4"},
                        {"first", "?"}},
                       rows);
  return all;
}

py::array path(const Profile& p) {
  py::list rows;
  for (const PathPiece& piece : p.path)
    rows.append(py::make_tuple(piece.from, piece.to, std::string(to_string(piece.kind)), piece.x,
                               piece.y, piece.to_x, piece.to_y, piece.color, piece.instruction,
                               piece.phase));
  return table({{"from", "u8"},
                {"to", "u8"},
                {"kind", "O"},
                {"x", "i4"},
                {"y", "i4"},
                {"to_x", "i4"},
                {"to_y", "i4"},
                {"color", "i4"},
                {"instruction", "i4"},
                {"phase", "i4"}},
               rows);
}

py::dict entries(const Profile& p) {
  py::dict all;
  for (const ProfileEntry& entry : p.entries()) all[py::str(entry.name)] = py::bytes(entry.bytes);
  return all;
}

Profile from_entries(const py::dict& files, const std::string& source) {
  std::vector<ProfileEntry> all;
  for (const auto& [name, bytes] : files)
    all.push_back({py::cast<std::string>(name), py::cast<std::string>(bytes)});
  return Profile::of_entries(all, source);
}

constexpr std::uint64_t kPageLimit = std::uint64_t{64} << 20, kNotebookLimit = kPageLimit / 4;

/// The page's text, deflated by Python's own library.
std::string page_of(const Profile& p, const PageOptions& options) {
  const py::object deflate = files().attr("deflate");
  return page_text(p, options, [&](std::string_view bytes) {
    return py::cast<std::string>(deflate(py::bytes(bytes.data(), bytes.size())));
  });
}

void write_page_to(const Profile& p, const py::object& path, const Profile* against,
                   const py::object& limit) {
  files().attr("check_writable")(path);
  PageOptions options{.name = py::cast<std::string>(files().attr("name")(path)),
                      .against = against,
                      .limit = whole_number<std::uint64_t>(limit, "limit")};
  files().attr("replace")(path, py::bytes(page_of(p, options)));
}

std::string picture_of(const HeatMap& map, const py::object& path) {
  const auto script_of = [&](const std::string& file) { return heat_map_script(map, file); };
  return py::cast<std::string>(files().attr("picture")(py::cpp_function(script_of), path));
}

void draw_heat_map(const Profile& p, const std::string& metric, const py::object& path,
                   const py::object& window) {
  std::optional<int> number;
  if (!window.is_none()) number = whole_number<int>(window, "window");
  if (!py::cast<bool>(files().attr("is_animated")(path))) {
    const std::string drawn = picture_of(heat_map(p, metric, number), path);
    files().attr("replace")(path, py::bytes(drawn));
    return;
  }
  if (number)
    throw Error(ErrorCategory::usage, "a window of time for an .apng file", "it shows all of them",
                "leave the window out, or name a .png file");
  std::vector<std::string> pictures;
  for (const HeatMap& map : heat_maps(p, metric)) pictures.push_back(picture_of(map, path));
  files().attr("replace")(path, py::bytes(animated_png(pictures)));
}

/// For notebooks: the page in a frame.
std::string frame_of(const Profile& p) {
  const PageOptions options{.limit = kNotebookLimit};
  return py::cast<std::string>(files().attr("frame")(page_of(p, options)));
}

std::string text(const Profile& p) {
  return "Profile(" + std::to_string(p.width) + " x " + std::to_string(p.height) + " PEs, " +
         std::to_string(p.cycles) + " cycles, " + std::to_string(p.windows) + " windows)";
}

}  // namespace

void bind_profile(py::module_& m) {
  py::class_<Observation> observe(m, "Observe");
  observe.def(py::init([](std::optional<bool> counted, int windows,
                          const std::vector<EventChoice>& events, bool path) {
                const bool counts = counted.value_or(events.empty() || path);
                return Observation{counts, counts ? windows : 0, events, path};
              }),
              py::arg("counts") = py::none(), py::arg("windows") = 128,
              py::arg("events") = std::vector<EventChoice>(), py::arg("path") = false);
  value(observe, Part{"counts", &Observation::counts}, Part{"windows", &Observation::windows},
        Part{"events", &Observation::events}, Part{"path", &Observation::path});

  py::class_<Profile, std::shared_ptr<Profile>> profile(m, "Profile");
  profile.def("__repr__", &text)
      .def(
          "__eq__", [](const Profile& a, const Profile& b) { return a == b; }, py::is_operator())
      .def(
          py::pickle(&entries, [](const py::dict& files) { return from_entries(files, "pickle"); }))
      .def_property_readonly("width", [](const Profile& p) { return p.width; })
      .def_property_readonly("height", [](const Profile& p) { return p.height; })
      .def_property_readonly("cycles", [](const Profile& p) { return p.cycles; })
      .def_property_readonly("window_cycles", [](const Profile& p) { return p.window_cycles; })
      .def_property_readonly("pes", &pes)
      .def_property_readonly("links", &links)
      .def_property_readonly("windows", &windows)
      .def_property_readonly("colors", &colors)
      .def("lines", &lines, py::arg("program"))
      .def_property_readonly("machine", [](const Profile& p) { return p.machine; })
      .def_property_readonly("programs", &programs)
      .def_property_readonly("program_of", &program_of)
      .def("code", &code, py::arg("program"))
      .def("tasks", &tasks, py::arg("program"))
      .def("arrays", &arrays, py::arg("program"))
      .def("route", &route, py::arg("color"), py::arg("x"), py::arg("y"))
      .def_property_readonly("phases", &phases)
      .def_property_readonly("path", &path)
      .def_property_readonly("stuck", &stuck)
      .def(
          "save",
          [](const Profile& p, const py::object& path) { files().attr("write")(entries(p), path); },
          py::arg("path"))
      .def("page", &write_page_to, py::arg("path"), py::arg("against") = py::none(),
           py::arg("limit") = kPageLimit)
      .def("heatmap", &draw_heat_map, py::arg("metric"), py::arg("path"),
           py::arg("window") = py::none())
      .def("_repr_html_", &frame_of);
  m.def(
      "load_profile",
      [](const py::object& path) {
        return from_entries(files().attr("read")(path), text_of(path));
      },
      py::arg("path"));
}

}  // namespace weft::python
