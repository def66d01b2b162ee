#include "bind.hpp"

namespace weft::python {
namespace {

PortSet ports_of(const py::object& ports) {
  if (py::isinstance<Port>(ports)) return py::cast<Port>(ports);
  PortSet all;
  for (const py::handle port : ports) all = all | py::cast<Port>(port);
  return all;
}

Rect rect_of(const py::sequence& numbers) {
  if (numbers.size() != 4)
    throw Error(ErrorCategory::usage, "a rectangle has four numbers",
                "these are " + std::to_string(numbers.size()), "write (x, y, width, height)");
  const auto at = [&](std::size_t i) { return py::cast<int>(numbers[i]); };
  return {at(0), at(1), at(2), at(3)};
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
      .value("west", Port::west)
      .value("east", Port::east)
      .value("south", Port::south)
      .value("north", Port::north)
      .value("ramp", Port::ramp);
  py::class_<Rect>(m, "Rect",
                   "PEs from column x and row y on: (x, y, width, height), as a tuple too. x grows "
                   "to the east, y to the south.")
      .def(py::init([](int x, int y, int width, int height) {
             return Rect{x, y, width, height};
           }),
           py::arg("x"), py::arg("y"), py::arg("width") = 1, py::arg("height") = 1)
      .def(py::init(&rect_of))
      .def_readonly("x", &Rect::x, "column of its first PE")
      .def_readonly("y", &Rect::y, "row of its first PE")
      .def_readonly("width", &Rect::width, "columns")
      .def_readonly("height", &Rect::height, "rows")
      .def("__repr__", [](const Rect& r) {
        return "Rect(" + std::to_string(r.x) + ", " + std::to_string(r.y) + ", " +
               std::to_string(r.width) + ", " + std::to_string(r.height) + ")";
      });
  py::implicitly_convertible<py::tuple, Rect>();
  py::implicitly_convertible<py::list, Rect>();
  py::class_<Color>(m, "Color", "A virtual channel; Design.color hands them out.")
      .def(py::init<int>(), py::arg("number"))
      .def_readonly("number", &Color::number, "from 0 to 23")
      .def("__repr__", [](Color c) { return "Color(" + std::to_string(c.number) + ")"; });
  py::implicitly_convertible<py::int_, Color>();
  py::class_<ColorPair>(m, "ColorPair", "Two colors that differ in bit 0.")
      .def_readonly("even", &ColorPair::even, "the one with bit 0 clear")
      .def_readonly("odd", &ColorPair::odd, "the other one");
}

void bind_filters(py::module_& m) {
  py::class_<CounterFilter>(
      m, "CounterFilter",
      "Accepts a wavelet if counter <= max_counter; the counter goes from 0 to "
      "limit1 and again to 0.")
      .def(py::init([](std::uint32_t counter, std::uint32_t limit1, std::uint32_t max_counter,
                       bool count_data, bool count_control, bool filter_control) {
             return CounterFilter{counter,    limit1,        max_counter,
                                  count_data, count_control, filter_control};
           }),
           py::kw_only(), py::arg("counter") = 0, py::arg("limit1") = 0, py::arg("max_counter") = 0,
           py::arg("count_data") = true, py::arg("count_control") = false,
           py::arg("filter_control") = false);
  py::class_<SparseCounterFilter>(m, "SparseCounterFilter",
                                  "As CounterFilter, for a while: see the model.")
      .def(py::init([](std::uint32_t counter, std::uint32_t limit1, std::uint32_t max_counter,
                       std::optional<std::uint32_t> limit2, bool count_data, bool count_control) {
             return SparseCounterFilter{counter, limit1,     max_counter,
                                        limit2,  count_data, count_control};
           }),
           py::kw_only(), py::arg("counter") = 0, py::arg("limit1") = 0, py::arg("max_counter") = 0,
           py::arg("limit2") = py::none(), py::arg("count_data") = true,
           py::arg("count_control") = false);
  py::class_<RangeFilter>(
      m, "RangeFilter", "Accepts data wavelets whose upper 16 bits are in min_index .. max_index.")
      .def(py::init([](std::uint16_t low, std::uint16_t high) {
             return RangeFilter{low, high};
           }),
           py::arg("min_index"), py::arg("max_index"));
}

void bind_routes(py::module_& m) {
  py::enum_<PopMode>(m, "PopMode", "When a router removes the first command of a control wavelet.")
      .value("no_pop", PopMode::no_pop)
      .value("always_pop", PopMode::always_pop)
      .value("pop_on_advance", PopMode::pop_on_advance)
      .value("pop_on_advance_nop", PopMode::pop_on_advance_nop);
  py::class_<SwitchPosition>(m, "SwitchPosition", "A switch position past the first.")
      .def_static("receive", &SwitchPosition::receive, py::arg("port"),
                  "It takes wavelets from this side, and sends as the position before it.")
      .def_static("send", &SwitchPosition::send, py::arg("port"),
                  "It sends to this side, and receives as the position before it.");
  py::class_<Route>(m, "Route", "How routers treat a color.")
      .def(
          py::init(&make_route), py::kw_only(), py::arg("rx"), py::arg("tx"),
          py::arg("positions") = std::vector<SwitchPosition>{}, py::arg("ring") = false,
          py::arg("initial") = 0, py::arg("pop") = PopMode::no_pop,
          py::arg("input_queue") = py::none(), py::arg("swap_north_south") = false,
          py::arg("swap_east_west") = false,
          "rx and tx: a Port, or several. positions: SwitchPosition.receive or send, up to three.");
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
      py::arg("commands"), py::arg("entry") = kNoEntry, py::arg("no_core") = true,
      "The word of a control wavelet: its commands, 'nop', 'advance', 'reset' or 'teardown', one "
      "for each router that pops, and the control task that it starts.");
}

}  // namespace

void bind_layout(py::module_& m) {
  bind_places(m);
  bind_filters(m);
  bind_routes(m);
}

}  // namespace weft::python
