#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "program_ref.hpp"
#include "values.hpp"

namespace weft::python {
namespace {

using D = Design&;
using R = const Rect&;
using V = const PeVector&;

template <class Pattern>
void of_design(py::class_<Pattern>& pattern) {
  handle(pattern, kOfDesign, kDesignAgain);
  pattern.def("__repr__", &Pattern::text);
}

template <class Result, class T, class... A, std::size_t... k>
auto writes(Result (T::*method)(PeProgram&, A...) const, std::index_sequence<k...>) {
  return
      [method](const T& self, const ProgramRef& t, std::tuple_element_t<k, std::tuple<A...>>... a) {
        if constexpr (std::is_void_v<Result>)
          (self.*method)(t->get(), a..., {});
        else
          return of_program(t, (self.*method)(t->get(), a..., {}));
      };
}

/// A method that writes code, and may start operations. Its last parameter is a line, which is
/// Python's (PeProgram::name_lines).
template <class Result, class T, class... A>
auto writes(Result (T::*method)(PeProgram&, A...) const) {
  return writes(method, std::make_index_sequence<sizeof...(A) - 1>());
}

/// RingParts: from a part to the next, and a part's extents and strides.
using Parts = std::pair<int, std::vector<std::pair<std::uint16_t, std::int16_t>>>;

RingParts parts_of(const Parts& parts) {
  RingParts all{parts.first, {}};
  for (const auto& [extent, stride] : parts.second) all.part.push_back({extent, stride});
  return all;
}

/// None: in order.
std::optional<std::pair<RingParts, RingParts>> parts_of(const std::optional<Parts>& before,
                                                        const std::optional<Parts>& after) {
  if (before.has_value() != after.has_value())
    throw Error(ErrorCategory::usage, "ring transpose: one of before and after is missing",
                "both tell where the parts stand", "give both, or none");
  if (!before) return {};
  return std::pair{parts_of(*before), parts_of(*after)};
}

void bind_neighbors(py::module_& m) {
  py::class_<NeighborShift> shift(m, "NeighborShift");
  of_design(shift);
  shift
      .def(py::init<D, R, Port, const std::string&>(), py::arg("design"), py::arg("where"),
           py::arg("to"), py::arg("name") = "shift")
      .def("start", writes(&NeighborShift::start), py::arg("pe"), py::arg("out"), py::arg("in_"))
      .def("shift", writes(&NeighborShift::shift), py::arg("pe"), py::arg("out"), py::arg("in_"))
      .def("send", writes(&NeighborShift::send), py::arg("pe"), py::arg("out"))
      .def("receive", writes(&NeighborShift::receive), py::arg("pe"), py::arg("in_"))
      .def_property_readonly("incoming", &NeighborShift::incoming)
      .def_static("cycles", &NeighborShift::cycles, py::arg("machine"), py::arg("n"));
  py::class_<HaloExchange> halo(m, "HaloExchange");
  of_design(halo);
  halo.def(py::init([](D design, R where, bool corners, const std::string& name, int depth) {
             return HaloExchange(design, where,
                                 corners ? HaloExchange::Corners::all : HaloExchange::Corners::none,
                                 name, depth);
           }),
           py::arg("design"), py::arg("where"), py::arg("corners") = false,
           py::arg("name") = "halo", py::arg("depth") = 1)
      .def("exchange", writes(&HaloExchange::exchange), py::arg("pe"), py::arg("with_halo"))
      .def("start", writes(&HaloExchange::start), py::arg("pe"), py::arg("with_halo"))
      .def_static(
          "most_cycles",
          [](const Machine& machine, std::uint64_t rows, std::uint64_t columns, bool corners,
             int depth, std::uint64_t n) {
            return HaloExchange::most_cycles(
                machine, rows, columns,
                corners ? HaloExchange::Corners::all : HaloExchange::Corners::none, depth, n);
          },
          py::arg("machine"), py::arg("rows"), py::arg("columns"), py::arg("corners") = false,
          py::arg("depth") = 1, py::arg("n") = 1);
}

/// A root is a number, or a register.
void bind_moving_broadcast(py::module_& m) {
  using M = MovingBroadcast;
  py::class_<M> moving(m, "MovingBroadcast");
  of_design(moving);
  moving
      .def(py::init<D, R, Along, const std::string&>(), py::arg("design"), py::arg("where"),
           py::arg("along"), py::arg("name") = "moving broadcast")
      .def("start", writes<std::vector<PeOperation>, M, V, V, PeScalar, CallLine>(&M::start),
           py::arg("pe"), py::arg("out"), py::arg("in_"), py::arg("root"))
      .def("start", writes<std::vector<PeOperation>, M, V, V, int, CallLine>(&M::start),
           py::arg("pe"), py::arg("out"), py::arg("in_"), py::arg("root"))
      .def("broadcast", writes<void, M, V, V, PeScalar, CallLine>(&M::broadcast), py::arg("pe"),
           py::arg("out"), py::arg("in_"), py::arg("root"))
      .def("broadcast", writes<void, M, V, V, int, CallLine>(&M::broadcast), py::arg("pe"),
           py::arg("out"), py::arg("in_"), py::arg("root"))
      .def_static("cycles", &M::cycles, py::arg("machine"), py::arg("n"), py::arg("links"));
}

void bind_lines(py::module_& m) {
  py::enum_<Along>(m, "Along", "Lines of PEs.")
      .value("rows", Along::rows, "from west to east")
      .value("columns", Along::columns, "from north to south");
  py::enum_<ReduceOperation>(m, "ReduceOperation", "How elements are reduced.")
      .value("sum", ReduceOperation::sum, "of any type with an addition")
      .value("max", ReduceOperation::max, "the largest, of floating-point numbers");
  py::class_<Broadcast> broadcast(m, "Broadcast");
  of_design(broadcast);
  broadcast
      .def(py::init<D, R, Along, int, const std::string&>(), py::arg("design"), py::arg("where"),
           py::arg("along"), py::arg("root"), py::arg("name") = "broadcast")
      .def(py::init<D, R, int, int, const std::string&>(), py::arg("design"), py::arg("where"),
           py::arg("x"), py::arg("y"), py::arg("name") = "broadcast")
      .def("broadcast", writes(&Broadcast::broadcast), py::arg("pe"), py::arg("v"))
      .def("start", writes(&Broadcast::start), py::arg("pe"), py::arg("v"))
      .def_static("cycles", &Broadcast::cycles, py::arg("machine"), py::arg("n"), py::arg("links"));
  bind_moving_broadcast(m);
  py::class_<ReduceChain> chain(m, "ReduceChain");
  of_design(chain);
  chain
      .def(py::init<D, R, Port, const std::string&>(), py::arg("design"), py::arg("where"),
           py::arg("to"), py::arg("name") = "reduce")
      .def("reduce", writes(&ReduceChain::reduce), py::arg("pe"), py::arg("v"),
           py::arg("operation") = ReduceOperation::sum)
      .def("start", writes(&ReduceChain::start), py::arg("pe"), py::arg("v"),
           py::arg("operation") = ReduceOperation::sum)
      .def_static("cycles", &ReduceChain::cycles, py::arg("machine"), py::arg("n"),
                  py::arg("length"));
  py::class_<ReduceTree> by_tree(m, "ReduceTree");
  of_design(by_tree);
  by_tree
      .def(py::init<D, R, Along, const std::string&>(), py::arg("design"), py::arg("where"),
           py::arg("along"), py::arg("name") = "tree")
      .def("reduce", writes(&ReduceTree::reduce), py::arg("pe"), py::arg("v"),
           py::arg("operation") = ReduceOperation::sum)
      .def("start", writes(&ReduceTree::start), py::arg("pe"), py::arg("v"),
           py::arg("operation") = ReduceOperation::sum)
      .def_static("cycles", &ReduceTree::cycles, py::arg("machine"), py::arg("n"),
                  py::arg("length"));
  py::class_<AllReduce> all(m, "AllReduce");
  of_design(all);
  all.def(py::init([](D design, R where, Along along, bool tree, const std::string& name) {
            return AllReduce(design, where, along,
                             tree ? AllReduce::By::tree : AllReduce::By::chain, name);
          }),
          py::arg("design"), py::arg("where"), py::arg("along"), py::arg("tree") = false,
          py::arg("name") = "all-reduce")
      .def("reduce", writes(&AllReduce::reduce), py::arg("pe"), py::arg("v"),
           py::arg("operation") = ReduceOperation::sum)
      .def("start", writes(&AllReduce::start), py::arg("pe"), py::arg("v"),
           py::arg("operation") = ReduceOperation::sum)
      .def_static(
          "cycles",
          [](const Machine& machine, std::uint64_t n, int length, bool tree) {
            return AllReduce::cycles(machine, n, length,
                                     tree ? AllReduce::By::tree : AllReduce::By::chain);
          },
          py::arg("machine"), py::arg("n"), py::arg("length"), py::arg("tree") = false);
  py::class_<RingShift> ring(m, "RingShift");
  of_design(ring);
  ring.def(py::init([](D design, R where, Along along, const std::string& name, bool backwards) {
             return RingShift(design, where, along, name,
                              backwards ? Around::backwards : Around::onwards);
           }),
           py::arg("design"), py::arg("where"), py::arg("along"), py::arg("name") = "ring",
           py::arg("backwards") = false)
      .def("start", writes(&RingShift::start), py::arg("pe"), py::arg("out"), py::arg("in_"))
      .def("shift", writes(&RingShift::shift), py::arg("pe"), py::arg("out"), py::arg("in_"))
      .def_static("place_of", &RingShift::place_of, py::arg("pe"), py::arg("length"))
      .def_static("pe_at", &RingShift::pe_at, py::arg("place"), py::arg("length"))
      .def_static("cycles", &RingShift::cycles, py::arg("machine"), py::arg("n"));
  py::class_<RingTranspose> around(m, "RingTranspose");
  of_design(around);
  around
      .def(py::init<D, R, Along, const std::string&>(), py::arg("design"), py::arg("where"),
           py::arg("along"), py::arg("name") = "ring transpose")
      .def(
          "transpose",
          [](const RingTranspose& self, const ProgramRef& t, V out, V in,
             const std::optional<Parts>& before, const std::optional<Parts>& after) {
            if (const auto parts = parts_of(before, after))
              self.transpose(t->get(), out, in, parts->first, parts->second);
            else
              self.transpose(t->get(), out, in);
          },
          py::arg("pe"), py::arg("out"), py::arg("in_"), py::arg("before") = py::none(),
          py::arg("after") = py::none())
      .def(
          "start",
          [](const RingTranspose& self, const ProgramRef& t, V out, V in,
             const std::optional<Parts>& before, const std::optional<Parts>& after) {
            const auto parts = parts_of(before, after);
            return of_program(t, parts ? self.start(t->get(), out, in, parts->first, parts->second)
                                       : self.start(t->get(), out, in));
          },
          py::arg("pe"), py::arg("out"), py::arg("in_"), py::arg("before") = py::none(),
          py::arg("after") = py::none())
      .def_static("most_cycles", &RingTranspose::most_cycles, py::arg("machine"), py::arg("n"),
                  py::arg("length"));
  py::class_<Scatter> scatter(m, "Scatter");
  of_design(scatter);
  scatter
      .def(py::init<D, R, Along, int, const std::string&>(), py::arg("design"), py::arg("where"),
           py::arg("along"), py::arg("elements"), py::arg("name") = "scatter")
      .def("scatter", writes(&Scatter::scatter), py::arg("pe"), py::arg("all"), py::arg("part"))
      .def("start", writes(&Scatter::start), py::arg("pe"), py::arg("all"), py::arg("part"))
      .def_static("cycles", &Scatter::cycles, py::arg("machine"), py::arg("n"), py::arg("length"));
  py::class_<Gather> gather(m, "Gather");
  of_design(gather);
  gather
      .def(py::init<D, R, Along, const std::string&>(), py::arg("design"), py::arg("where"),
           py::arg("along"), py::arg("name") = "gather")
      .def("gather", writes(&Gather::gather), py::arg("pe"), py::arg("part"), py::arg("all"))
      .def("start", writes(&Gather::start), py::arg("pe"), py::arg("part"), py::arg("all"))
      .def_static("most_cycles", &Gather::most_cycles, py::arg("machine"), py::arg("n"),
                  py::arg("length"));
  py::class_<AllToAll> exchange(m, "AllToAll");
  of_design(exchange);
  exchange
      .def(py::init<D, R, Along, const std::string&>(), py::arg("design"), py::arg("where"),
           py::arg("along"), py::arg("name") = "all-to-all")
      .def("exchange", writes(&AllToAll::exchange), py::arg("pe"), py::arg("out"), py::arg("in_"))
      .def("start", writes(&AllToAll::start), py::arg("pe"), py::arg("out"), py::arg("in_"))
      .def_static("most_cycles", &AllToAll::most_cycles, py::arg("machine"), py::arg("n"),
                  py::arg("length"));
}

}  // namespace

void bind_patterns(py::module_& m) {
  bind_neighbors(m);
  bind_lines(m);
}

}  // namespace weft::python
