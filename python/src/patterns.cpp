#include "text.hpp"

namespace weft::python {
namespace {

using D = Design&;
using R = const Rect&;
using V = const PeVector&;

constexpr const char* kCycles = "Cycles by a formula; weft/patterns.hpp says from where to where.";

/// A method that writes code and returns nothing.
template <class T, class... A>
auto writes(void (T::*method)(PeProgram&, A...) const) {
  return [method](const T& self, const TextRef& t, A... a) { (self.*method)(t->get(), a...); };
}

/// A method that starts operations.
template <class T>
auto starts(std::vector<PeOperation> (T::*method)(PeProgram&, V, V) const) {
  return [method](const T& self, const TextRef& t, V out, V in) {
    return with_text(t, (self.*method)(t->get(), out, in));
  };
}

void bind_neighbors(py::module_& m) {
  py::class_<NeighborShift>(
      m, "NeighborShift",
      "Each PE sends to its neighbour on one side, and receives from the one on the other side. "
      "Takes two colors, one queue of each direction and no filters; each shift in a text a task.")
      .def(py::init<D, R, Port, const std::string&>(), py::arg("design"), py::arg("where"),
           py::arg("to"), py::arg("name") = "shift")
      .def("start", starts(&NeighborShift::start), py::arg("pe"), py::arg("out"), py::arg("in_"),
           "Sends `out`, receives as many elements into `in_`: the operations to wait for.")
      .def("shift", writes(&NeighborShift::shift), py::arg("pe"), py::arg("out"), py::arg("in_"),
           "The same, and waits.")
      .def("send", writes(&NeighborShift::send), py::arg("pe"), py::arg("out"),
           "Its half that sends; the core waits.")
      .def("receive", writes(&NeighborShift::receive), py::arg("pe"), py::arg("in_"),
           "Its half that receives; the core waits.")
      .def_static("cycles", &NeighborShift::cycles, py::arg("machine"), py::arg("n"), kCycles);
  py::class_<HaloExchange>(
      m, "HaloExchange",
      "Exchange of the borders of a block with its halo, (rows + 2) x (columns + 2), with four "
      "neighbours, or with all eight. Takes eight colors, four queues of each direction and no "
      "filters; each exchange in a text seven tasks, with corners six.")
      .def(py::init([](D design, R where, bool corners, const std::string& name) {
             return HaloExchange(design, where,
                                 corners ? HaloExchange::Corners::all : HaloExchange::Corners::none,
                                 name);
           }),
           py::arg("design"), py::arg("where"), py::arg("corners") = false,
           py::arg("name") = "halo")
      .def("exchange", writes(&HaloExchange::exchange), py::arg("pe"), py::arg("with_halo"),
           "Sends the borders and receives the halo; code goes on below when both are done.")
      .def_static(
          "most_cycles",
          [](const Machine& machine, std::uint64_t rows, std::uint64_t columns, bool corners) {
            return HaloExchange::most_cycles(
                machine, rows, columns,
                corners ? HaloExchange::Corners::all : HaloExchange::Corners::none);
          },
          py::arg("machine"), py::arg("rows"), py::arg("columns"), py::arg("corners") = false,
          kCycles);
}

void bind_lines(py::module_& m) {
  py::enum_<Along>(m, "Along", "Lines of PEs.")
      .value("rows", Along::rows)
      .value("columns", Along::columns);
  py::enum_<ReduceOperation>(m, "ReduceOperation", "How elements are reduced.")
      .value("sum", ReduceOperation::sum)
      .value("max", ReduceOperation::max);
  py::class_<Broadcast>(
      m, "Broadcast",
      "One PE sends to all others of its line, or of a rectangle. Takes one color, one "
      "queue in each PE, no filters and no tasks.")
      .def(py::init<D, R, Along, int, const std::string&>(), py::arg("design"), py::arg("where"),
           py::arg("along"), py::arg("root"), py::arg("name") = "broadcast")
      .def(py::init<D, R, int, int, const std::string&>(), py::arg("design"), py::arg("where"),
           py::arg("x"), py::arg("y"), py::arg("name") = "broadcast")
      .def("broadcast", writes(&Broadcast::broadcast), py::arg("pe"), py::arg("v"),
           "The root sends v, the others receive it into v; the core waits.")
      .def_static("cycles", &Broadcast::cycles, py::arg("machine"), py::arg("n"), py::arg("links"),
                  kCycles);
  py::class_<ReduceChain>(
      m, "ReduceChain",
      "Vectors of a line, added up on the way to its end. Takes two colors, one queue of "
      "each direction, no filters and no tasks.")
      .def(py::init<D, R, Port, const std::string&>(), py::arg("design"), py::arg("where"),
           py::arg("to"), py::arg("name") = "reduce")
      .def("reduce", writes(&ReduceChain::reduce), py::arg("pe"), py::arg("v"),
           py::arg("operation") = ReduceOperation::sum,
           "v becomes the result where it goes to; the core waits.")
      .def_static("cycles", &ReduceChain::cycles, py::arg("machine"), py::arg("n"),
                  py::arg("length"), kCycles);
  py::class_<ReduceTree>(
      m, "ReduceTree",
      "The same by a tree, to the first PE: for short vectors. Takes a color for each "
      "step, in the first PE a queue for each too, no filters and no tasks.")
      .def(py::init<D, R, Along, const std::string&>(), py::arg("design"), py::arg("where"),
           py::arg("along"), py::arg("name") = "tree")
      .def("reduce", writes(&ReduceTree::reduce), py::arg("pe"), py::arg("v"),
           py::arg("operation") = ReduceOperation::sum,
           "v becomes the result where it goes to; the core waits.")
      .def_static("cycles", &ReduceTree::cycles, py::arg("machine"), py::arg("n"),
                  py::arg("length"), kCycles);
  py::class_<AllReduce>(
      m, "AllReduce",
      "The reduction of each line, in each of its PEs. Takes what a reduction and a "
      "broadcast take.")
      .def(py::init([](D design, R where, Along along, bool tree, const std::string& name) {
             return AllReduce(design, where, along,
                              tree ? AllReduce::By::tree : AllReduce::By::chain, name);
           }),
           py::arg("design"), py::arg("where"), py::arg("along"), py::arg("tree") = false,
           py::arg("name") = "all-reduce")
      .def("reduce", writes(&AllReduce::reduce), py::arg("pe"), py::arg("v"),
           py::arg("operation") = ReduceOperation::sum,
           "v becomes the result where it goes to; the core waits.")
      .def_static(
          "cycles",
          [](const Machine& machine, std::uint64_t n, int length, bool tree) {
            return AllReduce::cycles(machine, n, length,
                                     tree ? AllReduce::By::tree : AllReduce::By::chain);
          },
          py::arg("machine"), py::arg("n"), py::arg("length"), py::arg("tree") = false, kCycles);
  py::class_<RingShift>(
      m, "RingShift",
      "Each PE of a line sends to the next one of a folded ring. Takes four colors, one "
      "queue of each direction and no filters; each shift in a text a task.")
      .def(py::init<D, R, Along, const std::string&>(), py::arg("design"), py::arg("where"),
           py::arg("along"), py::arg("name") = "ring")
      .def("start", starts(&RingShift::start), py::arg("pe"), py::arg("out"), py::arg("in_"),
           "Sends `out`, receives as many elements into `in_`: the operations to wait for.")
      .def("shift", writes(&RingShift::shift), py::arg("pe"), py::arg("out"), py::arg("in_"),
           "The same, and waits.")
      .def_static("place_of", &RingShift::place_of, py::arg("pe"), py::arg("length"),
                  "The place in the ring of a PE of a line.")
      .def_static("pe_at", &RingShift::pe_at, py::arg("place"), py::arg("length"),
                  "The PE of a line at a place of the ring.")
      .def_static("cycles", &RingShift::cycles, py::arg("machine"), py::arg("n"), kCycles);
  py::class_<Scatter>(
      m, "Scatter",
      "The first PE of each line gives each its part of a vector. Takes one color, one "
      "queue and one filter in each PE, and no tasks.")
      .def(py::init<D, R, Along, int, const std::string&>(), py::arg("design"), py::arg("where"),
           py::arg("along"), py::arg("elements"), py::arg("name") = "scatter")
      .def("scatter", writes(&Scatter::scatter), py::arg("pe"), py::arg("all"), py::arg("part"),
           "Each PE gets its `part` of `all`, which the first one has; the core waits.")
      .def_static("cycles", &Scatter::cycles, py::arg("machine"), py::arg("n"), py::arg("length"),
                  kCycles);
  py::class_<Gather>(
      m, "Gather",
      "The first PE of each line gets the parts of all. Takes two colors, one queue of "
      "each direction, no filters and no tasks. Each place in a line has a program of its own.")
      .def(py::init<D, R, Along, const std::string&>(), py::arg("design"), py::arg("where"),
           py::arg("along"), py::arg("name") = "gather")
      .def("gather", writes(&Gather::gather), py::arg("pe"), py::arg("part"), py::arg("all"),
           "The first PE gets all parts in `all`; the core waits.")
      .def_static("most_cycles", &Gather::most_cycles, py::arg("machine"), py::arg("n"),
                  py::arg("length"), kCycles);
  py::class_<AllToAll>(
      m, "AllToAll",
      "Each PE of a line has a part for each, and gets one from each. Takes four colors, two "
      "queues of each direction, no filters and no tasks. Each place in a line has a "
      "program of its own.")
      .def(py::init<D, R, Along, const std::string&>(), py::arg("design"), py::arg("where"),
           py::arg("along"), py::arg("name") = "all-to-all")
      .def("exchange", writes(&AllToAll::exchange), py::arg("pe"), py::arg("out"), py::arg("in_"),
           "Parts of `out` go to the PEs of the line in order, parts of `in_` are from these.")
      .def_static("most_cycles", &AllToAll::most_cycles, py::arg("machine"), py::arg("n"),
                  py::arg("length"), kCycles);
}

}  // namespace

void bind_patterns(py::module_& m) {
  bind_neighbors(m);
  bind_lines(m);
}

}  // namespace weft::python
