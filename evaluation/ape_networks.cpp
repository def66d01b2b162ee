#include "evaluation/ape_networks.hpp"

#include <fmt/format.h>

#include "evaluation/runs.hpp"
#include "fft/exchange_cycles.hpp"

namespace weft::evaluation {

std::string name_of(const Network& network) {
  return network.is_ring() ? fmt::format("ring of {}", network.px)
                           : fmt::format("mesh of {} x {}", network.px, network.py);
}

Run matrix_run(int n, const Network& network, FftPrecision precision, FftDirection direction) {
  const auto side = static_cast<std::size_t>(n);
  Run run{Run::Kind::transform, {side, 1, side}, {network.px, network.py}, precision, direction};
  run.more_memory = true;
  run.pencil = FftPencil::radix4;
  run.form = FftTranspose::ring;
  return run;
}

std::optional<double> transposition_of(const Outcomes& outcomes, int n, const Network& network,
                                       FftPrecision precision, FftDirection direction) {
  const Outcome* one = outcomes.find(matrix_run(n, network, precision, direction));
  if (one == nullptr) return {};
  return static_cast<double>(one->communication);
}

double predicted_transposition(int n, const Network& network, FftPrecision precision) {
  const double m = static_cast<double>(n) / network.pes();
  const double element = wavelets_of(precision) * m * m;
  if (network.is_ring()) return fft::ring_formula(network.px, element);
  // All parts of one axis go together along the other.
  return fft::ring_formula(network.px, element * network.py) +
         fft::ring_formula(network.py, element * network.px);
}

double shifts_both_ways(const Network& network) {
  const double p = network.pes();
  return p * (network.is_ring() ? p : network.px + network.py) / 4;
}

double shifts_one_way(const Network& network) {
  const double p = network.pes();
  return p * (network.px - 1 + network.py - 1) / 2;
}

}  // namespace weft::evaluation
