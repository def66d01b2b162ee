#include "fft/planning.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <string>

#include "fabric/footprint.hpp"
#include "fft/wsfft/program.hpp"
#include "weft/error.hpp"

namespace weft::fft {
namespace {

using wsfft::Division;

bool is_side(std::size_t side) {
  return std::has_single_bit(side) && side >= FftPlan::kLeastSide && side <= FftPlan::kMostSide;
}

/// PEs along an axis of the mesh: those asked for, or as many as can be.
int choose(int asked, std::size_t most, const char* name) {
  if (asked == 0) return static_cast<int>(most);
  const auto pes = static_cast<std::size_t>(std::max(asked, 0));
  if (!std::has_single_bit(pes) || pes > most)
    throw Error(
        ErrorCategory::usage, fmt::format("a mesh of {} PEs along {} cannot be", asked, name),
        fmt::format("for this shape it is a power of two up to {}, so that each PE has whole "
                    "pencils before and after the exchange along {}",
                    most, name),
        fmt::format("choose one of these, or leave the mesh out for {} PEs", most));
  return asked;
}

/// The bytes of a PE that a transform takes on this division.
std::uint32_t bytes_of(const Division& division, FftPrecision precision) {
  constexpr float kScale = 0.5F;  // the longer program
  return wsfft::build_transform({division,
                                 {precision},
                                 FftDirection::forward,
                                 {kScale, kScale, kScale},
                                 wsfft::Form::published})
      .program.memory_bytes;
}

/// The smallest mesh on which a PE's numbers fit, or nothing.
std::string smallest_mesh(const Division& division, FftPrecision precision,
                          std::uint32_t memory_bytes) {
  const auto most = [&](int k) {
    return std::min(division.sides[static_cast<std::size_t>(k)], division.sides[k == 0 ? 2U : 0U]);
  };
  for (Division next = division;;) {
    const bool wider = next.px < most(0), higher = next.py < most(1);
    if (!wider && !higher) return {};
    (wider && (next.px <= next.py || !higher) ? next.px : next.py) *= 2;
    if (bytes_of(next, precision) <= memory_bytes)
      return fmt::format("take a mesh of {} x {} PEs, or ", next.px, next.py);
  }
}

/// The memory that a transform takes on this host: state and touched PE memory, input and output.
double needed_bytes(const Division& division, bool data) {
  const double pes = static_cast<double>(division.px) * division.py;
  const double state = pes * (fabric::state_bytes_per_pe() + 1024);
  return data ? state + pes * division.numbers() * (2.5 * 8 + 2 * sizeof(std::complex<float>))
              : state;
}

}  // namespace

Division division_of(const Shape3& shape, const FftMesh& mesh) {
  const auto& [n0, n1, n2] = shape;
  if (!is_side(n0) || !is_side(n1) || !is_side(n2))
    throw Error(ErrorCategory::usage, fmt::format("no plan for shape {},{},{}", n0, n1, n2),
                fmt::format("each side is a power of two from {} to {}", FftPlan::kLeastSide,
                            FftPlan::kMostSide),
                "choose sides that are");
  return {{static_cast<int>(n0), static_cast<int>(n1), static_cast<int>(n2)},
          choose(mesh.x, std::min(n0, n2), "x"),
          choose(mesh.y, std::min(n0, n1), "y")};
}

void check_fits(const Division& division, FftPrecision precision, const FftOptions& options) {
  const std::uint32_t bytes = bytes_of(division, precision);
  const auto memory = static_cast<std::uint32_t>(options.machine.pe_memory_bytes);
  if (bytes > memory)
    throw Error(
        ErrorCategory::machine_profile,
        fmt::format("{} numbers of a PE, twice, do not fit in it", division.numbers()),
        fmt::format("the program needs {} bytes, pe_memory_bytes is {}", bytes, memory),
        smallest_mesh(division, precision, memory) + "raise pe_memory_bytes in the machine file");
  const double have =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  const double need = needed_bytes(division, options.data);
  if (need > have)
    throw Error(
        ErrorCategory::environment,
        fmt::format("a {} x {} mesh does not fit in this machine's memory", division.px,
                    division.py),
        fmt::format("it takes about {:.1f} GiB of {:.1f} GiB", need / 0x1p30, have / 0x1p30),
        "take a smaller shape or mesh");
}

}  // namespace weft::fft
