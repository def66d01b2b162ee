#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "evaluation/item.hpp"

/// The ways to transform a cube that evaluations compare, and what is predicted of each.
namespace weft::evaluation {

/// A row of the table of ways.
struct Way {
  FftAlgorithm algorithm;
  FftTranspose form;    ///< wsfft
  FftPencil pencil;     ///< wsfft
  S3dftForm s3dft{};    ///< s3dft
  int most_side = 512;  ///< the longest side of a cube that is run: S3DFT's work grows as n^4

  bool is_s3dft() const noexcept { return algorithm == FftAlgorithm::s3dft; }
  bool is_s3dft_on_pencils() const noexcept { return is_s3dft() && s3dft != S3dftForm::cubes; }
  bool operator==(const Way&) const = default;
};

/// In the order of tables: wsFFT with pencils of radix 2, with radix 4, then S3DFT. A new form of
/// the transposes is one more row for each pencil; its prediction is a row in ways_predicted.cpp.
std::span<const Way> ways() noexcept;
/// wsFFT as published.
const Way& published_way() noexcept;

std::string_view exchange_name(const Way& way) noexcept;  ///< "ring"; "s3dft held"
std::string_view pencil_name(const Way& way) noexcept;    ///< "radix4"; "-"
std::string name_of(const Way& way);                      ///< "radix4, ring"; "s3dft held"
int color_of(const Way& way) noexcept;                    ///< of its series

/// n^3 numbers on n / m x n / m PEs of the default machine.
struct Transformed {
  Way way;
  FftPrecision precision;
  int n, m;
};

/// Nodes along an axis of S3DFT's cubes, whose mesh has as many PEs along x as along y; 0: none.
int nodes_along(const Transformed& t);

/// Whether the way has such lines, and is run on cubes so large.
bool can_be(const Transformed& t);

Run run_of(const Transformed& t, std::span<const Setting> settings = {});

/// The outcome of a run; null if there is none, or on this machine it does not end.
const Outcome* ended(const Outcomes& outcomes, const Run& run);

/// Cycles of an exchange among p PEs, whose messages have so many wavelets each; not of
/// butterflies.
double exchange_formula(FftTranspose form, double p, double message);

/// Predicted cycles of an exchange and of a pencil of wsFFT, by formulas that were written before
/// the runs.
double predicted_exchange(const Transformed& t);
double predicted_pencil(const Transformed& t);
/// Of wsFFT two exchanges, and pencils along three axes (with butterflies, which transform two of
/// them, along one); of S3DFT three stages, and alignments.
double predicted_cycles(const Transformed& t);
/// Of these, in exchanges or alignments.
double predicted_communication(const Transformed& t);
/// Of stage 0, 1 or 2 of S3DFT on pencils; alignments and the streams of cannon are extra.
double predicted_stage(const Transformed& t, int stage);

/// Predicted wavelets on the busiest link, links crossed by all wavelets, and bytes of a PE.
double predicted_link(const Transformed& t);
double predicted_hops(const Transformed& t);
double predicted_bytes(const Transformed& t);

/// Predicted cycles on a machine that differs in a constant; nothing where nobody has predicted
/// them.
std::optional<double> predicted_there(const Transformed& t, const Setting& setting);

/// The cells of a prediction, of the number of a run, and of how far the run is off.
void add_predicted(Row& row, const std::optional<double>& predicted, double ran);

}  // namespace weft::evaluation
