#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "fft_arguments.hpp"
#include "values.hpp"

namespace weft::python {
namespace {

/// FftFastest, in words.
struct Fastest {
  std::string transpose, pencil;
  std::uint64_t cycles = 0;
  FftMesh mesh{};

  bool operator==(const Fastest&) const = default;
};

struct Report {
  RunReport run;
  std::uint64_t compute_cycles, communication_cycles;
  double tflops, error_bound;
  std::optional<std::string> transpose;  ///< of wsFFT
  FftMesh mesh;
  int rounds;
  std::optional<double> error{};  ///< of weft.fft(compare=True)
};

FftPlan make_plan(const Shape3& shape, const py::object& precision, const std::string& norm,
                  const std::string& kind, const Machine& machine, const py::object& mesh,
                  int batch, int threads, const std::string& engine, const std::string& transpose,
                  const std::string& pencil, const std::string& algorithm,
                  const std::string& s3dft_form, bool back, const std::string& fastest_for,
                  const std::optional<Observation>& observe, const py::object& processes,
                  bool parts) {
  FftOptions options;
  options.processes = processes_of(processes);
  options.parts = parts;
  options.observe = observe.value_or(Observation{});
  options.kind = from_word<FftKind>("kind", kind);
  options.machine = machine;
  options.mesh = mesh_of(mesh);
  options.batch = batch;
  options.norm = from_word<FftNorm>("norm", norm);
  options.threads = threads;
  options.engine = engine_of(engine);
  options.transpose = from_word<FftTranspose>("transpose", transpose);
  options.pencil = from_word<FftPencil>("pencil", pencil);
  options.algorithm = from_word<FftAlgorithm>("algorithm", algorithm);
  options.s3dft_form = from_word<S3dftForm>("s3dft_form", s3dft_form);
  options.back = back;
  options.fastest_for = fastest_for == "both"
                            ? std::nullopt
                            : std::optional(from_word<FftDirection>("fastest_for", fastest_for));
  return {shape, precision_of(precision), std::move(options)};
}

/// By the number of sides, less 1: which of them is an axis of Shape3; -1: that one has one number.
constexpr int kAxes[3][3] = {{-1, -1, 0}, {0, -1, 1}, {0, 1, 2}};

struct Plan {
  FftPlan plan;
  std::vector<std::size_t> sides;  ///< of an array
  py::object progress;             ///< which runs call
  py::object processes;            ///< a communicator, or None
  bool asks_for_parts;             ///< whether there are parts or not

  /// The package's type of this name, of an array and what belongs to it.
  template <class... Parts>
  static py::object parts_of(const char* type, Parts&&... parts) {
    return py::module_::import("weft").attr(type)(std::forward<Parts>(parts)...);
  }

  /// The package's FftPart. Where the axis is one that the array lacks, arrays are whole or absent.
  py::object shown_part(const FftPart& part, const Shape3& all) const {
    const std::vector<std::size_t> whole = all_sides(all);
    const int axis = kAxes[std::min<std::size_t>(sides.size(), 3) - 1][part.axis];
    const std::size_t first_side = whole[whole.size() - sides.size()];
    py::list arrays;
    for (const std::vector<FftPart::Range>& of_array : part.ranges) {
      py::list ranges;
      for (const auto& [first, last] : of_array)
        ranges.append(axis < 0 ? py::make_tuple(0, first_side) : py::make_tuple(first, last));
      arrays.append(py::tuple(ranges));
    }
    return parts_of("FftPart", py::tuple(py::cast(whole)), std::max(axis, 0), py::tuple(arrays));
  }

  py::object input_part(const std::string& direction, std::optional<int> rank) const {
    const FftDirection way = from_word<FftDirection>("direction", direction);
    return shown_part(plan.input_part(way, rank), plan.input_shape(way));
  }

  py::object output_part(const std::string& direction, std::optional<int> rank) const {
    const FftDirection way = from_word<FftDirection>("direction", direction);
    return shown_part(plan.output_part(way, rank), plan.output_shape(way));
  }

  /// Without the GIL.
  void report_progress(const FftProgress& at) const {
    check_signals();
    if (progress.is_none()) return;
    std::optional<FftExpectation> expected = at.expectation();
    call_progress([&] { progress(at.cycle, expected ? expected->cycles : std::uint64_t{0}); },
                  plan.options().threads == 1);
  }

