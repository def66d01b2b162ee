#include <cstring>
#include <tuple>
#include <utility>
#include <vector>

#include "arrays.hpp"

namespace weft::python {
namespace {

template <class Enum, std::size_t n>
Enum named(const std::string& name, const char* what, const Enum (&all)[n]) {
  std::string names;
  for (const Enum value : all) {
    if (to_string(value) == name) return value;
    names += (names.empty() ? "" : ", ") + std::string(to_string(value));
  }
  throw Error(ErrorCategory::usage, "there is no " + std::string(what) + " " + name,
              "it is one of " + names, "use one of these");
}

/// One to three sides.
std::vector<std::size_t> sides_of(const py::sequence& shape) {
  if (shape.size() < 1 || shape.size() > 3)
    throw Error(ErrorCategory::usage,
                "an array of " + std::to_string(shape.size()) + " dimensions cannot be transformed",
                "transforms have one to three", "give it as many sides; for several, set batch");
  std::vector<std::size_t> sides;
  for (const py::handle n : shape) {
    if (PyIndex_Check(n.ptr()) == 0 ||
        py::cast<std::int64_t>(py::int_(py::reinterpret_borrow<py::object>(n))) < 1)
      throw Error(ErrorCategory::usage,
                  "an array of shape " + std::string(py::str(static_cast<py::object>(shape))) +
                      " cannot be",
                  "a side is a whole number, 1 or more", "give powers of two from 4 on");
    sides.push_back(py::cast<std::size_t>(py::int_(py::reinterpret_borrow<py::object>(n))));
  }
  return sides;
}

/// Axes that the array does not have are of one number.
Shape3 shape_of(const std::vector<std::size_t>& sides) {
  return {sides.size() > 1 ? sides.front() : 1, sides.size() > 2 ? sides[1] : 1, sides.back()};
}

std::string text_of(const std::vector<std::size_t>& sides) {
  return py::cast<std::string>(py::str(py::object(py::tuple(py::cast(sides)))));
}

FftMesh mesh_of(const py::object& mesh) {
  if (mesh.is_none()) return {};
  int x = 0, y = 0;
  try {
    std::tie(x, y) = py::cast<std::pair<int, int>>(mesh);
  } catch (const py::cast_error&) {
    // told below
  }
  if (x < 1 || y < 1)
    throw Error(ErrorCategory::usage,
                "a mesh of " + py::cast<std::string>(py::str(mesh)) + " PEs cannot be",
                "it is two whole numbers, PEs along x and y", "give both, or None");
  return {x, y};
}

/// The numbers of x, copied, so that a run needs no GIL.
Volume volume_of(const py::object& x, const Shape3& shape, const std::vector<std::size_t>& sides) {
  const py::array any = as_array(x);
  if (std::string("biufc").find(any.dtype().kind()) == std::string::npos)
    throw Error(ErrorCategory::usage, "this cannot be transformed", "it is no array of numbers",
                "give an array of integers, floats or complex numbers");
  const auto given = py::cast<std::vector<std::size_t>>(any.attr("shape"));
  if (given != sides)
    throw Error(ErrorCategory::usage,
                "an array of shape " + text_of(given) + " cannot be transformed",
                "the plan is for " + text_of(sides), "give an array of that shape");
  const py::array array = as_array(any, py::dtype("complex64"));
  Volume volume{shape, {}};
  const auto* const first = static_cast<const std::complex<float>*>(array.data());
  const auto* const end = first + array.size();
  const WithoutGil without_gil;
  volume.data.assign(first, end);
  return volume;
}

/// The vector's own memory becomes the array's.
py::array array_of(Volume volume, const std::vector<std::size_t>& sides) {
  auto* data = new std::vector<std::complex<float>>(std::move(volume.data));
  const py::capsule owner(
      data, [](void* p) { delete static_cast<std::vector<std::complex<float>>*>(p); });
  return py::array_t<std::complex<float>>(std::vector<py::ssize_t>(sides.begin(), sides.end()),
                                          data->data(), owner);
}

struct Report {
  RunReport run;
  std::uint64_t compute_cycles, communication_cycles;
  double tflops, error_bound;
  std::string transpose;
  FftMesh mesh;
  int rounds;
  std::optional<double> error{};  ///< of weft.fft(compare=True)
};

FftPlan make_plan(const Shape3& shape, const std::string& precision, const std::string& norm,
                  const std::string& kind, const Machine& machine, const py::object& mesh,
                  int batch, int threads, const std::string& engine, const std::string& transpose,
                  const std::string& pencil, const py::object& progress) {
  FftOptions options;
  options.kind = named(kind, "kind", {FftKind::complex, FftKind::real});
  options.machine = machine;
  options.mesh = mesh_of(mesh);
  options.batch = batch;
  options.norm = named(norm, "norm", {FftNorm::backward, FftNorm::ortho, FftNorm::forward});
  options.threads = threads;
  options.engine = engine_of(engine);
  options.transpose =
      named(transpose, "transpose",
            {FftTranspose::automatic, FftTranspose::published, FftTranspose::interlocked});
  options.pencil =
      named(pencil, "pencil",
            {FftPencil::radix2, FftPencil::radix4, FftPencil::split_radix, FftPencil::stockham});
  options.progress = [p = progress.ptr(), alone = threads == 1](const FftProgress& at) {
    check_signals();
    if (p == Py_None) return;
    std::optional<FftExpectation> expected = at.expectation();
    const py::handle call(p);
    call_progress([&] { call(at.cycle, expected ? expected->cycles : std::uint64_t{0}); }, alone);
  };
  return {shape, named(precision, "precision", {FftPrecision::fp16, FftPrecision::fp32}),
          std::move(options)};
}

struct Plan {
  FftPlan plan;
  std::vector<std::size_t> sides;  ///< of an array
  py::object progress;             ///< which the plan calls

