#include <algorithm>

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
      add(all[py::str(info.name)], p.windowed[static_cast<std::size_t>(info.count)]);
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

py::array lines(const Profile& p, const std::string& program) {
  py::list fields, rows;
  for (const auto& [name, type] :
       {std::pair{"first", "i4"}, std::pair{"what", "O"}, std::pair{"where", "O"},
        std::pair{"cycles", "u8"}, std::pair{"most", "u8"}, std::pair{"x", "i4"},
        std::pair{"y", "i4"}})
    fields.append(field(name, type));
  for (const LineCounts& line : p.lines(program))
    rows.append(py::make_tuple(line.first, in_python(line.what), line.where, line.cycles, line.most,
                               line.x, line.y));
  return py::module_::import("numpy").attr("array")(rows, fields);
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

std::string text(const Profile& p) {
  return "Profile(" + std::to_string(p.width) + " x " + std::to_string(p.height) + " PEs, " +
         std::to_string(p.cycles) + " cycles, " + std::to_string(p.windows) + " windows)";
}

}  // namespace

void bind_profile(py::module_& m) {
  py::class_<Observation> observe(m, "Observe");
  observe.def(py::init([](std::optional<bool> counted, int windows,
                          const std::vector<EventChoice>& events) {
                const bool counts = counted.value_or(events.empty());
                return Observation{counts, counts ? windows : 0, events};
              }),
              py::arg("counts") = py::none(), py::arg("windows") = 128,
              py::arg("events") = std::vector<EventChoice>());
  value(observe, Part{"counts", &Observation::counts}, Part{"windows", &Observation::windows},
        Part{"events", &Observation::events});

  py::class_<Profile> profile(m, "Profile");
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
      .def(
          "save",
          [](const Profile& p, const py::object& path) { files().attr("write")(entries(p), path); },
          py::arg("path"));
  m.def(
      "load_profile",
      [](const py::object& path) {
        return from_entries(files().attr("read")(path), text_of(path));
      },
      py::arg("path"));
}

}  // namespace weft::python