  py::object run(const py::object& x, const std::string& direction) const {
    const FftDirection way = from_word<FftDirection>("direction", direction);
    const Shape3 shape = plan.input_shape(way);
    const bool parts = plan.options().parts;
    const Volume input =
        parts ? volume_of(input_part(direction, {}).attr("_numbers")(array_of_numbers(x)), shape)
              : volume_of(x, shape, all_sides(shape));
    FftRun run = [&] {
      const WithoutGil without_gil;
      return plan.run(input, way, [&](const FftProgress& at) { report_progress(at); });
    }();
    Report report{run.report,
                  run.compute_cycles,
                  run.communication_cycles,
                  run.tflops,
                  fft_error_bound(plan.shape(), plan.precision(), plan.options().algorithm,
                                  plan.options().pencil),
                  form_of(run.transpose),
                  run.mesh,
                  run.rounds};
    const bool to_real = plan.options().kind == FftKind::real && way == FftDirection::inverse;
    const std::vector<std::size_t> sides_of_output =
        parts ? std::vector{run.output.data.size()} : all_sides(run.output.shape);
    py::object output = array_of(std::move(run.output), sides_of_output);
    if (parts) output = output_part(direction, {}).attr("_array")(output);
    if (to_real) output = output.attr("real").attr("copy")();
    return parts_of("FftResult", std::move(output), std::move(report));
  }

  py::object round_trips(const py::object& x, int times, const py::object& symbol) const {
    const std::vector<std::size_t> all = all_sides(plan.input_shape());
    const Volume input = volume_of(x, plan.input_shape(), all);
    const Volume factor = symbol.is_none() ? Volume{} : volume_of(symbol, plan.input_shape(), all);
    FftTrips trips = [&] {
      const WithoutGil without_gil;
      return plan.round_trips(input, times, factor,
                              [&](const FftProgress& at) { report_progress(at); });
    }();
    return parts_of("FftTrips", array_of(std::move(trips.output), all), trips.cycles, trips.report);
  }

  Fastest fastest(const std::string& direction) const {
    const FftDirection way = from_word<FftDirection>("direction", direction);
    const WithoutGil without_gil;
    const FftFastest best = plan.fastest(way);
    return {std::string(to_string(best.transpose)), std::string(to_string(best.pencil)),
            best.cycles, best.mesh};
  }

  FftEstimate estimate(const std::string& direction) const {
    const FftDirection way = from_word<FftDirection>("direction", direction);
    const WithoutGil without_gil;
    return plan.estimate(way);
  }

  std::optional<std::string> form_of(FftTranspose transpose) const {
    if (plan.options().algorithm != FftAlgorithm::wsfft) return {};
    return std::string(to_string(transpose));
  }

  /// Its parts.
  py::tuple arguments() const {
    const FftOptions& o = plan.options();
    const auto name = [](auto value) { return std::string(to_string(value)); };
    return py::make_tuple(py::tuple(py::cast(sides)), name(plan.precision()), name(o.norm),
                          name(o.kind), o.machine, shown(o.mesh), o.batch, o.threads,
                          name(o.engine), name(o.transpose), name(o.pencil), name(o.algorithm),
                          name(o.s3dft_form), o.back,
                          o.fastest_for ? name(*o.fastest_for) : std::string("both"),
                          std::optional(o.observe), progress, processes, asks_for_parts);
  }

