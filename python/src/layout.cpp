#include "values.hpp"

namespace weft::python {
namespace {

PortSet ports_of(const py::object& ports) {
  if (py::isinstance<Port>(ports)) return py::cast<Port>(ports);
  PortSet all;
  const bool several = py::isinstance<py::iterable>(ports);
  for (const py::handle port : several ? ports : py::make_tuple(ports)) {
    if (!py::isinstance<Port>(port))
      throw Error(ErrorCategory::usage, "invalid port: " + std::string(py::repr(port)),
                  "the sides of a route are Ports",
                  "write Port.west, or several: (Port.west, Port.ramp)");
    all = all | py::cast<Port>(port);
  }
  return all;
}

Rect rect_of(const py::sequence& numbers) {
  if (numbers.size() != 4)
    throw Error(ErrorCategory::usage, "a rectangle has four numbers",
                "these are " + std::to_string(numbers.size()), "write (x, y, width, height)");
  const auto at = [&](std::size_t i, const char* name) {
    return whole_number<int>(py::object(numbers[i]), name);
  };
  return {at(0, "x"), at(1, "y"), at(2, "width"), at(3, "height")};
}

Route make_route(const py::object& rx, const py::object& tx,
                 const std::vector<SwitchPosition>& positions, bool ring, int initial, PopMode pop,
                 std::optional<int> input_queue, bool swap_north_south, bool swap_east_west) {
  Route r{.rx = ports_of(rx), .tx = ports_of(tx)};
  r.positions = positions;
  r.ring = ring;
  r.initial = initial;
  r.pop = pop;
  r.input_queue = input_queue;
  r.swap_north_south = swap_north_south;
  r.swap_east_west = swap_east_west;
  return r;
}

void bind_places(py::module_& m) {
  py::enum_<Port>(m, "Port", "A side of a router.")
      .value("west", Port::west, "to smaller x")
      .value("east", Port::east, "to greater x")
      .value("south", Port::south, "to greater y")
      .value("north", Port::north, "to smaller y")
      .value("ramp", Port::ramp, "to and from the core");
  py::class_<Rect> rect(m, "Rect");
  rect.def(py::init([](int x, int y, int width, int height) {
             return Rect{x, y, width, height};
           }),
           py::arg("x"), py::arg("y"), py::arg("width") = 1, py::arg("height") = 1)
      .def(py::init(&rect_of), py::arg("numbers"))
      .def("__repr__", [](const Rect& r) {
        return "Rect(" + std::to_string(r.x) + ", " + std::to_string(r.y) + ", " +
               std::to_string(r.width) + ", " + std::to_string(r.height) + ")";
      });
  value(rect, Part{"x", &Rect::x}, Part{"y", &Rect::y}, Part{"width", &Rect::width},
        Part{"height", &Rect::height});
  py::implicitly_convertible<py::sequence, Rect>();
  py::class_<Color> color(m, "Color");
  color.def(py::init<int>(), py::arg("number")).def("__repr__", [](Color c) {
    return "Color(" + std::to_string(c.number) + ")";
  });
  value(color, Part{"number", &Color::number});
  py::implicitly_convertible<py::object, Color>();
  py::class_<ColorPair> pair(m, "ColorPair");
  value(pair, Part{"even", &ColorPair::even}, Part{"odd", &ColorPair::odd});
}

void bind_filters(py::module_& m) {
  py::class_<CounterFilter> by_count(m, "CounterFilter");
  by_count.def(py::init([](std::uint32_t counter, std::uint32_t limit1, std::uint32_t max_counter,
                           bool count_data, bool count_control, bool filter_control) {
                 return CounterFilter{counter,    limit1,        max_counter,
                                      count_data, count_control, filter_control};
               }),
               py::kw_only(), py::arg("counter") = 0, py::arg("limit1") = 0,
               py::arg("max_counter") = 0, py::arg("count_data") = true,
               py::arg("count_control") = false, py::arg("filter_control") = false);
  value(by_count, Part{"counter", &CounterFilter::counter}, Part{"limit1", &CounterFilter::limit1},
        Part{"max_counter", &CounterFilter::max_counter},
        Part{"count_data", &CounterFilter::count_data},
        Part{"count_control", &CounterFilter::count_control},
        Part{"filter_control", &CounterFilter::filter_control});
  using Sparse = SparseCounterFilter;
  py::class_<Sparse> sparse(m, "SparseCounterFilter");
  sparse.def(
      py::init([](std::uint32_t counter, std::uint32_t limit1, std::uint32_t max_counter,
                  std::optional<std::uint32_t> limit2, bool count_data, bool count_control) {
        return SparseCounterFilter{counter, limit1, max_counter, limit2, count_data, count_control};
      }),
      py::kw_only(), py::arg("counter") = 0, py::arg("limit1") = 0, py::arg("max_counter") = 0,
      py::arg("limit2") = py::none(), py::arg("count_data") = true,
      py::arg("count_control") = false);
  value(sparse, Part{"counter", &Sparse::counter}, Part{"limit1", &Sparse::limit1},
        Part{"max_counter", &Sparse::max_counter}, Part{"limit2", &Sparse::limit2},
        Part{"count_data", &Sparse::count_data}, Part{"count_control", &Sparse::count_control});
  py::class_<RangeFilter> range(m, "RangeFilter");
  range.def(py::init([](std::uint16_t low, std::uint16_t high) {
              return RangeFilter{low, high};
            }),
            py::arg("min_index"), py::arg("max_index"));
  value(range, Part{"min_index", &RangeFilter::min_index},
        Part{"max_index", &RangeFilter::max_index});
}

void bind_routes(py::module_& m) {
  py::enum_<PopMode>(m, "PopMode", "When a router removes the first command of a control wavelet.")
      .value("no_pop", PopMode::no_pop, "never")
      .value("always_pop", PopMode::always_pop, "whatever the command is")
      .value("pop_on_advance", PopMode::pop_on_advance, "if the switch advances")
      .value("pop_on_advance_nop", PopMode::pop_on_advance_nop, "if it advances, or is a nop");
  py::class_<SwitchPosition> position(m, "SwitchPosition");
  position.def_static("receive", &SwitchPosition::receive, py::arg("port"))
      .def_static("send", &SwitchPosition::send, py::arg("port"))
      .def_property_readonly(
          "receives", [](const SwitchPosition& p) { return p.side == SwitchPosition::Side::rx; })
      .def_readonly("port", &SwitchPosition::port)
      .def("__repr__", [](const SwitchPosition& p) {
        return std::string("SwitchPosition.") +
               (p.side == SwitchPosition::Side::rx ? "receive" : "send") + "(" +
               py::cast<std::string>(py::str(py::cast(p.port))) + ")";
      });
  value_by(
      position,
      [](const SwitchPosition& p) {
        return py::make_tuple(p.side == SwitchPosition::Side::rx, p.port);
      },
      [](const py::tuple& from) {
        const auto port = py::cast<Port>(from[1]);
        return py::cast<bool>(from[0]) ? SwitchPosition::receive(port) : SwitchPosition::send(port);
      });
  py::class_<Route> route(m, "Route");
  route.def(py::init(&make_route), py::kw_only(), py::arg("rx"), py::arg("tx"),
            py::arg("positions") = std::vector<SwitchPosition>{}, py::arg("ring") = false,
            py::arg("initial") = 0, py::arg("pop") = PopMode::no_pop,
            py::arg("input_queue") = py::none(), py::arg("swap_north_south") = false,
            py::arg("swap_east_west") = false);
  value(route, Part{"rx", &Route::rx}, Part{"tx", &Route::tx}, Part{"positions", &Route::positions},
        Part{"ring", &Route::ring}, Part{"initial", &Route::initial}, Part{"pop", &Route::pop},
        Part{"input_queue", &Route::input_queue},
        Part{"swap_north_south", &Route::swap_north_south},
        Part{"swap_east_west", &Route::swap_east_west});
  m.def(
      "control_payload",
      [](const std::vector<std::string>& commands, int entry, bool no_core) {
        ControlWavelet w;
        w.entry = entry;
        const char* names[] = {"nop", "advance", "reset", "teardown"};
        if (commands.size() > w.slots.size())
          throw Error(ErrorCategory::usage, "a control wavelet has up to eight commands",
                      "these are " + std::to_string(commands.size()), "send two wavelets");
        for (std::size_t i = 0; i < commands.size(); ++i) {
          const auto* at = std::find(std::begin(names), std::end(names), commands[i]);
          if (at == std::end(names))
            throw Error(ErrorCategory::usage, "there is no command " + commands[i],
                        "commands are nop, advance, reset and teardown", "use one of these");
          w.slots[i] = {static_cast<ControlWavelet::Command>(at - std::begin(names)), no_core};
        }
        return w.payload();
      },
      py::arg("commands"), py::arg("entry") = kNoEntry, py::arg("no_core") = true);
}

}  // namespace

void bind_layout(py::module_& m) {
  bind_places(m);
  bind_filters(m);
  bind_routes(m);
}

}  // namespace weft::python
