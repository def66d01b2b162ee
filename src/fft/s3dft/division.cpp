#include "fft/s3dft/division.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "fft/division/lines.hpp"
#include "fft/fitting.hpp"
#include "fft/s3dft/cubes/algorithm.hpp"
#include "fft/s3dft/program.hpp"
#include "program/extents.hpp"
#include "weft/error.hpp"

namespace weft::s3dft {
namespace {

constexpr std::size_t kLeastSide = 2;

std::vector<int> divisors_of(int n) {
  std::vector<int> all;
  for (int p = 1; p <= n; ++p)
    if (n % p == 0) all.push_back(p);
  return all;
}

/// The PEs that are asked for along an axis of the mesh, of one array or of several side by side;
/// no PEs if none are asked for.
fft::Line line_of(int asked, int n, int batch, const char* axis, int number) {
  if (asked == 0) return {};
  if (asked > 0 && n % asked == 0) return {asked, asked};
  if (asked > 0 && batch > 1 && asked % n == 0) return {n, asked};
  std::vector<int> near;
  for (const int p : divisors_of(n)) {
    if (p < asked || near.empty()) near = {p};
    if (p > asked) {
      if (near.front() != p) near.push_back(p);
      break;
    }
  }
  throw Error(
      ErrorCategory::usage, fmt::format("invalid mesh: {} PEs along {}", asked, axis),
      fmt::format("s3dft divides axis {} of {} numbers among them, and {} does not divide {}",
                  number, n, asked, n),
      fmt::format("the nearest that {}: {}{}", near.size() == 1 ? "does" : "do",
                  fmt::join(near, " and "),
                  batch > 1 ? fmt::format("; arrays side by side take multiples of {}", n) : ""));
}

/// What a mesh of PEs takes of each of them.
struct Need {
  std::uint32_t bytes = 0;
  std::string why_none{};  ///< no machine has such programs
};

Need need_of(const Division& division, FftPrecision precision, S3dftForm form) {
  const Transform t =
      transform_of(division, precision, FftDirection::inverse, FftNorm::ortho, form);
  const std::int64_t numbers = numbers_of(division) * 2;
  const std::int64_t rows = words_of_step(t, stages_of(division)[2]);
  if (std::max(numbers, rows) > fft::kMostElements)
    return {0, fmt::format("{} {} elements, and a descriptor has at most {}",
                           numbers >= rows ? "they are" : "rows of the matrix of axis 0 are",
                           std::max(numbers, rows), fft::kMostElements)};
  try {
    return {build_transform(t).program.memory_bytes, {}};
  } catch (const Error& error) {
    return {0, error.problem()};
  }
}

bool fits_pe(const Need& need, const Machine& machine) {
  return need.why_none.empty() && need.bytes <= static_cast<std::uint32_t>(machine.pe_memory_bytes);
}

/// All of a PE's data is written in a run.
fft::PeMemory memory_of(const Need& need) { return {need.bytes, static_cast<double>(need.bytes)}; }

/// Each block of the array meets one of coefficients that came along the other axis.
bool is_square_enough(int px, int py, S3dftForm form) {
  return px == py || form != S3dftForm::cannon;
}

/// The meshes of one array, in the order of fft::by_pes.
std::vector<Division> meshes_of(const Division& whole, S3dftForm form, int sign) {
  std::vector<Division> all;
  for (const int px : divisors_of(whole.sides[2]))
    for (const int py : divisors_of(whole.sides[1]))
      if (std::max(px, py) <= fft::kLongestLine && is_square_enough(px, py, form))
        all.push_back(fft::on_lines(whole, {px, px}, {py, py}));
  std::ranges::stable_sort(all, {}, [=](const Division& d) {
    return fft::by_pes(sign, {d.px, d.py});
  });
  return all;
}

[[noreturn]] void refuse_for_memory(const Division& division, const Need& need,
                                    FftPrecision precision, const FftOptions& options) {
  std::vector<std::string> advice;
  const std::vector<Division> meshes = meshes_of(division, options.s3dft_form, 1);
  const auto enough = std::ranges::find_if(meshes, [&](const Division& other) {
    return fits_pe(need_of(other, precision, options.s3dft_form), options.machine);
  });
  if (enough != meshes.end())
    advice.push_back(fmt::format("take at least {} x {} PEs", enough->px, enough->py));
  if (need.bytes > 0 && need.bytes <= kMostMemoryBytes)
    advice.push_back(fmt::format("raise the machine's pe_memory_bytes to {}", need.bytes));
  throw Error(
      ErrorCategory::machine_profile,
      fmt::format("blocks of {} numbers exceed {}", numbers_of(division),
                  need.why_none.empty() ? fft::memory_limit(options.machine) : fft::kProgramLimit),
      need.why_none.empty()
          ? fmt::format("with room for the next block, sums, coefficients and program "
                        "they take {} bytes, pe_memory_bytes is {}",
                        need.bytes, options.machine.pe_memory_bytes)
          : need.why_none,
      advice.empty() ? "take a smaller shape" : fmt::format("{}", fmt::join(advice, ", or ")));
}

/// Options of wsFFT that would have no effect.
void check_options(const FftOptions& options) {
  const bool transpose = options.transpose != FftTranspose::automatic;
  const bool pencil = options.pencil != FftPencil::automatic;
  const bool fastest = options.transpose == FftTranspose::fastest &&
                       options.pencil == FftPencil::fastest;  // as Python's `fastest` asks for
  const char* const option = fastest        ? "fastest"
                             : transpose    ? "transpose"
                             : pencil       ? "pencil"
                             : options.back ? "back"
                                            : nullptr;
  if (option != nullptr)
    throw Error(ErrorCategory::usage, fmt::format("invalid combination: {} with s3dft", option),
                "it is of wsfft: s3dft has no exchanges of all with all, and no pencil FFTs",
                "leave it out, or take the algorithm wsfft");
}

}  // namespace

std::optional<fft::WrongShape> wrong_shape(const Shape3& shape, FftKind kind) {
  const auto& [n0, n1, n2, n3] = shape;
  if (kind == FftKind::real)
    return fft::WrongShape{"s3dft has complex arrays only",
                           "take complex numbers, or the algorithm wsfft"};
  for (const std::size_t side : {n0, n1, n2}) {
    if (side < kLeastSide || n3 != 1)
      return fft::WrongShape{"s3dft has arrays of three axes only",
                             fmt::format("give three sides of {} numbers or more, or take the "
                                         "algorithm wsfft",
                                         kLeastSide)};
    if (side > FftPlan::kMostSide)
      return fft::WrongShape{fmt::format("side {} is more than {}", side, FftPlan::kMostSide),
                             "take a smaller shape"};
  }
  return {};
}

fft::Choice choose(const Shape3& shape, FftPrecision precision, FftOptions& options) {
  check_options(options);
  if (options.s3dft_form == S3dftForm::cubes) return cubes::choose(shape, precision, options);
  const auto& [mesh, batch] = std::pair(options.mesh, options.batch);
  const Division whole = [&] {
    Division in_one = fft::in_a_pe(shape);
    in_one.ring = true;
    return in_one;
  }();
  const std::vector<Division> meshes = meshes_of(whole, options.s3dft_form, -1);
  fft::Line x = line_of(mesh.x, whole.sides[2], batch, "x", 2),
            y = line_of(mesh.y, whole.sides[1], batch, "y", 1);
  const auto beside = std::ranges::find_if(meshes, [&](const Division& other) {
    return (x.one == 0 || other.px == x.one) && (y.one == 0 || other.py == y.one);
  });
  const Division& largest = beside == meshes.end() ? meshes.front() : *beside;
  if (x.one == 0) x = {largest.px, largest.px * fft::side_by_side(batch, largest.px)};
  if (y.one == 0) y = {largest.py, largest.py * fft::lines_down(batch, x.all / x.one, largest.py)};
  Division chosen = fft::on_lines(whole, x, y);
  if (!is_square_enough(chosen.px, chosen.py, options.s3dft_form))
    throw Error(ErrorCategory::usage,
                fmt::format("invalid mesh for cannon: {} x {} PEs", chosen.px, chosen.py),
                "blocks of the array and of coefficients meet on as many PEs along x as along y",
                fmt::format("take {} x {} PEs, or the form held", largest.px, largest.py));
  Need need = need_of(chosen, precision, options.s3dft_form);
  if (!fits_pe(need, options.machine)) refuse_for_memory(chosen, need, precision, options);
  if (mesh.x == 0 && mesh.y == 0 && !fft::fits_host(chosen, memory_of(need), options)) {
    for (const Division& other : meshes) {
      const Need fewer = need_of(other, precision, options.s3dft_form);
      if (!fits_pe(fewer, options.machine)) continue;
      if (!fft::fits_host(other, memory_of(fewer), options)) continue;
      chosen = other;
      need = fewer;
      break;
    }
  }
  fft::check_host(chosen, memory_of(need), options);
  return {chosen, memory_of(need), [chosen](FftDirection) {
            const int rows = most_rows(chosen.sides[0], std::max(chosen.px, chosen.py));
            return fmt::format(
                "{} x {} pencils of {} numbers in a PE, {} row{} of the matrix of axis 0",
                numbers_along_x(chosen), numbers_along_y(chosen), chosen.sides[0], rows,
                rows == 1 ? "" : "s");
          }};
}

}  // namespace weft::s3dft