  /// The package's type of this name, of an array and what belongs to it.
  static py::object pair(const char* type, py::object output, py::object other) {
    return py::module_::import("weft").attr(type)(std::move(output), std::move(other));
  }

  py::object run(const py::object& x, const std::string& direction) const {
    const FftDirection way =
        named(direction, "direction", {FftDirection::forward, FftDirection::inverse});
    const Volume input = volume_of(x, plan.input_shape(way), all_sides(plan.input_shape(way)));
    FftRun run = [&] {
      const WithoutGil without_gil;
      return plan.run(input, way);
    }();
    Report report{run.report,
                  run.compute_cycles,
                  run.communication_cycles,
                  run.tflops,
                  fft_error_bound(plan.shape(), plan.precision()),
                  std::string(to_string(run.transpose)),
                  run.mesh,
                  run.rounds};
    const bool to_real = plan.options().kind == FftKind::real && way == FftDirection::inverse;
    const std::vector<std::size_t> sides_of_output = all_sides(run.output.shape);
    py::object output = array_of(std::move(run.output), sides_of_output);
    if (to_real) output = output.attr("real").attr("copy")();
    return pair("FftResult", std::move(output), py::cast(std::move(report)));
  }

  py::object round_trips(const py::object& x, int times, const py::object& symbol) const {
    const std::vector<std::size_t> all = all_sides(plan.input_shape());
    const Volume input = volume_of(x, plan.input_shape(), all);
    const Volume factor = symbol.is_none() ? Volume{} : volume_of(symbol, plan.input_shape(), all);
    FftTrips trips = [&] {
      const WithoutGil without_gil;
      return plan.round_trips(input, times, factor);
    }();
    return pair("FftTrips", array_of(std::move(trips.output), all), py::cast(trips.cycles));
  }

  FftEstimate estimate(const std::string& direction) const {
    const FftDirection way =
        named(direction, "direction", {FftDirection::forward, FftDirection::inverse});
    const WithoutGil without_gil;
    return plan.estimate(way);
  }