  /// Of all arrays of a batch that have this shape together: first their number, if there are
  /// several. The last axis may be that of half a spectrum.
  std::vector<std::size_t> all_sides(const Shape3& shape) const {
    std::vector<std::size_t> all = sides;
    all.back() = all.size() == 4 ? shape.n3 : shape.n2;
    if (plan.options().batch > 1)
      all.insert(all.begin(), static_cast<std::size_t>(plan.options().batch));
    return all;
  }
};

}  // namespace

void bind_fft(py::module_& m) {
  py::class_<Report> report(m, "FftReport");
  report.def_property_readonly("cycles", [](const Report& r) { return r.run.cycles; })
      .def_property_readonly("phases", [](const Report& r) { return r.run.phases; })
      .def_property_readonly("counters", [](const Report& r) { return r.run.counters; })
      .def_property_readonly("time_us", [](const Report& r) { return r.run.time_us; })
      .def_property_readonly("wall_seconds", [](const Report& r) { return r.run.wall_seconds; })
      .def_property_readonly("engine",
                             [](const Report& r) { return std::string(to_string(r.run.engine)); })
      .def_readonly("compute_cycles", &Report::compute_cycles)
      .def_readonly("communication_cycles", &Report::communication_cycles)
      .def_readonly("tflops", &Report::tflops)
      .def_property_readonly("busiest_link", [](const Report& r) { return r.run.busiest_link; })
      .def_property_readonly("busiest_ramp", [](const Report& r) { return r.run.busiest_ramp; })
      .def_property_readonly("peak_share", [](const Report& r) { return r.run.peak_share; })
      .def_property_readonly("mesh",
                             [](const Report& r) { return py::make_tuple(r.mesh.x, r.mesh.y); })
      .def_property_readonly("profile", [](const Report& r) { return shown(r.run.profile); })
      .def_readonly("rounds", &Report::rounds)
      .def_readonly("transpose", &Report::transpose)
      .def_readwrite("error", &Report::error)
      .def_readonly("error_bound", &Report::error_bound)
      .def("__repr__", [](const Report& r) {
        return "FftReport(" + std::to_string(r.run.cycles) +
               " cycles: " + std::to_string(r.compute_cycles) + " compute, " +
               std::to_string(r.communication_cycles) +
               (r.transpose == to_string(FftTranspose::butterflies) ? " butterflies)"
                                                                    : " communication)");
      });
  const auto with_parts = [](auto use) {
    return use(Part{"run", &Report::run}, Part{"compute_cycles", &Report::compute_cycles},
               Part{"communication_cycles", &Report::communication_cycles},
               Part{"tflops", &Report::tflops}, Part{"error_bound", &Report::error_bound},
               Part{"transpose", &Report::transpose}, Part{"mesh", &Report::mesh},
               Part{"rounds", &Report::rounds}, Part{"error", &Report::error});
  };
  value_by(
      report,
      [with_parts](const Report& r) {
        return with_parts([&](auto... parts) { return py::make_tuple(shown(r.*parts.member)...); });
      },
      [with_parts](const py::tuple& from) {
        return with_parts([&](auto... parts) { return from_parts<Report>(from, parts...); });
      });
  report.attr("__hash__") = py::none();  // `error` may be set
  tabled(report,
         {"cycles", "phases", "counters", "time_us", "wall_seconds", "engine", "compute_cycles",
          "communication_cycles", "tflops", "busiest_link", "busiest_ramp", "peak_share", "mesh",
          "rounds", "transpose", "error", "error_bound"});

  using E = FftEstimate;
  py::class_<E> estimate(m, "FftEstimate");
  estimate.def("__repr__", [](const E& e) {
    return "FftEstimate(about " + std::to_string(e.cycles) + " cycles on " +
           std::to_string(e.mesh.x) + " x " + std::to_string(e.mesh.y) + " PEs)";
  });
  value(estimate, Part{"mesh", &E::mesh}, Part{"division", &E::division},
        Part{"rounds", &E::rounds}, Part{"pe_bytes", &E::pe_bytes},
        Part{"root_bytes", &E::root_bytes}, Part{"shapes", &E::shapes}, Part{"colors", &E::colors},
        Part{"filters", &E::filters}, Part{"host_bytes", &E::host_bytes},
        Part{"cycles", &E::cycles}, Part{"phases", &E::phases},
        Part{"published_cycles", &E::published_cycles});
  py::class_<Fastest> fastest(m, "FftFastest");
  fastest.def("__repr__", [](const Fastest& f) {
    return "FftFastest(transpose='" + f.transpose + "', pencil='" + f.pencil + "', about " +
           std::to_string(f.cycles) + " cycles on " + std::to_string(f.mesh.x) + " x " +
           std::to_string(f.mesh.y) + " PEs)";
  });
  value(fastest, Part{"transpose", &Fastest::transpose}, Part{"pencil", &Fastest::pencil},
        Part{"cycles", &Fastest::cycles}, Part{"mesh", &Fastest::mesh});
  py::class_<Plan> plan(m, "FftPlan");
  const auto make = [](const py::sequence& shape, const py::object& precision,
                       const std::string& norm, const std::string& kind, const Machine& machine,
                       const py::object& mesh, int batch, int threads, const std::string& engine,
                       const std::string& transpose, const std::string& pencil,
                       const std::string& algorithm, const std::string& s3dft_form, bool back,
                       const std::string& fastest_for, const std::optional<Observation>& observe,
                       const py::object& progress, const py::object& processes, bool parts) {
    std::vector<std::size_t> sides = sides_of(shape);
    return Plan{make_plan(shape_of(sides), precision, norm, kind, machine, mesh, batch, threads,
                          engine, transpose, pencil, algorithm, s3dft_form, back, fastest_for,
                          observe, processes, parts),
                std::move(sides), progress, processes, parts};
  };
  value_by(
      plan, [](const Plan& p) { return p.arguments(); },
      [make](const py::tuple& a) {
        return make(a[0], a[1], py::cast<std::string>(a[2]), py::cast<std::string>(a[3]),
                    py::cast<Machine>(a[4]), a[5], py::cast<int>(a[6]), py::cast<int>(a[7]),
                    py::cast<std::string>(a[8]), py::cast<std::string>(a[9]),
                    py::cast<std::string>(a[10]), py::cast<std::string>(a[11]),
                    py::cast<std::string>(a[12]), py::cast<bool>(a[13]),
                    py::cast<std::string>(a[14]), py::cast<std::optional<Observation>>(a[15]),
                    a[16], a[17], py::cast<bool>(a[18]));
      });
  plan.def("__repr__", [](const Plan& p) {
    const FftOptions& o = p.plan.options();
    return "FftPlan(" + sides_text(p.sides) + ", '" + std::string(to_string(p.plan.precision())) +
           "', kind='" + std::string(to_string(o.kind)) + "', algorithm='" +
           std::string(to_string(o.algorithm)) + "', mesh=(" + std::to_string(o.mesh.x) + ", " +
           std::to_string(o.mesh.y) + "), batch=" + std::to_string(o.batch) + ")";
  });
  m.def("_why_no_fft", [](const std::vector<std::size_t>& sides, const std::string& kind) {
    return why_no_fft(shape_of(sides), from_word<FftKind>("kind", kind));
  });
  plan.def(py::init(make), py::arg("shape"), py::arg("precision") = "fp32", py::kw_only(),
           py::arg("norm") = "backward", py::arg("kind") = "complex",
           py::arg("machine") = Machine{}, py::arg("mesh") = py::none(), py::arg("batch") = 1,
           py::arg("threads") = 1, py::arg("engine") = "auto", py::arg("transpose") = "automatic",
           py::arg("pencil") = "automatic", py::arg("algorithm") = "wsfft",
           py::arg("s3dft_form") = "held", py::arg("back") = false,
           py::arg("fastest_for") = "forward", py::arg("observe") = py::none(),
           py::arg("progress") = py::none(), py::arg("processes") = py::none(),
           py::arg("parts") = false)
      .def("input_part", &Plan::input_part, py::arg("direction") = "forward",
           py::arg("rank") = py::none())
      .def("output_part", &Plan::output_part, py::arg("direction") = "forward",
           py::arg("rank") = py::none())
      .def("round_trips", &Plan::round_trips, py::arg("x"), py::arg("times"),
           py::arg("symbol") = py::none())
      .def("estimate", &Plan::estimate, py::arg("direction") = "forward")
      .def("fastest", &Plan::fastest, py::arg("direction") = "forward")
      .def("run", &Plan::run, py::arg("x"), py::arg("direction") = "forward")
      .def_property_readonly("shape", [](const Plan& p) { return py::tuple(py::cast(p.sides)); })
      .def_property_readonly("mesh",
                             [](const Plan& p) {
                               return py::make_tuple(p.plan.options().mesh.x,
                                                     p.plan.options().mesh.y);
                             })
      .def_property_readonly("batch", [](const Plan& p) { return p.plan.options().batch; })
      .def_property_readonly("parts", [](const Plan& p) { return p.plan.options().parts; });
}

}  // namespace weft::python
