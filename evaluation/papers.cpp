#include <array>

#include "evaluation/algorithms.hpp"
#include "evaluation/ape.hpp"
#include "evaluation/item.hpp"
#include "evaluation/s3dft.hpp"
#include "evaluation/wsfft_runs.hpp"

namespace weft::evaluation {
namespace {

constexpr std::array<Item, 15> kWsfft = {{
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
    {"wafers", "section 8: on two and four wafers", runs_of_wafers, make_wafers},
    {"rates", "section 8: from which rate of links wafers pay", runs_of_rates, make_rates},
    {"claims", "assertions of the text", runs_of_claims, make_claims},
}};

constexpr std::array<Item, 7> kAlgorithms = {{
    {"transforms", "n^3 on n x n PEs", runs_of_forms, make_forms},
    {"pencils-a-pe", "2 x 2 and 4 x 4 pencils in a PE", runs_of_shared_forms, make_shared_forms},
    {"traffic", "hops, busiest links, bytes of a PE", runs_of_all_forms, make_traffic},
    {"fastest", "where one overtakes another", runs_of_all_forms, make_fastest_forms},
    {"machines", "slow starts and ramps, quick products", runs_of_machines, make_machines},
    {"latency", "where tasks or microthreads start late", runs_of_latency, make_latency},
    {"memory", "the largest array in 24, 48 and 96 KB", runs_of_memories, make_memories},
}};

constexpr std::array<Item, 9> kS3dft = {{
    {"figure-3", "copies and y += a x of a block", runs_of_copies, make_copies},
    {"figure-4", "block product, share of peak", runs_of_products, make_products},
    {"figure-5", "roll and product over b", runs_of_rolls, make_rolls},
    {"figure-6", "three stages apart, 32^3 over PEs", runs_of_stages, make_stages},
    {"figure-7", "all ways but interlocked, 32^3 over PEs", runs_of_small_scaling,
     make_small_scaling},
    {"figure-8", "the same, 64^3 or 128^3 over PEs", runs_of_large_scaling, make_large_scaling},
    {"messages", "messages and events", runs_of_messages, make_messages},
    {"transposition", "global transpositions in stage 3", runs_of_global_transposition,
     make_global_transposition},
    {"cubes", "p^3 nodes in tiles, beside pencils", runs_of_cubes, make_cubes},
}};

constexpr std::array<Item, 6> kApe = {{
    {"figure-7", "transposition over the matrix's side", runs_of_matrices, make_matrices},
    {"figure-8", "transposition over p, exponents", runs_of_networks, make_networks},
    {"equations", "equations (2) to (4): shifts", runs_of_shifts, make_shifts},
    {"peak", "2-D transforms, with and without the way back", runs_of_peak, make_peak},
    {"skews", "appendices A and B: three ways to skew", runs_of_skews, make_skews},
    {"four-axes", "n^4 on n x n PEs", runs_of_lattices, make_lattices},
}};

constexpr std::array<Paper, 4> kPapers = {
    {{"wsfft", "Orenes-Vera et al., \"Wafer-Scale Fast Fourier Transforms\"", kWsfft},
     {"algorithms", "wsFFT by all exchanges and pencils, and S3DFT, beside their predictions",
      kAlgorithms},
     {"s3dft", "Malapally et al., \"Scalability of 3D-DFT by block tensor-matrix multiplication\"",
      kS3dft},
     {"ape", "Lippert et al., \"FFT for the APE parallel computer\"", kApe}}};

}  // namespace

std::span<const Paper> papers() { return kPapers; }

}  // namespace weft::evaluation
