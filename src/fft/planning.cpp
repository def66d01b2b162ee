#include "fft/planning.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <complex>
#include <string>

#include "fabric/footprint.hpp"
#include "fabric/timing.hpp"
#include "fft/wsfft/program.hpp"
#include "weft/error.hpp"

namespace weft::fft {
namespace {

using wsfft::Division;

/// Chosen: the longest line of PEs that a plan takes without being asked.
constexpr int kLongestLine = 1024;

/// A side of an array, or 1. `most`: the longest.
bool is_side(std::size_t side, std::size_t most = FftPlan::kMostSide) {
  return side == 1 || (std::has_single_bit(side) && side >= FftPlan::kLeastSide && side <= most);
}

bool is_plannable(const Shape3& shape) {
  const auto& [n0, n1, n2] = shape;
  if (n2 == 1) return false;
  if (n0 == 1 && n1 == 1) return is_side(n2, FftPlan::kLongest);
  return is_side(n0) && is_side(n1) && is_side(n2);
}

/// The bases of the digits of an index below n: two for a row or a column of PEs, three for a mesh.
/// About equal, as an exchange takes the smaller one of two as its PEs.
std::array<int, 3> digits_of(std::size_t n, const FftMesh& mesh) {
  const int bits = static_cast<int>(std::bit_width(n)) - 1;
  if (mesh.x == 1 || mesh.y == 1) {
    const int divided = 1 << bits / 2, whole = 1 << (bits - bits / 2);
    return mesh.y == 1 ? std::array{divided, 1, whole} : std::array{1, divided, whole};
  }
  const int whole = (bits + 2) / 3, along_x = (bits - whole + 1) / 2;
  return {1 << along_x, 1 << (bits - whole - along_x), 1 << whole};
}

/// Whether an array of one axis is divided among PEs: one that no PE can have, or, unless there is
/// a batch for these, that is to have several.
bool takes_digits(std::size_t n, const FftMesh& mesh, int batch) {
  if (n > FftPlan::kMostSide) return true;
  const bool several = std::max(mesh.x, mesh.y) > 1;
  const std::array<int, 3> digits = digits_of(n, mesh);
  return batch == 1 && several && std::ranges::none_of(digits, [](int side) {
           return side != 1 && side < static_cast<int>(FftPlan::kLeastSide);
         });
}

/// PEs along an axis of the mesh, for one array and for all side by side.
struct Line {
  int one, all;
};

/// The PEs that were asked for. `most`: that one array can take.
Line line_of(int asked, int most, int batch, const char* name) {
  const int one = std::min(asked, most);
  const bool fits = asked > 0 && std::has_single_bit(static_cast<unsigned>(one)) &&
                    asked % one == 0 && (asked == one || batch > 1);
  if (!fits)
    throw Error(ErrorCategory::usage,
                fmt::format("a mesh of {} PEs along {} cannot be", asked, name),
                fmt::format("an array of this shape takes a power of two up to {}, so that each "
                            "exchange along {} divides what was whole{}",
                            most, name, batch > 1 ? ", and a batch multiples of it" : ""),
                "choose such a mesh, or leave it out");
  return {one, asked};
}

/// So many lines of arrays, the whole a power of two.
int side_by_side(int batch, int one) {
  int lines = 1;
  while (lines * lines < batch && lines * one < kLongestLine) lines *= 2;
  return lines;
}

/// The PEs along x and y that one array can take.
std::array<int, 2> most_pes(const std::array<int, 3>& sides) {
  const auto [n0, n1, n2] = sides;
  return {n0 == 1 ? 1 : std::min(n0, n2), n1 == 1 ? 1 : std::min(n1, n0 == 1 ? n2 : n0)};
}

/// Chosen by the machine: a descriptor has at most so many elements of 32 bits.
constexpr std::int64_t kMostWords = 0xffff;

/// A PE has each of its words twice.
constexpr std::int64_t kBytesOfAWord = 8;

/// Whether a PE can have its numbers and the program, without building what is far too large.
bool fits(const Division& division, FftPrecision precision, FftPencil pencil,
          std::int64_t memory_bytes) {
  const wsfft::Numbers number{precision};
  const std::int64_t words = division.numbers() * number.words();
  return words <= kMostWords && kBytesOfAWord * words <= memory_bytes &&
         bytes_of_pe(division, precision, pencil) <= memory_bytes;
}

/// The smallest mesh on which a PE's numbers fit, or nothing.
std::string smallest_mesh(const Division& division, FftPrecision precision, FftPencil pencil,
                          std::int64_t memory_bytes) {
  const auto [n0, n1, n2] = division.sides;
  const auto [most_x, most_y] = most_pes(division.sides);
  if (division.folded()) return division.px * division.py < most_x ? "take a larger mesh, or " : "";
  if (division.real) {
    const bool can_grow = division.px < std::min(division.spectrum(), n0) || division.py < most_y;
    return can_grow ? "take a larger mesh, or " : "";
  }
  if (division.digits && (n0 == 1 || n1 == 1)) return "take several PEs along x and y, or ";
  if (n0 == 1 && n1 == 1)  // of a batch, each in a PE
    return division.across * division.down == 1 ? "take a mesh of several PEs, or " : "";
  for (Division next = division;;) {
    const bool wider = next.px < most_x, higher = next.py < most_y;
    if (!wider && !higher) return {};
    (wider && (next.px <= next.py || !higher) ? next.px : next.py) *= 2;
    if (fits(next, precision, pencil, memory_bytes))
      return fmt::format("take {} x {} PEs for an array, or ", next.px, next.py);
  }
}

/// Throws if the algorithm has no pencils so long as the arrays' sides.
void check_pencils(const Division& division, FftPencil pencil) {
  const int longest = std::ranges::max(division.sides), most = wsfft::algorithm_of(pencil).most;
  if (longest > most)
    throw Error(ErrorCategory::usage,
                fmt::format("a pencil of {} numbers cannot be transformed by {}", longest,
                            to_string(pencil)),
                fmt::format("its program has descriptors for up to {}", most),
                "take another algorithm");
}

/// Throws if a PE cannot have its numbers.
void check_memory(const Division& division, FftPrecision precision, FftPencil pencil,
                  const Machine& machine) {
  const std::int64_t memory = machine.pe_memory_bytes;
  if (fits(division, precision, pencil, memory)) return;
  const std::int64_t words = division.numbers() * wsfft::Numbers{precision}.words();
  const bool too_long = words > kMostWords;
  const std::string reason =
      too_long ? fmt::format("they are {} words, and a descriptor has at most {} elements", words,
                             kMostWords)
      : kBytesOfAWord * words > memory
          ? fmt::format("they take {} bytes, pe_memory_bytes is {}", kBytesOfAWord * words, memory)
          : fmt::format("with the program they take {} bytes, pe_memory_bytes is {}",
                        bytes_of_pe(division, precision, pencil), memory);
  throw Error(
      ErrorCategory::machine_profile,
      fmt::format("{} numbers of a PE, twice, do not fit in it", division.numbers()), reason,
      smallest_mesh(division, precision, pencil, memory) +
          (too_long ? "take a smaller shape" : "raise the machine's pe_memory_bytes"));
}

/// PEs along x that take the fewest numbers in the PE that has most, before and after the exchange
/// along rows; of several, the fewest PEs.
int best_px(const Division& division) {
  int best = 1;
  std::int64_t least = 0;
  for (Division next = division; next.px <= std::min(division.spectrum(), division.sides[0]);
       ++next.px) {
    const auto [s0, n1, s2] = next.padded();
    const std::int64_t numbers =
        std::int64_t{s0} / next.px * next.spectrum() + std::int64_t{s2} / next.px * next.sides[0];
    if (least == 0 || numbers < least) {
      best = next.px;
      least = numbers;
    }
  }
  return best;
}

/// Lines of arrays along y for a batch, with so many arrays along x.
int lines_down(int batch, int across, int most_y) {
  return std::min((batch - 1) / across + 1, std::max(kLongestLine / most_y, 1));
}

/// PEs along x for real arrays: any number up to `most`, of several that fit the most.
Line real_line_of(int asked, int most, int batch) {
  int one = std::min(asked, most);
  if (one < 1 || (batch == 1 && one != asked))
    throw Error(ErrorCategory::usage, fmt::format("a mesh of {} PEs along x cannot be", asked),
                fmt::format("a real array of this shape takes up to {}: the numbers along axis 2 "
                            "of its half spectrum, or along axis 0",
                            most),
                "choose such a mesh, or leave it out");
  while (asked % one != 0) --one;
  return {one, asked};
}

/// How the arrays of a plan for real numbers lie.
Division real_division(Division division, const FftOptions& options) {
  division.real = true;
  const auto [n0, n1, n2] = division.sides;
  const auto [mesh, batch] = std::pair(options.mesh, options.batch);
  const auto refuse = [](const std::string& problem, const std::string& why,
                         const std::string& remedy) {
    throw Error(ErrorCategory::usage, problem, why, remedy);
  };
  if (n2 > static_cast<int>(FftPlan::kMostSide))
    refuse(fmt::format("no plan for {} real numbers of one axis", n2),
           fmt::format("a pencil has at most {}", FftPlan::kMostSide), "take complex numbers");
  if (n0 == 1 && n1 > 1)
    refuse(fmt::format("no plan for a real array of shape {},{},{}", n0, n1, n2),
           "an array of two axes lies on a row of PEs", fmt::format("give it as {},1,{}", n1, n2));
  const int most_x = std::min(division.spectrum(), n0), most_y = most_pes(division.sides)[1];
  if (batch == 1 && n1 == 1 && mesh.y > 1)
    refuse(fmt::format("a mesh of {} PEs along y cannot be", mesh.y),
           "a real array of two axes, or of one, lies on a row of PEs", "choose 1 along y");
  division.py = line_of(mesh.y != 0 ? mesh.y : most_y, most_y, batch, "y").one;
  division.px = mesh.x != 0 ? real_line_of(mesh.x, most_x, batch).one : best_px(division);
  division.across = mesh.x != 0 ? mesh.x / division.px : side_by_side(batch, division.px);
  division.down = mesh.y != 0 ? mesh.y / division.py : lines_down(batch, division.across, most_y);
  return division;
}

}  // namespace

Division division_of(const Shape3& shape, const FftOptions& options) {
  const auto& [n0, n1, n2] = shape;
  const auto [mesh, batch] = std::pair(options.mesh, options.batch);
  if (!is_plannable(shape))
    throw Error(ErrorCategory::usage, fmt::format("no plan for shape {},{},{}", n0, n1, n2),
                fmt::format("each side is a power of two from {} to {}, or 1 where the array has "
                            "fewer axes: N0,1,N2 or 1,1,N2, and an only side is at most {}",
                            FftPlan::kLeastSide, FftPlan::kMostSide, FftPlan::kLongest),
                "choose sides that are");
  if (batch < 1)
    throw Error(ErrorCategory::usage, fmt::format("a batch of {} arrays cannot be", batch),
                "a plan transforms at least one", "give 1 or more");
  Division division{{static_cast<int>(n0), static_cast<int>(n1), static_cast<int>(n2)}, 1, 1};
  if (options.kind == FftKind::real) return real_division(division, options);
  if (n0 == 1 && n1 == 1 && takes_digits(n2, mesh, batch)) {
    division.sides = digits_of(n2, mesh);
    division.digits = true;
  }
  const auto [most_x, most_y] = most_pes(division.sides);
  const int across = side_by_side(batch, most_x);
  const bool folds = batch == 1 && n0 > 1 && n1 == 1 && mesh.y > 1;
  const int default_x = folds ? std::max(most_x / mesh.y, 1) : across * most_x;
  const Line x = line_of(mesh.x != 0 ? mesh.x : default_x, most_x, batch, "x");
  const int down = lines_down(batch, x.all / x.one, most_y);
  const int most_down = folds ? most_x / x.one : most_y;
  const Line y = line_of(mesh.y != 0 ? mesh.y : down * most_y, most_down, batch, "y");
  division.px = x.one;
  division.py = y.one;
  division.across = x.all / x.one;
  division.down = y.all / y.one;
  return division;
}

int rounds_of(const Division& division, int batch) {
  const std::int64_t at_once = std::int64_t{division.across} * division.down;
  return static_cast<int>((batch - 1) / at_once + 1);
}

void check_input(const Volume& input, Shape3 shape) {
  if (input.shape != shape)
    throw Error(ErrorCategory::usage,
                fmt::format("an input of shape {},{},{} cannot be transformed", input.shape.n0,
                            input.shape.n1, input.shape.n2),
                fmt::format("the plan is for {},{},{}", shape.n0, shape.n1, shape.n2),
                "give an array of the plan's shape");
  if (input.data.size() != shape.size())
    throw Error(
        ErrorCategory::usage,
        fmt::format("an input of {} numbers cannot be transformed", input.data.size()),
        fmt::format("its shape {},{},{} has {}", shape.n0, shape.n1, shape.n2, shape.size()),
        "fill the volume's data, which is in C order");
}

void check_real(const Volume& input) {
  const auto other =
      std::ranges::find_if(input.data, [](std::complex<float> z) { return z.imag() != 0; });
  if (other != input.data.end())
    throw Error(ErrorCategory::usage, "this input is not real",
                fmt::format("number {} has the imaginary part {}", other - input.data.begin(),
                            other->imag()),
                "take the transform of complex numbers");
}

void check_bytes(std::uint32_t bytes, const Division& division, const Machine& machine) {
  if (bytes > static_cast<std::uint32_t>(machine.pe_memory_bytes))
    throw Error(
        ErrorCategory::machine_profile,
        fmt::format("the program for {} numbers in a PE does not fit in it", division.numbers()),
        fmt::format("it needs {} bytes, pe_memory_bytes is {}", bytes, machine.pe_memory_bytes),
        "take a larger mesh or fewer trips, or raise the machine's pe_memory_bytes");
}

std::uint32_t bytes_of_pe(const Division& division, FftPrecision precision, FftPencil pencil) {
  constexpr float kScale = 0.5F;  // the longer program
  std::uint32_t most = 0;
  for (const wsfft::Form form : {wsfft::Form::published, wsfft::Form::interlocked})
    for (const FftDirection direction : {FftDirection::forward, FftDirection::inverse}) {
      const wsfft::Transform t{division, {precision}, direction, {kScale, kScale, kScale},
                               form,     pencil};
      most = std::max(most, wsfft::build_transform(t).program.memory_bytes);
    }
  return most;
}

double bytes_of_host(const Division& division, FftPrecision precision, const FftOptions& options) {
  const double pes = static_cast<double>(division.width()) * division.height();
  const bool crowds = options.machine.crowd_wavelets > 0 &&
                      fabric::links_rest(options.machine, division.width(), division.height());
  const bool by_line =
      options.accelerate.by_line && options.engine != Engine::cuda && pes > 1 && !crowds;
  const double kept =
      by_line ? pes + fabric::pes_kept_twice(division.width(), division.height(), options.threads)
              : pes;
  double touched = 1024;  // in pages: without data a PE has a few words
  if (options.data && by_line) {
    touched = bytes_of_pe(division, precision, options.pencil);
  } else if (options.data) {
    const double copies = division.digits ? 4.5 : 2.5;  // with roots of unity
    touched += static_cast<double>(division.numbers()) * copies * wsfft::Numbers{precision}.bytes();
  }
  const double volumes = options.data ? static_cast<double>(division.size()) * options.batch * 2 *
                                            sizeof(std::complex<float>)
                                      : 0;  // input and output
  return (fabric::state_bytes_per_pe() + touched) * kept + volumes;
}

void check_fits(const Division& division, FftPrecision precision, const FftOptions& options) {
  check_pencils(division, options.pencil);
  check_memory(division, precision, options.pencil, options.machine);
  constexpr double kOurs = 0.9;  // chosen: the kernel and other programs take some
  const double all = fabric::host_memory();
  const double need = bytes_of_host(division, precision, options);
  if (need <= kOurs * all) return;
  const auto need_with = [&](auto change) {
    FftOptions changed = options;
    change(changed);
    return bytes_of_host(division, precision, changed);
  };
  const double not_by_line = need_with([](FftOptions& o) { o.accelerate.by_line = false; });
  const double no_data = need_with([](FftOptions& o) { o.data = false; });
  std::string advice = "take a smaller shape or mesh";
  if (not_by_line <= kOurs * all)
    advice = fmt::format(
        "take fewer threads or a smaller shape, or leave out by-line, which is slower and takes "
        "{:.1f} GiB",
        not_by_line / 0x1p30);
  else if (no_data <= kOurs * all)
    advice += fmt::format(", or count cycles only, without data, which takes {:.1f} GiB",
                          no_data / 0x1p30);
  throw Error(ErrorCategory::environment,
              fmt::format("a {} x {} mesh does not fit in this machine's memory", division.width(),
                          division.height()),
              fmt::format("it takes about {:.1f} GiB, and Weft plans with {:.1f} of {:.1f} GiB",
                          need / 0x1p30, kOurs * all / 0x1p30, all / 0x1p30),
              advice);
}

}  // namespace weft::fft