  /// Of all arrays of a batch that have this shape together: first their number, if there are
  /// several. The last axis may be that of half a spectrum.
  std::vector<std::size_t> all_sides(const Shape3& shape) const {
    std::vector<std::size_t> all = sides;
    all.back() = shape.n2;
    if (plan.options().batch > 1)
      all.insert(all.begin(), static_cast<std::size_t>(plan.options().batch));
    return all;
  }
};

}  // namespace

void bind_fft(py::module_& m) {
  py::class_<Report>(m, "FftReport", "Cycles, traffic and error of a transform.")
      .def_property_readonly(
          "cycles", [](const Report& r) { return r.run.cycles; }, "of the whole transform")
      .def_property_readonly(
          "phases", [](const Report& r) { return r.run.phases; }, "by step, in order")
      .def_property_readonly(
          "counters", [](const Report& r) { return r.run.counters; }, "traffic")
      .def_property_readonly(
          "time_us", [](const Report& r) { return r.run.time_us; },
          "`cycles` at the machine's clock")
      .def_property_readonly(
          "wall_seconds", [](const Report& r) { return r.run.wall_seconds; }, "of this host")
      .def_property_readonly(
          "engine", [](const Report& r) { return std::string(to_string(r.run.engine)); },
          "the engine that stepped it")
      .def_readonly("compute_cycles", &Report::compute_cycles, "of steps that compute")
      .def_readonly("communication_cycles", &Report::communication_cycles, "of transposes")
      .def_readonly("tflops", &Report::tflops,
                    "5 n log2 n operations in time_us; 2.5 of real numbers")
      .def_property_readonly(
          "mesh", [](const Report& r) { return py::make_tuple(r.mesh.x, r.mesh.y); },
          "PEs along x and y")
      .def_readonly("rounds", &Report::rounds, "runs one after the other that a batch took")
      .def_readonly("transpose", &Report::transpose, "the form of the transpose that was taken")
      .def_readwrite("error", &Report::error,
                     "relative L2 error against numpy.fft in double precision, if it was asked for")
      .def_readonly("error_bound", &Report::error_bound,
                    "relative L2 error that it may have against double precision")
      .def("__repr__", [](const Report& r) {
        return "FftReport(" + std::to_string(r.run.cycles) +
               " cycles: " + std::to_string(r.compute_cycles) + " compute, " +
               std::to_string(r.communication_cycles) + " communication)";
      });
  py::class_<FftEstimate>(m, "FftEstimate", "All that a run will take, told before it.")
      .def_property_readonly(
          "mesh", [](const FftEstimate& e) { return py::make_tuple(e.mesh.x, e.mesh.y); },
          "PEs along x and y")
      .def_readonly("rounds", &FftEstimate::rounds, "runs one after the other that a batch takes")
      .def_readonly("pe_bytes", &FftEstimate::pe_bytes, "of each PE's memory")
      .def_readonly("colors", &FftEstimate::colors, "that are routed")
      .def_readonly("filters", &FftEstimate::filters, "of a PE, at most")
      .def_readonly("host_bytes", &FftEstimate::host_bytes, "about, of this host's memory")
      .def_readonly("cycles", &FftEstimate::cycles,
                    "expected, from small transforms on the same machine")
      .def_readonly("phases", &FftEstimate::phases, "expected, by step, in order")
      .def_readonly("published_cycles", &FftEstimate::published_cycles,
                    "the same by the paper's formulas, for its machine")
      .def("__repr__", [](const FftEstimate& e) {
        return "FftEstimate(about " + std::to_string(e.cycles) + " cycles on " +
               std::to_string(e.mesh.x) + " x " + std::to_string(e.mesh.y) + " PEs)";
      });
  py::class_<Plan>(
      m, "FftPlan",
      "Transforms of arrays of one to three dimensions. shape: sides, powers of two from "
      "4 to 4096, an only side up to 2**24. kind: complex, or real: forward then gives "
      "half of the spectrum as numpy.fft.rfftn does, and inverse takes it. mesh: PEs along x and "
      "y, as many as can be by default. batch: so many "
      "arrays, as the first axis of what is run. A plan does not change: several "
      "threads may run one at the same time.")
      .def(py::init([](const py::sequence& shape, const std::string& precision,
                       const std::string& norm, const std::string& kind, const Machine& machine,
                       const py::object& mesh, int batch, int threads, const std::string& engine,
                       const std::string& transpose, const std::string& pencil,
                       const py::object& progress) {
             std::vector<std::size_t> sides = sides_of(shape);
             return Plan{make_plan(shape_of(sides), precision, norm, kind, machine, mesh, batch,
                                   threads, engine, transpose, pencil, progress),
                         std::move(sides), progress};
           }),
           py::arg("shape"), py::arg("precision") = "fp32", py::kw_only(),
           py::arg("norm") = "backward", py::arg("kind") = "complex",
           py::arg("machine") = Machine{}, py::arg("mesh") = py::none(), py::arg("batch") = 1,
           py::arg("threads") = 1, py::arg("engine") = "auto", py::arg("transpose") = "automatic",
           py::arg("pencil") = "radix2", py::arg("progress") = py::none())
      .def("round_trips", &Plan::round_trips, py::arg("x"), py::arg("times"),
           py::arg("symbol") = py::none(),
           "So many times in one program, without the host in between: the forward transform, a "
           "product with the symbol, and the inverse. Of a single cube. FftTrips(output, cycles of "
           "each trip).")
      .def("estimate", &Plan::estimate, py::arg("direction") = "forward",
           "What a run will take, without running it: memory, colors, filters, expected cycles.")
      .def("run", &Plan::run, py::arg("x"), py::arg("direction") = "forward",
           "FftResult(output, report).")
      .def_property_readonly(
          "shape", [](const Plan& p) { return py::tuple(py::cast(p.sides)); }, "sides of an array")
      .def_property_readonly(
          "mesh",
          [](const Plan& p) {
            return py::make_tuple(p.plan.options().mesh.x, p.plan.options().mesh.y);
          },
          "PEs along x and y")
      .def_property_readonly(
          "batch", [](const Plan& p) { return p.plan.options().batch; }, "arrays of a run");
}

}  // namespace weft::python
