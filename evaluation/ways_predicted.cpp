// Formulas, written before the runs, but for three: butterflies on machines with late starts, the
// rest of a step of Figure 5, and machines with other rates. docs/algorithms.md and
// docs/transforms.md derive them.
#include <algorithm>
#include <cmath>

#include "evaluation/runs.hpp"
#include "evaluation/ways.hpp"
#include "evaluation/wsfft_paper.hpp"
#include "fft/exchange_cycles.hpp"
#include "fft/s3dft/cubes/counts.hpp"

namespace weft::evaluation {
namespace {

/// Passes of radix 4 over n numbers, and one of radix 2 where those leave it.
struct Passes {
  double fours, twos;
};
Passes passes_of(double n) {
  const auto levels = std::lround(std::log2(n)), fours = levels / 2;
  return {static_cast<double>(fours), static_cast<double>(levels % 2)};
}

/// Twice the numbers in a cycle in FP16, as products read their destination.
double radix4_pencil(double n, FftPrecision precision) {
  constexpr double kRadix4 = 6.3, kRadix2 = 3.5;  // cycles a number, FP32
  const auto [fours, twos] = passes_of(n);
  const double cycles = n * (kRadix4 * fours + kRadix2 * twos);
  return precision == FftPrecision::fp16 ? cycles / 2 : cycles;
}

// Of S3DFT, with its message of r m^2 n wavelets: cycles of a step that go on beside its products,
// and of a roll beyond its stream.
constexpr double kStep = 22, kRoll = 25;
// Of a step of cannon, which waits for two streams more.
constexpr double kTwoMoreStreams = 20;

/// Elements of vector instructions: products with a number, multiply-adds, which read their
/// destination too, and sums of two vectors. Or how many of them take a cycle.
struct Vectors {
  double multiply, multiply_add, add;
};

Vectors rates_of(FftPrecision precision, const Machine& machine) {
  const bool half = precision == FftPrecision::fp16;
  const double multiply = half ? machine.f16_rate : machine.f32_multiply_rate;
  const double add = half ? machine.f16_rate : machine.f32_add_rate;
  const auto of_two = [&](double rate) { return std::max(1.0, rate / machine.two_source_divisor); };
  return {multiply, of_two(multiply), of_two(add)};
}

double cycles_of(const Vectors& elements, const Vectors& rates) {
  return elements.multiply / rates.multiply + elements.multiply_add / rates.multiply_add +
         elements.add / rates.add;
}

/// Another machine: cycles that its steps and turns take beyond those of the default machine, and
/// the rates of its vectors.
struct There {
  double task_start, microthread_start, ramp;
  Vectors rates;

