// S3DFT as published, on p^3 nodes, beside pencils on as many PEs.
#include <fmt/format.h>

#include <array>
#include <string>
#include <utility>

#include "evaluation/runs.hpp"
#include "evaluation/s3dft.hpp"
#include "evaluation/ways.hpp"
#include "fft/s3dft/cubes/counts.hpp"

namespace weft::evaluation {
namespace {

namespace nodes_in_tiles = s3dft::cubes;

/// p^3 nodes with blocks of side b.
struct Nodes {
  int p, b;
  int n() const { return p * b; }
};
constexpr std::array<Nodes, 8> kNodes{
    {{2, 4}, {2, 8}, {4, 1}, {4, 2}, {4, 4}, {4, 8}, {8, 2}, {8, 4}}};

template <class F>
void for_nodes(const Scope& scope, F f) {
  for (const FftPrecision precision : kPrecisions)
    for (const Nodes& nodes : kNodes)
      if (nodes.n() <= scope.most / 8) f(precision, nodes);
}

Run s3dft_run(int n, FftMesh mesh, FftPrecision precision, S3dftForm form) {
  Run run = cube_run(n, n, precision);
  run.mesh = mesh;
  run.more_memory = true;
  run.algorithm = FftAlgorithm::s3dft;
  run.s3dft_form = form;
  return run;
}

Run cubes_run(FftPrecision precision, const Nodes& nodes) {
  const nodes_in_tiles::Tiles tiles(nodes.p);
  return s3dft_run(nodes.n(), {tiles.width(), tiles.height()}, precision, S3dftForm::cubes);
}

/// On the mesh of the nodes, or where that has more PEs along x than the array has numbers, on
/// n x n.
Run held_run(FftPrecision precision, const Nodes& nodes) {
  const FftMesh mesh = cubes_run(precision, nodes).mesh;
  const int n = nodes.n();
  return s3dft_run(n, mesh.x <= n ? mesh : FftMesh{n, n}, precision, S3dftForm::held);
}

std::string text_of_mesh(const FftMesh& mesh) { return fmt::format("{} x {}", mesh.x, mesh.y); }

}  // namespace

std::vector<Run> runs_of_cubes(const Scope& scope) {
  std::vector<Run> runs;
  for_nodes(scope, [&](FftPrecision precision, const Nodes& nodes) {
    runs.push_back(cubes_run(precision, nodes));
    runs.push_back(held_run(precision, nodes));
  });
  return runs;
}

Result make_cubes(const Scope& scope, const Outcomes& outcomes, const Machine&) {
  Result result{"cubes", "n^3 numbers on p^3 nodes in tiles, and on pencils", {}};
  result.table.columns = {"precision",   "p",         "mesh",           "n",
                          "b",           "predicted", "cycles",         "off",
                          "held's mesh", "held",      "cubes over held"};
  for_nodes(scope, [&](FftPrecision precision, const Nodes& nodes) {
    const Run run = cubes_run(precision, nodes), pencils = held_run(precision, nodes);
    const Outcome *one = ended(outcomes, run), *held = ended(outcomes, pencils);
    if (one == nullptr) return;
    const auto cycles = static_cast<double>(one->cycles);
    Row row{cell(text_of(precision)), whole(nodes.p), cell(text_of_mesh(run.mesh)),
            whole(nodes.n()), whole(nodes.b)};
    add_predicted(row,
                  nodes_in_tiles::cycles_of(
                      {nodes_in_tiles::Tiles(nodes.p), nodes.b, precision, run.direction, 1}),
                  cycles);
    row.push_back(cell(text_of_mesh(pencils.mesh)));
    row.push_back(held == nullptr ? none() : whole(static_cast<double>(held->cycles)));
    row.push_back(held == nullptr ? none()
                                  : decimal(cycles / static_cast<double>(held->cycles), 2));
    result.table.rows.push_back(std::move(row));
  });
  result.notes = {
      "Held has the same PEs where the array has as many numbers along x, else n x n of them. The "
      "prediction's constants were read off runs at p = 2 and 4."};
  return result;
}

}  // namespace weft::evaluation
