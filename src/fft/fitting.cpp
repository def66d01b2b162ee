#include "fft/fitting.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <complex>

#include "fabric/build/footprint.hpp"
#include "fabric/build/timing.hpp"
#include "fft/wsfft/program.hpp"
#include "weft/error.hpp"

namespace weft::fft {
namespace {

using wsfft::Division;

/// Chosen by the machine: a descriptor has at most so many elements of 32 bits.
constexpr std::int64_t kMostWords = 0xffff;

/// A PE has each of its words twice.
constexpr std::int64_t kBytesOfAWord = 8;

constexpr double kOurs = 0.9;  // chosen: the kernel and other programs take some

std::int64_t words_of(const Division& division, FftPrecision precision) {
  return division.numbers() * wsfft::Numbers{precision}.words();
}

}  // namespace

std::optional<std::uint32_t> memory_needed(const Division& division, FftPrecision precision,
                                           FftPencil pencil) {
  // First, as what is far too large is not worth building.
  if (words_of(division, precision) > kMostWords) return {};
  if (std::ranges::max(division.sides) > wsfft::algorithm_of(pencil).most) return {};
  try {
    return bytes_of_pe(division, precision, pencil);
  } catch (const Error&) {  // it passes another limit of programs
    return {};
  }
}

bool fits_pe(const Division& division, FftPrecision precision, const FftOptions& options) {
  const std::int64_t memory = options.machine.pe_memory_bytes;
  if (kBytesOfAWord * words_of(division, precision) > memory) return false;
  const auto bytes = memory_needed(division, precision, options.pencil);
  return bytes && *bytes <= memory;
}

bool fits_host(const Division& division, FftPrecision precision, const FftOptions& options) {
  return bytes_of_host(division, precision, options) <= kOurs * fabric::host_memory();
}

void check_pencils(const Division& division, FftPencil pencil) {
  const int longest = std::ranges::max(division.sides), most = wsfft::algorithm_of(pencil).most;
  if (longest > most)
    throw Error(ErrorCategory::usage,
                fmt::format("{} has no pencils of {} numbers", to_string(pencil), longest),
                fmt::format("its program has descriptors for up to {}", most),
                "take another algorithm for pencils");
}

std::string why_too_large(const Division& division, FftPrecision precision,
                          const FftOptions& options) {
  const std::int64_t words = words_of(division, precision),
                     memory = options.machine.pe_memory_bytes;
  if (words > kMostWords)
    return fmt::format("they are {} words, and a descriptor has at most {} elements", words,
                       kMostWords);
  if (kBytesOfAWord * words > memory)
    return fmt::format("they take {} bytes, pe_memory_bytes is {}", kBytesOfAWord * words, memory);
  try {
    return fmt::format("with the program they take {} bytes, pe_memory_bytes is {}",
                       bytes_of_pe(division, precision, options.pencil), memory);
  } catch (const Error& error) {
    return error.problem();
  }
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

#include <fmt/format.h>

#include <algorithm>
#include <complex>

#include "fabric/build/footprint.hpp"
#include "fabric/build/timing.hpp"

void check_host(const Division& division, FftPrecision precision, const FftOptions& options) {
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
  std::string advice =
      options.batch > 1 ? "take a smaller batch, shape or mesh" : "take a smaller shape or mesh";
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
