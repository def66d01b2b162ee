#include "evaluation/ways.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>

#include "evaluation/runs.hpp"
#include "fft/fitting.hpp"
#include "fft/s3dft/cubes/tiles.hpp"
#include "fft/wsfft/division.hpp"

namespace weft::evaluation {
namespace {

constexpr Way by_wsfft(FftTranspose form, FftPencil pencil) {
  return {FftAlgorithm::wsfft, form, pencil};
}
// Chosen: 128^3 takes seconds, 256^3 would take minutes.
constexpr Way by_s3dft(S3dftForm form, int most_side = 128) {
  return {FftAlgorithm::s3dft, FftTranspose::automatic, FftPencil::radix2, form, most_side};
}

constexpr std::array kWays{
    by_wsfft(FftTranspose::published, FftPencil::radix2),
    by_wsfft(FftTranspose::interlocked, FftPencil::radix2),
    by_wsfft(FftTranspose::halves, FftPencil::radix2),
    by_wsfft(FftTranspose::ring, FftPencil::radix2),
    by_wsfft(FftTranspose::butterflies, FftPencil::radix2),
    by_wsfft(FftTranspose::published, FftPencil::radix4),
    by_wsfft(FftTranspose::interlocked, FftPencil::radix4),
    by_wsfft(FftTranspose::halves, FftPencil::radix4),
    by_wsfft(FftTranspose::ring, FftPencil::radix4),
    by_wsfft(FftTranspose::butterflies, FftPencil::radix4),
    by_s3dft(S3dftForm::held),
    by_s3dft(S3dftForm::cannon),
    by_s3dft(S3dftForm::cubes, 64),
};

}  // namespace

std::span<const Way> ways() noexcept { return kWays; }

const Way& published_way() noexcept { return kWays.front(); }

std::string_view exchange_name(const Way& way) noexcept {
  constexpr std::string_view kForms[] = {"s3dft held", "s3dft cannon", "s3dft cubes"};
  return way.is_s3dft() ? kForms[static_cast<std::size_t>(way.s3dft)] : to_string(way.form);
}

std::string_view pencil_name(const Way& way) noexcept {
  return way.is_s3dft() ? "-" : to_string(way.pencil);
}

std::string name_of(const Way& way) {
  return way.is_s3dft() ? std::string(exchange_name(way))
                        : fmt::format("{}, {}", pencil_name(way), exchange_name(way));
}

int color_of(const Way& way) noexcept {
  return static_cast<int>(std::ranges::find(kWays, way) - kWays.begin());
}

int nodes_along(const Transformed& t) {
  const int pes = t.n / t.m;
  for (int p = 2; t.n % p == 0; p *= 2) {
    const s3dft::cubes::Tiles tiles(p);
    if (tiles.width() >= pes) return tiles.width() == pes && tiles.height() == pes ? p : 0;
  }
  return 0;
}

bool can_be(const Transformed& t) {
  if (t.n > t.way.most_side) return false;
  if (t.way.is_s3dft()) return t.way.s3dft != S3dftForm::cubes || nodes_along(t) > 0;
  wsfft::Division division = wsfft::cube(t.n);
  division.px = division.py = t.n / t.m;
  return fft::has_lines(division, t.way.form);
}

Run run_of(const Transformed& t, std::span<const Setting> settings) {
  Run run = cube_run(t.n, t.n / t.m, t.precision);
  run.more_memory = true;
  run.algorithm = t.way.algorithm;
  run.pencil = t.way.pencil;
  run.form = t.way.form;
  run.s3dft_form = t.way.s3dft;
  run.settings = settings;
  return run;
}

const Outcome* ended(const Outcomes& outcomes, const Run& run) {
  const Outcome* outcome = outcomes.find(run);
  return outcome != nullptr && outcome->cycles != 0 ? outcome : nullptr;
}

void add_predicted(Row& row, const std::optional<double>& predicted, double ran) {
  row.push_back(predicted ? whole(*predicted) : none());
  row.push_back(whole(ran));
  row.push_back(predicted && *predicted != 0 ? percent(ran / *predicted) : none());
}

}  // namespace weft::evaluation
