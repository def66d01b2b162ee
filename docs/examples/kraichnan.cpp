// Turbulence as Kraichnan's model has it: a scalar is carried by a velocity that is drawn anew in
// each of 300 steps, with Gaussian modes whose variance falls as k^-(2 + xi). All 300 fields are
// transformed at once, each on a row of 64 PEs, u + iv as one complex array. Their modes are drawn
// in the order in which the transform takes them, so a field takes one transposition. Then 16 x 16
// PEs carry the scalar: blocks on folded rings, whose neighbours are those of a periodic plane.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <numeric>
#include <random>
#include <weft/fft.hpp>
#include <weft/weft.hpp>

namespace {

constexpr std::size_t kN = 64, kSteps = 300, kPoints = kN * kN;
constexpr int kPes = 16, kB = 4;                              // blocks of kB x kB points
constexpr double kXi = 1, kSpeed = 0.4, kDiffusion = 0.01;    // speed: root mean square
constexpr double kSpread = kDiffusion + kSpeed * kSpeed / 2;  // the velocity forgets the last step

/// Modes of u + iv: i (ky, -kx) times those of a real function, whose mirror images agree.
weft::Volume amplitudes(std::size_t fields, double xi) {
  std::mt19937 random(1);
  const auto uniform = [&] {  // as NumPy's random_sample
    const auto high = static_cast<double>(random() >> 5);
    return (high * 0x1p26 + static_cast<double>(random() >> 6)) * 0x1p-53;
  };
  std::vector<std::complex<double>> drawn(kPoints), factor(kPoints);
  double power = 0;
  for (std::size_t i = 1; i < kPoints; ++i) {
    if (i % kN == kN / 2 || i / kN == kN / 2) continue;  // no mirror image
    const std::complex k{std::remainder(i % kN, kN), std::remainder(i / kN, kN)};
    factor[i] = k * std::pow(std::abs(k), -2 - xi / 2);
    power += std::norm(factor[i]);
  }
  weft::Volume modes{{fields * kN, 1, kN}, {}};
  modes.data.reserve(fields * kPoints);
  for (std::size_t field = 0; field < fields; ++field) {
    for (std::complex<double>& a : drawn) {
      const double size = std::sqrt(-std::log(1 - uniform()));
      a = std::polar(size, 2 * std::numbers::pi * uniform());
    }
    for (std::size_t i = 0; i < kPoints; ++i) {
      const std::size_t mirror = (kN - i / kN) % kN * kN + (kN - i % kN) % kN;
      modes.data.emplace_back(factor[i] * (drawn[i] + std::conj(drawn[mirror])) * kSpeed /
                              std::sqrt(power));
    }
  }
  return modes;
}

/// Of so many fields, with a transpose back or without.
weft::FftPlan plan_of(int fields, bool back = false) {
  weft::FftOptions options{.mesh = {kN, fields}, .batch = fields, .norm = weft::FftNorm::forward};
  options.transpose = weft::FftTranspose::ring;
  options.pencil = weft::FftPencil::radix4;
  options.back = back;
  return {{kN, 1, kN}, weft::FftPrecision::fp32, options};
}

/// The line through the logarithms, by least squares.
double slope(const std::vector<double>& x, const std::vector<double>& y) {
  double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double lx = std::log(x[i]), ly = std::log(y[i]);
    n += 1, sx += lx, sy += ly, sxx += lx * lx, sxy += lx * ly;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

/// Of the energy over k, by shells, and of squared differences over the distance.
void print_slopes(double xi) {
  const weft::FftPlan plan = plan_of(kN);
  const weft::Volume fields = plan.inverse(amplitudes(kN, xi)).output;
  const weft::Volume modes = plan.forward(fields).output;
  std::vector<double> shells(23), energies, apart{2, 4, 8}, squares;
  std::iota(shells.begin(), shells.end(), 2);
  for (const double shell : shells) {
    double sum = 0, count = 0;
    for (std::size_t i = 0; i < modes.data.size(); ++i) {
      const std::size_t at = i % kPoints;
      const double k = std::hypot(std::remainder(at % kN, kN), std::remainder(at / kN, kN));
      if (std::rint(k) == shell) sum += std::norm(std::complex<double>(modes.data[i])), ++count;
    }
    energies.push_back(shell * sum / count);
  }
  for (const double r : apart) {
    double sum = 0;
    for (std::size_t i = 0; i < fields.data.size(); ++i) {
      const std::size_t other = i / kN * kN + (i + static_cast<std::size_t>(r)) % kN;
      sum += std::norm(fields.data[other] - fields.data[i]);
    }
    squares.push_back(sum);
  }
  std::printf("xi = %.1f: the spectrum goes as k^%.2f, differences as r^%.2f\n", xi,
              slope(shells, energies), slope(apart, squares));
}

void carry(weft::PeProgram& pe, const std::vector<weft::RingShift>& rings) {
  const auto array = [&](const char* name, int side) {
    return pe.array<float>(name, {side, side});
  };
  const weft::PeVector wide = array("scalar", kB + 2), u = array("u", kB), v = array("v", kB),
                       change = array("change", kB), other = array("other", kB);
  const auto block = [&](int row, int column) { return wide.block(row, column, kB, kB); };
  pe.task("step", [&] {
    std::vector<weft::PeOperation> moves;
    for (std::size_t k = 0; k < rings.size(); ++k) {
      const int out = k % 2 == 0 ? kB : 1, in = k % 2 == 0 ? 0 : kB + 1;
      const auto edge = [&](int at) {
        return k < 2 ? wide.block(1, at, kB, 1) : wide.block(at, 1, 1, kB);
      };
      for (const weft::PeOperation& part : rings[k].start(pe, edge(out), edge(in)))
        moves.push_back(part);
    }
    pe.wait(moves);
    pe.sub(change, block(1, 2), block(1, 0));
    pe.mul(change, change, u);
    pe.sub(other, block(2, 1), block(0, 1));
    pe.multiply_add(change, other, v);
    pe.add(other, block(1, 2), block(1, 0));
    pe.add(other, other, block(2, 1));
    pe.add(other, other, block(0, 1));
    pe.multiply_add(change, other, kSpread);
    pe.mul(block(1, 1), block(1, 1), 1 - 4 * kSpread);
    pe.add(block(1, 1), block(1, 1), change);
  });
}

/// The point of the plane that stands at this place of the PEs' blocks, on folded rings.
std::size_t on_rings(std::size_t i) {
  const auto along = [](std::size_t x) {
    const int place = weft::RingShift::place_of(static_cast<int>(x) / kB, kPes);
    return static_cast<std::size_t>(place) * kB + x % kB;
  };
  return along(i / kN) * kN + along(i % kN);
}

unsigned long long count(std::uint64_t n) { return n; }

}  // namespace

int main() {
  weft::Design design(kPes, kPes);
  std::vector<weft::RingShift> rings;
  for (const weft::Along along : {weft::Along::rows, weft::Along::columns})
    for (const weft::Around way : {weft::Around::onwards, weft::Around::backwards})
      rings.emplace_back(design, design.all(), along, "ring " + std::to_string(rings.size()), way);
  design.program(design.all(), "carry", [&](weft::PeProgram& pe) { carry(pe, rings); });

  const weft::FftRun run = plan_of(kSteps).inverse(amplitudes(kSteps, kXi));
  weft::Fabric fabric = design.fabric();
  constexpr std::uint64_t kLimit = 1'000'000;
  std::vector<float> points(kPoints);
  const auto write = [&](const char* symbol, auto value, int halo) {
    for (std::size_t i = 0; i < kPoints; ++i) points[i] = value(on_rings(i));
    fabric.scatter(design.all(), symbol, points, halo);
  };
  const auto start = [](std::size_t i) { return i % kN / 16 % 2 == 0 ? 1.0F : -1.0F; };
  write("scalar", start, 1);
  fabric.run_until_idle(kLimit);
  const std::uint64_t began = fabric.cycle();
  std::vector<double> host(kPoints), next = host;
  for (std::size_t i = 0; i < kPoints; ++i) host[i] = start(i);
  for (std::size_t step = 0; step < kSteps; ++step) {
    const std::complex<float>* const field = &run.output.data[step * kPoints];
    write(
        "u", [&](std::size_t i) { return field[i].real() / -2; }, 0);
    write(
        "v", [&](std::size_t i) { return field[i].imag() / -2; }, 0);
    fabric.activate(design.all(), "step");
    fabric.run_until_idle(fabric.cycle() + kLimit);
    for (std::size_t i = 0; i < kPoints; ++i) {
      const std::size_t row = i / kN * kN;
      const double e = host[row + (i + 1) % kN], w = host[row + (i + kN - 1) % kN],
                   s = host[(i + kN) % kPoints], n = host[(i + kPoints - kN) % kPoints];
      next[i] = host[i] + kSpread * (e + w + s + n - 4 * host[i]) -
                (field[i].real() * (e - w) + field[i].imag() * (s - n)) / 2;
    }
    std::swap(host, next);
  }

  const weft::Machine machine;
  for (const weft::RunPhase& phase : run.report.phases)
    std::printf("%s: %llu cycles\n", phase.name.c_str(), count(phase.cycles));
  const weft::FftRun back = plan_of(2, true).inverse(amplitudes(2, kXi));
  std::printf("in all %llu; with a transpose back %llu\n", count(run.report.cycles),
              count(back.report.cycles));
  std::printf("an exchange around a ring takes at most %zu\n",
              2 * (kN * kN / 4 + 5 * kN / 2) + 17 * kN + 330);
  const int more = machine.hop_cycles + 10 * (machine.vector_start_cycles + kB * kB);
  std::printf("a step of the scalar takes %llu cycles, at most %llu\n",
              count((fabric.cycle() - began) / kSteps),
              count(weft::HaloExchange::most_cycles(machine, kB, kB) + count(more)));
  const std::vector<float> scalar = fabric.gather<float>(design.all(), "scalar", 1);
  double error = 0, sum = 0, squares = 0;
  for (std::size_t i = 0; i < kPoints; ++i) {
    error = std::max(error, std::abs(scalar[i] - host[on_rings(i)]));
    sum += scalar[i] / double{kPoints};
    squares += scalar[i] * scalar[i] / double{kPoints};
  }
  std::printf("its variance falls from 1 to %.3f\n", squares - sum * sum);
  for (const double xi : {0.5, 1.0, 1.5}) print_slopes(xi);
  double apart = 0;  // from the fields that lie where their modes were
  for (std::size_t i = 0; i < back.output.data.size(); ++i)
    apart = std::max(apart, double{std::abs(back.output.data[i] - run.output.data[i])});
  const bool right = error < 1e-4 && apart < 1e-5;
  std::printf("%s\n", right ? "as on the host" : "WRONG");
  return right ? 0 : 1;
}
