#include <array>

#include "evaluation/algorithms.hpp"
#include "evaluation/item.hpp"
#include "evaluation/wsfft_runs.hpp"

namespace weft::evaluation {
namespace {

constexpr std::array<Item, 13> kWsfft = {{
    {"table-1", "cycles, n^3 on n x n PEs", runs_of_table_1, make_table_1},
    {"figure-3", "flops a cycle of a pencil", runs_of_pencils, make_figure_3},
    {"figure-4", "compute and communication over n^2", runs_of_weak_scaling, make_figure_4},
    {"figure-5", "weak scaling, Tflops/s", runs_of_weak_scaling, make_figure_5},
    {"figure-6", "weak scaling, bytes of routers in a second", runs_of_weak_scaling, make_figure_6},
    {"figure-7", "strong scaling, 1, 4 and 16 pencils a PE", runs_of_strong_scaling, make_figure_7},
    {"table-2", "rates of other machines", runs_of_strong_scaling, make_table_2},
    {"section-6.1", "2-D arrays and the bisection bound", runs_of_section_6_1, make_section_6_1},
    {"delay", "from one sender to the next, by parts", runs_of_delay, make_delay},
    {"pencils", "section 7: other algorithms in a PE", runs_of_algorithms, make_pencils},
    {"transposes", "section 4.3: other ways to transpose", runs_of_transposes, make_transposes},
    {"excess", "n = 512: what may slow the machine", runs_of_excess, make_excess},
    {"claims", "assertions of the text", runs_of_claims, make_claims},
}};

constexpr std::array<Item, 4> kAlgorithms = {{
    {"transforms", "n^3 on n x n PEs", runs_of_forms, make_forms},
    {"pencils-a-pe", "2 x 2 and 4 x 4 pencils in a PE", runs_of_shared_forms, make_shared_forms},
    {"fastest", "where one overtakes another", runs_of_all_forms, make_fastest_forms},
    {"machines", "slow tasks, slow ramps, quick products", runs_of_machines, make_machines},
}};

constexpr std::array<Paper, 2> kPapers = {
    {{"wsfft", "Orenes-Vera et al., \"Wafer-Scale Fast Fourier Transforms\"", kWsfft},
     {"algorithms", "transforms by other exchanges and pencils, beside their predictions",
      kAlgorithms}}};

}  // namespace

std::span<const Paper> papers() { return kPapers; }

}  // namespace weft::evaluation