  double roll() const { return task_start + microthread_start + 2 * ramp; }
};

There there_on(const Machine& machine, FftPrecision precision) {
  const Machine usual;
  return {static_cast<double>(machine.task_start_cycles - usual.task_start_cycles),
          static_cast<double>(machine.microthread_start_cycles - usual.microthread_start_cycles),
          static_cast<double>(machine.ramp_cycles - usual.ramp_cycles),
          rates_of(precision, machine)};
}

There here(const Transformed& t) { return there_on({}, t.precision); }

double longer(const Vectors& elements, FftPrecision precision, const There& there) {
  return cycles_of(elements, there.rates) - cycles_of(elements, there_on({}, precision).rates);
}

double message_of(const Transformed& t) {
  return wavelets_of(t.precision) * t.m * t.m * static_cast<double>(t.n);
}

/// Steps of a ring times the longer of products and roll. A task starts with each step, and the
/// roll passes two ramps. Products of the third stage are shorter and more.
double s3dft_stage(const Transformed& t, int stage, const There& there) {
  const double p = static_cast<double>(t.n) / t.m, pairs = t.m * t.m;
  const double starts = stage == 2 ? pairs * t.m : pairs;
  const double each = 4 / there.rates.multiply_add;
  const double products = each * pairs * t.m * t.n + 12 * starts + kStep + there.task_start;
  return p * std::max(products, message_of(t) + kRoll + there.roll());
}

double s3dft_stages(const Transformed& t, const There& there) {
  double cycles = 0;
  for (const int stage : {0, 1, 2}) cycles += s3dft_stage(t, stage, there);
  const bool cannon = t.way.s3dft == S3dftForm::cannon;
  return cycles + (cannon ? 3.0 * t.n / t.m * kTwoMoreStreams : 0);
}

bool is_cubes(const Way& way) { return way.is_s3dft() && way.s3dft == S3dftForm::cubes; }

s3dft::cubes::Transform cubes_of(const Transformed& t) {
  const int p = nodes_along(t);
  return {s3dft::cubes::Tiles(p), t.n / p, t.precision, FftDirection::forward, 1};
}

/// Two alignments by half of a ring; of cubes, three.
double s3dft_alignment(const Transformed& t, const There& there) {
  if (t.way.s3dft == S3dftForm::held) return 0;
  if (is_cubes(t.way)) {
    double cycles = 0;
    for (const s3dft::cubes::Stage& stage : s3dft::cubes::kStage)
      cycles += s3dft::cubes::align_cycles(cubes_of(t), stage);
    return cycles;
  }
  return static_cast<double>(t.n) / t.m * (message_of(t) + kRoll + there.roll());
}

struct PredictedThere {
  std::string_view constant;
  int value;
  FftAlgorithm algorithm;
  FftTranspose form;
  double of_32, of_64;
};

/// FP32, radix 2, one pencil in a PE, S3DFT held; put together from parts of runs, before there was
/// a ring or an S3DFT.
constexpr PredictedThere kThere[] = {
    {"task_start_cycles", 256, FftAlgorithm::wsfft, FftTranspose::ring, 26'300, 51'800},
    {"ramp_cycles", 7, FftAlgorithm::wsfft, FftTranspose::ring, 9'900, 22'400},
    {"f32_multiply_rate", 8, FftAlgorithm::wsfft, FftTranspose::ring, 9'000, 20'300},
    {"task_start_cycles", 256, FftAlgorithm::s3dft, FftTranspose::automatic, 40'000, 103'700},
    {"ramp_cycles", 7, FftAlgorithm::s3dft, FftTranspose::automatic, 15'600, 55'700},
    {"f32_multiply_rate", 8, FftAlgorithm::s3dft, FftTranspose::automatic, 8'400, 29'000},
};

/// What an exchange takes longer. A turn from one sender to the next has two task starts, a
/// microthread and two ramps (`weft reproduce wsfft --only delay`), and so has each of a ring's p /
/// 2 steps; a level of halves starts no task. One of butterflies starts one, when all has come, and
/// one of two PEs multiplies what it has.
double exchange_longer(const Transformed& t, const There& there) {
  const double p = static_cast<double>(t.n) / t.m;
  const double start = there.microthread_start + 2 * there.ramp,
               turn = 2 * there.task_start + start;
  switch (t.way.form) {
    case FftTranspose::ring:
      return p / 2 * turn;
    case FftTranspose::halves:
      return std::log2(p) * start;
    case FftTranspose::butterflies:
      return std::log2(p) *
             (there.task_start + start + longer({2 * p, 2 * p, 2 * p}, t.precision, there));
    default:
      return p * turn;
  }
}

/// What a pencil takes longer: by radix 2 a product has two multiplications for four, by radix 4
/// three multiply-adds turn a number.
double pencil_longer(const Transformed& t, const There& there) {
  const double n = t.n, levels = std::log2(n);
  const auto [fours, twos] = passes_of(n);
  const Vectors vectors =
      t.way.pencil == FftPencil::radix4
          ? Vectors{0, n * (2.25 * fours + 1.5 * twos), n * (4 * fours + 2 * twos)}
          : Vectors{n * levels, n * levels, 2 * n * levels};
  return longer(vectors, t.precision, there);
}

double axes_in_pencils(const Transformed& t) {
  return t.way.form == FftTranspose::butterflies ? 1 : 3;  // butterflies transform the other two
}

/// Constants whose effect these formulas have.
constexpr std::string_view kConstants[] = {"task_start_cycles", "microthread_start_cycles",
                                           "ramp_cycles",       "f32_multiply_rate",
                                           "f16_rate",          "two_source_divisor"};

}  // namespace

double exchange_formula(FftTranspose form, double p, double message) {
  switch (form) {
    case FftTranspose::ring:
      return fft::ring_formula(p, message);
    case FftTranspose::halves:
      return fft::halves_formula(p, message);
    case FftTranspose::interlocked:  // a turn takes as much longer as writes of the switch
      return message * p * (p - 1) / 2 + 80 * p;
    default:
      return message * p * (p - 1) / 2 + 72 * p;
  }
}

double predicted_exchange(const Transformed& t) {
  const double p = static_cast<double>(t.n) / t.m;
  const double message = wavelets_of(t.precision) * t.m * t.m * t.m;
  if (t.way.form != FftTranspose::butterflies) return exchange_formula(t.way.form, p, message);
  return fft::butterflies_formula(p, message * p);
}

double predicted_pencil(const Transformed& t) {
  return t.way.pencil == FftPencil::radix4 ? radix4_pencil(t.n, t.precision)
                                           : wsfft_paper::pencil_cycles(t.n, t.precision);
}

double predicted_communication(const Transformed& t) {
  return t.way.is_s3dft() ? s3dft_alignment(t, here(t)) : 2 * predicted_exchange(t);
}

double predicted_stage(const Transformed& t, int stage) { return s3dft_stage(t, stage, here(t)); }

double predicted_cycles(const Transformed& t) {
  if (is_cubes(t.way)) return s3dft::cubes::cycles_of(cubes_of(t));
  if (t.way.is_s3dft()) return s3dft_stages(t, here(t)) + predicted_communication(t);
  return axes_in_pencils(t) * t.m * t.m * predicted_pencil(t) + predicted_communication(t);
}

std::optional<double> predicted_there(const Transformed& t, const Setting& setting) {
  const bool aligned = t.way.is_s3dft() && t.way.s3dft != S3dftForm::held;
  if (t.precision == FftPrecision::fp32 && t.way.pencil == FftPencil::radix2 && t.m == 1 &&
      !aligned)
    for (const PredictedThere& there : kThere)
      if (there.constant == setting.constant && there.value == setting.value &&
          there.algorithm == t.way.algorithm && there.form == t.way.form)
        if (t.n == 32 || t.n == 64) return t.n == 32 ? there.of_32 : there.of_64;
  if (std::ranges::find(kConstants, setting.constant) == std::end(kConstants)) return {};
  const There there = there_on(machine_with(setting), t.precision);
  if (is_cubes(t.way))
    return s3dft::cubes::cycles_of(
        cubes_of(t),
        {here(t).rates.multiply_add / there.rates.multiply_add, there.task_start, there.roll()});
  if (t.way.is_s3dft()) return s3dft_stages(t, there) + s3dft_alignment(t, there);
  return predicted_cycles(t) + 2 * exchange_longer(t, there) +
         axes_in_pencils(t) * t.m * t.m * pencil_longer(t, there);
}

}  // namespace weft::evaluation
