#include <string>
#include <utility>
#include <vector>

#include "values.hpp"

namespace weft::python {
namespace {

/// An explanation, with its text.
struct Explained {
  std::uint64_t cycles = 0;
  std::vector<PhaseExplanation> phases{};
  std::vector<Finding> findings{};
  std::string text{};
};

Explained explanation_of(const Profile& p) {
  Explanation e = explain(p);
  std::string text = explanation_text(p);
  text.erase(text.find_last_not_of('\n') + 1);  // print ends the line
  return {e.cycles, std::move(e.phases), std::move(e.findings), std::move(text)};
}

}  // namespace

void take(FindingKind& kind, py::handle from) {
  const auto name = py::cast<std::string>(from);
  for (int n = 0; n <= static_cast<int>(FindingKind::idle_at_end); ++n)
    if (name == to_string(static_cast<FindingKind>(n))) kind = static_cast<FindingKind>(n);
}

void bind_explanation(py::module_& m) {
  py::class_<Least> least(m, "Least");
  value(least, Part{"cycles", &Least::cycles}, Part{"x", &Least::x}, Part{"y", &Least::y},
        Part{"port", &Least::port});
  using P = PhaseExplanation;
  py::class_<P> phase(m, "PhaseExplanation");
  value(phase, Part{"name", &P::name}, Part{"took", &P::took}, Part{"link", &P::link},
        Part{"core", &P::core}, Part{"ramp", &P::ramp}, Part{"way", &P::way},
        Part{"computing", &P::computing}, Part{"moving", &P::moving},
        Part{"waits_data", &P::waits_data}, Part{"waits_room", &P::waits_room},
        Part{"idle", &P::idle});
  using F = Finding;
  py::class_<F> finding(m, "Finding");
  value(finding, Part{"kind", &F::kind}, Part{"what", &F::what}, Part{"cycles", &F::cycles},
        Part{"share", &F::share}, Part{"phase", &F::phase}, Part{"x", &F::x}, Part{"y", &F::y},
        Part{"color", &F::color}, Part{"line", &F::line}, Part{"advice", &F::advice});
  py::class_<Explained> explained(m, "Explanation");
  explained.def("__str__", [](const Explained& t) { return t.text; })
      .def("__repr__", [](const Explained& t) {
        return "Explanation(" + std::to_string(t.cycles) + " cycles, " +
               std::to_string(t.findings.size()) + " findings)";
      });
  value(explained, Part{"cycles", &Explained::cycles}, Part{"phases", &Explained::phases},
        Part{"findings", &Explained::findings}, Part{"text", &Explained::text});
  using Bound = py::class_<Profile, std::shared_ptr<Profile>>;
  py::reinterpret_borrow<Bound>(m.attr("Profile")).def("explain", &explanation_of);
}

}  // namespace weft::python
