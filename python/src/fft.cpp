#include <cstring>

#include "bind.hpp"

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

using Complex = py::array_t<std::complex<float>, py::array::c_style | py::array::forcecast>;

Shape3 shape_of(const py::sequence& shape) {
  if (shape.size() != 3)
    throw Error(ErrorCategory::usage,
                "an array of " + std::to_string(shape.size()) + " dimensions cannot be transformed",
                "transforms are three-dimensional", "give it three equal sides");
  const auto side = [&](std::size_t i) {
    const py::object n = shape[i];
    if (PyIndex_Check(n.ptr()) == 0 || py::cast<std::int64_t>(py::int_(n)) < 1)
      throw Error(ErrorCategory::usage,
                  "an array of shape " + std::string(py::str(static_cast<py::object>(shape))) +
                      " cannot be",
                  "a side is a whole number, 1 or more", "give it three equal sides");
    return py::cast<std::size_t>(py::int_(n));
  };
  return {side(0), side(1), side(2)};
}

Volume volume_of(const py::object& x) {
  const py::array any = py::array::ensure(x);
  if (!any || std::string("biufc").find(any.dtype().kind()) == std::string::npos)
    throw Error(ErrorCategory::usage, "this cannot be transformed", "it is no array of numbers",
                "give an array of integers, floats or complex numbers");
  const Shape3 shape = shape_of(any.attr("shape"));
  const Complex array = Complex::ensure(any);
  Volume volume{shape, {}};
  const auto *first = array.data(), *end = first + array.size();
  const WithoutGil without_gil;
  volume.data.assign(first, end);
  return volume;
}

/// The vector's own memory becomes the array's.
py::array array_of(Volume volume) {
  auto* data = new std::vector<std::complex<float>>(std::move(volume.data));
  const py::capsule owner(
      data, [](void* p) { delete static_cast<std::vector<std::complex<float>>*>(p); });
  const auto n = [](std::size_t side) { return static_cast<py::ssize_t>(side); };
  return py::array_t<std::complex<float>>(
      {n(volume.shape.n0), n(volume.shape.n1), n(volume.shape.n2)}, data->data(), owner);
}

struct Report {
  RunReport run;
  std::uint64_t compute_cycles, communication_cycles;
  double tflops, error_bound;
  std::string transpose;
  std::optional<double> error{};  ///< of weft.fft(compare=True)
};

FftPlan make_plan(const py::sequence& shape, const std::string& precision, const std::string& norm,
                  const Machine& machine, int threads, const std::string& engine,
                  const std::string& transpose, const py::object& progress) {
  FftOptions options;
  options.machine = machine;
  options.norm = named(norm, "norm", {FftNorm::backward, FftNorm::ortho, FftNorm::forward});
  options.threads = threads;
  options.engine = engine_of(engine);
  options.transpose =
      named(transpose, "transpose",
            {FftTranspose::automatic, FftTranspose::published, FftTranspose::interlocked});
  options.progress = [p = progress.ptr()](const FftProgress& at) {
    check_signals();
    if (p == Py_None) return;
    std::optional<FftExpectation> expected = at.expectation();
    const py::handle call(p);
    with_gil([&] { call(at.cycle, expected ? expected->cycles : std::uint64_t{0}); });
  };
  return {shape_of(shape), named(precision, "precision", {FftPrecision::fp16, FftPrecision::fp32}),
          std::move(options)};
}

struct Plan {
  FftPlan plan;
  py::object progress;  ///< which the plan calls

  py::tuple run(const py::object& x, const std::string& direction) const {
    const FftDirection way =
        named(direction, "direction", {FftDirection::forward, FftDirection::inverse});
    const Volume input = volume_of(x);
    FftRun run = [&] {
      const WithoutGil without_gil;
      return plan.run(input, way);
    }();
    Report report{run.report,
                  run.compute_cycles,
                  run.communication_cycles,
                  run.tflops,
                  fft_error_bound(plan.shape(), plan.precision()),
                  std::string(to_string(run.transpose))};
    return py::make_tuple(array_of(std::move(run.output)), std::move(report));
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
      .def_readonly("tflops", &Report::tflops, "5 n log2 n operations in time_us")
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
  py::class_<Plan>(m, "FftPlan",
                   "Transforms of n x n x n arrays on n x n PEs. A plan does not change: several "
                   "threads may run one at the same time.")
      .def(py::init([](const py::sequence& shape, const std::string& precision,
                       const std::string& norm, const Machine& machine, int threads,
                       const std::string& engine, const std::string& transpose,
                       const py::object& progress) {
             return Plan{
                 make_plan(shape, precision, norm, machine, threads, engine, transpose, progress),
                 progress};
           }),
           py::arg("shape"), py::arg("precision") = "fp32", py::kw_only(),
           py::arg("norm") = "backward", py::arg("machine") = Machine{}, py::arg("threads") = 1,
           py::arg("engine") = "auto", py::arg("transpose") = "automatic",
           py::arg("progress") = py::none())
      .def("run", &Plan::run, py::arg("x"), py::arg("direction") = "forward", "(transform, report)")
      .def_property_readonly(
          "shape",
          [](const Plan& p) {
            const Shape3 s = p.plan.shape();
            return py::make_tuple(s.n0, s.n1, s.n2);
          },
          "sides of the array");
}

}  // namespace weft::python
