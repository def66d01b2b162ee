#include "trace.hpp"

#include <limits>
#include <utility>

#include "values.hpp"

namespace weft::python {
namespace {

constexpr std::uint64_t kNoEnd = std::numeric_limits<std::uint64_t>::max();

std::vector<std::string> names_of(const std::vector<EventKind>& kinds) {
  std::vector<std::string> names;
  names.reserve(kinds.size());
  for (const EventKind kind : kinds)
    names.emplace_back(event_infos()[static_cast<std::size_t>(kind)].name);
  return names;
}

std::vector<EventKind> kinds_of(const std::vector<std::string>& words) {
  std::vector<EventKind> kinds;
  for (const std::string& word : words)
    for (const EventKind kind : event_kinds(word)) kinds.push_back(kind);
  return kinds;
}

py::tuple cycles_of(const EventChoice& c) {
  const py::object end = c.to == kNoEnd ? py::object(py::none()) : py::object(py::int_(c.to));
  return py::make_tuple(c.from, end);
}

using Cycles = std::pair<std::uint64_t, std::optional<std::uint64_t>>;

EventChoice choice_of(const std::optional<Rect>& pes, const std::vector<std::string>& kinds,
                      const std::vector<py::object>& colors, const std::optional<Cycles>& cycles) {
  EventChoice choice{.pes = pes, .kinds = kinds_of(kinds)};
  choice.colors.reserve(colors.size());
  for (const py::object& color : colors) choice.colors.push_back(text_of(color));
  if (!cycles) return choice;
  choice.from = cycles->first;
  choice.to = cycles->second.value_or(kNoEnd);
  return choice;
}

}  // namespace

PyTrace::PyTrace(RunningFabric& fabric, const py::object& path, std::uint64_t limit)
    : fabric_(fabric) {
  const py::object name = py::module_::import("os").attr("fspath")(path);
  const TraceFormat format = trace_format(text_of(name));
  file_ = py::module_::import("weft._traces").attr("File")(name, format.compressed);
  // It does not own the file: the stream calls it where the GIL is not held.
  const auto put = [file = py::handle(file_)](std::string_view bytes) {
    std::uint64_t all = 0;
    with_gil([&] {
      all = py::cast<std::uint64_t>(file.attr("write")(py::bytes(bytes.data(), bytes.size())));
    });
    return all;
  };
  fabric_.use([&](Fabric& f) { stream_.emplace(f, format, limit, put); });
}

void PyTrace::close() {
  if (!stream_) return;
  summary_ = fabric_.use([&](Fabric&) { return stream_->close(); });
  const std::string front = stream_->front();
  stream_.reset();
  summary_.bytes = py::cast<std::uint64_t>(file_.attr("finish")(py::bytes(front)));
}

void bind_trace(py::module_& m) {
  py::class_<EventChoice> events(m, "Events");
  events
      .def(py::init(&choice_of), py::arg("pes") = py::none(),
           py::arg("kinds") = std::vector<std::string>(),
           py::arg("colors") = std::vector<py::object>(), py::arg("cycles") = py::none())
      .def_property_readonly("pes", [](const EventChoice& c) { return c.pes; })
      .def_property_readonly("kinds", [](const EventChoice& c) { return names_of(c.kinds); })
      .def_property_readonly("colors", [](const EventChoice& c) { return c.colors; })
      .def_property_readonly("cycles", &cycles_of)
      .def("__repr__", [](const py::object& self) {
        return show(self, {"pes", "kinds", "colors", "cycles"});
      });
  value_by(
      events,
      [](const EventChoice& c) {
        return py::make_tuple(c.pes, names_of(c.kinds), c.colors, cycles_of(c));
      },
      [](const py::tuple& from) {
        return choice_of(py::cast<std::optional<Rect>>(from[0]),
                         py::cast<std::vector<std::string>>(from[1]),
                         py::cast<std::vector<py::object>>(from[2]), py::cast<Cycles>(from[3]));
      });

  py::class_<PyTrace> trace(m, "Trace");
  handle(trace, "it takes the events of a fabric in this process", "copy its file");
  trace.def("__enter__", [](const py::object& self) { return self; })
      .def("__exit__", [](PyTrace& self, const py::args&) { self.close(); })
      .def("close", &PyTrace::close)
      .def_property_readonly("events", [](const PyTrace& t) { return t.summary().events; })
      .def_property_readonly("bytes", [](const PyTrace& t) { return t.summary().bytes; })
      .def_property_readonly("lacks_from", [](const PyTrace& t) { return t.summary().lacks_from; });
}

}  // namespace weft::python
