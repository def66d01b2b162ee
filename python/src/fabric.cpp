#include <algorithm>
#include <set>

#include "arrays.hpp"
#include "running.hpp"
#include "values.hpp"

namespace weft::python {
namespace {

/// (height, width, elements...): rows of PEs, PEs of a row, elements of each as they are declared.
std::vector<py::ssize_t> shape_of(const Rect& where, const MemorySpan& span, std::size_t each) {
  std::vector<py::ssize_t> shape{where.height, where.width};
  shape.insert(shape.end(), span.extents.begin(), span.extents.end());
  if (span.extents.empty()) shape.push_back(static_cast<py::ssize_t>(each));
  return shape;
}

/// The array has the shape (height, width, elements...) of the rectangle, or, of one PE, any shape
/// of as many elements.
void check_shape(const Rect& where, const std::string& symbol, const MemorySpan& span,
                 std::size_t each, const py::array& array) {
  const bool one = where.width == 1 && where.height == 1;
  const auto declared = shape_of(where, span, each);
  const bool by_pe =
      array.ndim() >= 2 && array.shape(0) == where.height && array.shape(1) == where.width &&
      (array.ndim() == 3 ||
       std::equal(declared.begin(), declared.end(), array.shape(), array.shape() + array.ndim()));
  const std::size_t wanted =
      each * static_cast<std::size_t>(where.width) * static_cast<std::size_t>(where.height);
  if ((one || by_pe) && static_cast<std::size_t>(array.size()) == wanted) return;
  throw Error(ErrorCategory::usage,
              "an array of shape " + text_of(array.attr("shape")) + " does not fill " + symbol,
              "that takes " + text_of(py::tuple(py::cast(shape_of(where, span, each)))) +
                  ": rows of PEs, PEs of a row, elements of each",
              "reshape it, or write one number for all");
}

void write(RunningFabric& fabric, const Rect& where, const std::string& symbol,
           const py::object& from) {
  const MemorySpan span = fabric.use([&](Fabric& f) { return f.symbol(where, symbol); });
  const py::dtype held = dtype_of(span.type);
  // Python's own numbers take the symbol's type.
  py::array given =
      py::isinstance<py::array>(from) ? as_array(from) : elements_from(symbol, from, span.type);
  const py::dtype own = given.dtype().attr("newbyteorder")("=");
  if (span.type != ElementType::unspecified && !own.equal(held))
    throw Error(ErrorCategory::usage,
                "invalid type for " + symbol + ": an array of " + text_of(given.dtype()),
                symbol + " holds " + text_of(held), "convert the array with astype");
  const ElementType type = element_type(own);
  const std::size_t each = span.bytes / static_cast<std::size_t>(element_bytes(type));
  if (given.ndim() == 0)
    given = py::module_::import("numpy").attr("broadcast_to")(given, shape_of(where, span, each));
  check_shape(where, symbol, span, each, given);
  const py::array array = as_array(given, own);
  fabric.use([&](Fabric& f) {
    f.write_elements(where, symbol, type, array.data(), static_cast<std::size_t>(array.size()));
  });
}

/// Elements in each PE, of words where there is no type.
std::size_t elements_of(const MemorySpan& span) {
  const ElementType type = span.type == ElementType::unspecified ? ElementType::u32 : span.type;
  return span.bytes / static_cast<std::size_t>(element_bytes(type));
}

py::array read(RunningFabric& fabric, const Rect& where, const std::string& symbol) {
  const MemorySpan span = fabric.use([&](Fabric& f) { return f.symbol(where, symbol); });
  const ElementType type = span.type == ElementType::unspecified ? ElementType::u32 : span.type;
  py::array array(dtype_of(type), shape_of(where, span, elements_of(span)));
  fabric.use([&](Fabric& f) {
    f.read_elements(where, symbol, type, array.mutable_data(),
                    static_cast<std::size_t>(array.size()));
  });
  return array;
}

py::dtype type_of_values(const MemorySpan& span) {
  return dtype_of(span.type == ElementType::unspecified ? ElementType::u32 : span.type);
}

void scatter(RunningFabric& fabric, const Rect& where, const std::string& symbol,
             const py::object& from, int halo) {
  const MemorySpan span = fabric.use([&](Fabric& f) { return f.symbol(where, symbol); });
  const py::dtype held = type_of_values(span);
  const py::array given =
      py::isinstance<py::array>(from) ? as_array(from) : elements_from(symbol, from, span.type);
  if (!given.dtype().attr("newbyteorder")("=").equal(held))
    throw Error(ErrorCategory::usage,
                "invalid type for " + symbol + ": an array of " + text_of(given.dtype()),
                symbol + " holds " + text_of(held), "convert the array with astype");
  const ElementType type = element_type(held);
  const auto wanted =
      fabric.use([&](Fabric& f) { return f.array_extents(where, symbol, type, halo); });
  if (!std::equal(wanted.begin(), wanted.end(), given.shape(), given.shape() + given.ndim(),
                  [](std::size_t a, py::ssize_t b) { return static_cast<py::ssize_t>(a) == b; }))
    throw Error(ErrorCategory::usage,
                "an array of shape " + text_of(given.attr("shape")) + " does not fill " + symbol,
                "that takes " + text_of(py::tuple(py::cast(wanted))) +
                    ": the blocks of all PEs, rows along y and columns along x",
                "reshape it, or write by PE with Fabric.write");
  const py::array array = as_array(given, held);
  fabric.use([&](Fabric& f) {
    f.scatter_elements(where, symbol, type, array.data(), static_cast<std::size_t>(array.size()),
                       halo);
  });
}

py::array gather(RunningFabric& fabric, const Rect& where, const std::string& symbol, int halo) {
  const MemorySpan span = fabric.use([&](Fabric& f) { return f.symbol(where, symbol); });
  const py::dtype held = type_of_values(span);
  const ElementType type = element_type(held);
  const auto shape =
      fabric.use([&](Fabric& f) { return f.array_extents(where, symbol, type, halo); });
  py::array array(held, std::vector<py::ssize_t>(shape.begin(), shape.end()));
  fabric.use([&](Fabric& f) {
    f.gather_elements(where, symbol, type, array.mutable_data(),
                      static_cast<std::size_t>(array.size()), halo);
  });
  return array;
}

/// The type of a stream's words. Throws Error(usage) for one that is not of 32 bits.
py::dtype word_type(const std::string& stream, const py::dtype& given) {
  const py::dtype own = given.attr("newbyteorder")("=");
  for (const ElementType type : {ElementType::f32, ElementType::u32, ElementType::i32})
    if (own.equal(dtype_of(type))) return own;
  throw Error(
      ErrorCategory::usage, "invalid type for host stream " + stream + ": " + text_of(given),
      "its words are float32, uint32 or int32", "convert the array with astype, or view it");
}

/// The array has a row of words for each PE, or is all there is for one.
void send(RunningFabric& fabric, const std::string& stream, const py::object& words) {
  const bool is_array = py::isinstance<py::array>(words);
  const py::array given =
      is_array ? as_array(words) : elements_from(stream, words, ElementType::f32);
  const py::array array = as_array(given, word_type(stream, given.dtype()));
  const std::size_t pes = fabric.use([&](const Fabric& f) { return f.host_words(stream).size(); });
  const bool rows = array.ndim() == 2 ? static_cast<std::size_t>(array.shape(0)) == pes
                                      : pes == 1 && array.ndim() == 1;
  if (!rows)
    throw Error(ErrorCategory::usage,
                "an array of shape " + text_of(array.attr("shape")) +
                    " does not suit host stream " + stream,
                "that takes a row of words for each of its " + std::to_string(pes) + " PEs",
                "reshape it to (" + std::to_string(pes) + ", words)");
  fabric.use([&](Fabric& f) {
    f.send_words(stream, array.data(), static_cast<std::size_t>(array.size()));
  });
}

py::array receive(RunningFabric& fabric, const std::string& stream,
                  const std::optional<std::size_t>& words, const py::object& dtype) {
  const py::dtype type = word_type(stream, py::dtype::from_args(dtype));
  const std::size_t pes = fabric.use([&](const Fabric& f) { return f.host_words(stream).size(); });
  const std::size_t count =
      fabric.use([&](const Fabric& f) { return f.words_to_receive(stream, words); });
  py::array array(type, std::vector<py::ssize_t>{static_cast<py::ssize_t>(pes),
                                                 static_cast<py::ssize_t>(count / pes)});
  fabric.use([&](Fabric& f) { f.receive_words(stream, array.mutable_data(), count); });
  return array;
}

/// "3,0,1,1,u": a rectangle and a symbol.
std::string key_of(const Rect& r, const std::string& symbol) {
  std::string key;
  for (const int n : {r.x, r.y, r.width, r.height}) key += std::to_string(n) + ",";
  return key + symbol;
}

void save(RunningFabric& fabric, const py::object& file) {
  py::dict arrays;
  for (const auto& [where, symbol] : fabric.symbols())
    arrays[py::str(key_of(where, symbol))] = read(fabric, where, symbol);
  py::module_::import("numpy").attr("savez")(file, **arrays);
}

void load(RunningFabric& fabric, const py::object& file) {
  const auto is_none_of_ours = [&](const std::string& why) {
    return Error(ErrorCategory::usage, "invalid file: " + std::string(py::repr(file)), why,
                 "give a file of Fabric.save");
  };
  py::object saved;
  try {
    saved = py::module_::import("numpy").attr("load")(file);
  } catch (const py::error_already_set& e) {
    if (!e.matches(PyExc_ValueError) && !e.matches(PyExc_EOFError)) throw;
    throw is_none_of_ours("NumPy reads no arrays in it");
  }
  if (!py::hasattr(saved, "keys")) throw is_none_of_ours("it holds one array without a name");
  std::set<std::string> keys;
  for (const py::handle key : saved.attr("keys")()) keys.insert(py::cast<std::string>(key));
  for (const auto& [where, symbol] : fabric.symbols())
    if (keys.erase(key_of(where, symbol)) == 0)
      throw Error(ErrorCategory::usage, "the file has no " + symbol,
                  "it was saved from a fabric with other programs or places of programs",
                  "load what the same design has saved");
  if (!keys.empty())
    throw Error(ErrorCategory::usage, "the fabric has no " + *keys.begin(),
                "the file was saved from a fabric with other programs or places of programs",
                "load what the same design has saved");
  std::vector<py::array> arrays;
  for (const auto& [where, symbol] : fabric.symbols()) {
    arrays.push_back(as_array(saved[py::str(key_of(where, symbol))]));
    const MemorySpan span = fabric.use([&, r = where](Fabric& f) { return f.symbol(r, symbol); });
    const auto wanted = shape_of(where, span, elements_of(span));
    if (!std::equal(wanted.begin(), wanted.end(), arrays.back().shape(),
                    arrays.back().shape() + arrays.back().ndim()))
      throw Error(ErrorCategory::usage,
                  "the file's " + symbol + " has shape " + text_of(arrays.back().attr("shape")),
                  "the fabric's has shape " + text_of(py::tuple(py::cast(wanted))),
                  "load what the same design has saved");
  }
  auto array = arrays.begin();
  for (const auto& [where, symbol] : fabric.symbols()) write(fabric, where, symbol, *array++);
}

void bind_report(py::module_& m) {
  using C = FabricCounters;
  py::class_<C> counters(m, "Counters");
  report(counters, Part{"cycle", &C::cycle}, Part{"wavelets", &C::wavelets}, Part{"hops", &C::hops},
         Part{"delivered", &C::delivered}, Part{"filtered", &C::filtered});
  py::class_<RunPhase> phase(m, "Phase");
  phase.def("__repr__", [](const RunPhase& p) {
    return "Phase('" + p.name + "', " + std::to_string(p.cycles) + " cycles)";
  });
  report(phase, Part{"name", &RunPhase::name}, Part{"communication", &RunPhase::communication},
         Part{"cycles", &RunPhase::cycles});
  py::class_<Printed> printed(m, "Printed");
  printed.def("__repr__", [](const Printed& p) {
    return "Printed(" + p.name + " = " + p.text + ", cycle " + std::to_string(p.cycle) + ", PE (" +
           std::to_string(p.x) + ", " + std::to_string(p.y) + "))";
  });
  report(printed, Part{"cycle", &Printed::cycle}, Part{"x", &Printed::x}, Part{"y", &Printed::y},
         Part{"name", &Printed::name}, Part{"value", &Printed::value},
         Part{"text", &Printed::text});
  using R = RunReport;
  py::class_<R> run(m, "Report");
  run.def("__repr__", [](const R& r) {
    return "Report(" + std::to_string(r.cycles) + " cycles, " +
           std::to_string(r.counters.wavelets) + " wavelets, " + std::to_string(r.counters.hops) +
           " hops)";
  });
  value(run, Part{"cycles", &R::cycles}, Part{"phases", &R::phases}, Part{"counters", &R::counters},
        Part{"pe_cycles", &R::pe_cycles}, Part{"time_us", &R::time_us},
        Part{"wall_seconds", &R::wall_seconds}, Part{"skipped_cycles", &R::skipped_cycles},
        Part{"busiest_link", &R::busiest_link}, Part{"busiest_ramp", &R::busiest_ramp},
        Part{"peak_share", &R::peak_share}, Part{"by_line", &R::by_line},
        Part{"engine", &R::engine}, Part{"profile", &R::profile});
  tabled(run,
         {"cycles", "phases", "counters", "pe_cycles", "time_us", "wall_seconds", "skipped_cycles",
          "busiest_link", "busiest_ramp", "peak_share", "by_line", "engine"});
}

}  // namespace

CycleProgress progress_of(py::handle progress, bool alone) {
  return [progress, alone](std::uint64_t cycle) {
    check_signals();
    if (progress.is_none()) return;
    call_progress([&] { progress(cycle); }, alone);
  };
}

namespace {

FabricOptions with_progress(FabricOptions options, const py::object& progress) {
  options.progress = progress_of(progress, options.threads == 1);
  return options;
}

}  // namespace

RunningFabric::RunningFabric(const Design& design, const Machine& machine, FabricOptions options,
                             const py::object& progress, bool check)
    : width_(design.width()),
      height_(design.height()),
      symbols_(design.symbols()),
      progress_(progress),
      fabric_(design.fabric(machine, with_progress(std::move(options), progress_), check)) {}

std::string RunningFabric::text() {
  const std::string size =
      "Fabric(" + std::to_string(width_) + " x " + std::to_string(height_) + " PEs, ";
  try {
    return use([&](const Fabric& f) {
      return size + "cycle " + std::to_string(f.cycle()) + ", engine " +
             std::string(to_string(f.engine())) + ")";
    });
  } catch (const Error&) {
    return size + "in use)";
  }
}

void RunningFabric::refuse(bool by_itself) {
  if (by_itself)
    throw Error(ErrorCategory::usage, "the fabric is in a run",
                "its progress function is called between two cycles",
                "use the cycle that progress is given");
  throw Error(ErrorCategory::usage, "the fabric is in use by another thread",
              "one thread at a time may run, read or write it", "give each thread its own");
}

void RunningFabric::close_bar(const py::object& progress) {
  if (!py::hasattr(progress, "close")) return;
  py::error_scope raised;  // what the run has raised stays
  try {
    progress.attr("close")();
  } catch (py::error_already_set& e) {
    e.discard_as_unraisable("closing a progress bar");
  }
}

void bind_fabric(py::module_& m) {
  bind_report(m);
  py::class_<RunningFabric> bound(m, "Fabric");
  handle(bound, "its memory and its clock are of this process",
         "keep what it has computed: Fabric.read and Fabric.report");
  bound.def("__repr__", &RunningFabric::text);
  bound.def("write", &write, py::arg("where"), py::arg("symbol"), py::arg("array"))
      .def("read", &read, py::arg("where"), py::arg("symbol"))
      .def("scatter", &scatter, py::arg("where"), py::arg("symbol"), py::arg("array"),
           py::arg("halo") = 0)
      .def("gather", &gather, py::arg("where"), py::arg("symbol"), py::arg("halo") = 0)
      .def("send", &send, py::arg("stream"), py::arg("words"))
      .def("receive", &receive, py::arg("stream"), py::arg("words") = py::none(),
           py::arg("dtype") = "float32")
      .def(
          "host_words",
          [](RunningFabric& f, const std::string& stream) {
            return f.use([&](const Fabric& fabric) { return fabric.host_words(stream); });
          },
          py::arg("stream"))
      .def(
          "activate",
          [](RunningFabric& f, const Rect& where, const std::string& task) {
            f.use([&](Fabric& fabric) { fabric.activate(where, task); });
          },
          py::arg("where"), py::arg("task"))
      .def(
          "run_until_idle",
          [](RunningFabric& f, std::uint64_t limit) {
            f.run([&](Fabric& fabric) { fabric.run_until_idle(limit); });
          },
          py::arg("limit") = 1'000'000'000)
      .def(
          "run",
          [](RunningFabric& f, std::uint64_t cycles) {
            const char* names[] = {"limit", "idle", "stuck"};
            return std::string(
                names[static_cast<int>(f.run([&](Fabric& fabric) { return fabric.run(cycles); }))]);
          },
          py::arg("cycles"))
      .def("save", &save, py::arg("file"))
      .def("load", &load, py::arg("file"))
      .def("profile",
           [](RunningFabric& f) { return f.use([](const Fabric& g) { return g.profile(); }); })
      .def("prints",
           [](RunningFabric& f) { return f.use([](const Fabric& g) { return g.prints(); }); })
      .def("printed",
           [](RunningFabric& f) {
             return in_python(f.use([](const Fabric& g) { return g.printed(); }));
           })
      .def_property_readonly(
          "cycle", [](RunningFabric& f) { return f.use([](Fabric& g) { return g.cycle(); }); })
      .def_property_readonly(
          "skipped_cycles",
          [](RunningFabric& f) { return f.use([](Fabric& g) { return g.skipped_cycles(); }); })
      .def_property_readonly(
          "engine",
          [](RunningFabric& f) {
            return f.use([](Fabric& g) { return std::string(to_string(g.engine())); });
          })
      .def_property_readonly(
          "counters",
          [](RunningFabric& f) { return f.use([](Fabric& g) { return g.counters(); }); })
      .def_property_readonly(
          "report", [](RunningFabric& f) { return f.use([](Fabric& g) { return g.report(); }); });
}

}  // namespace weft::python
