#include "fft/fitting.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <complex>
#include <optional>
#include <string>
#include <vector>

#include "base/processes.hpp"
#include "fabric/build/footprint.hpp"
#include "fabric/build/timing.hpp"
#include "fabric/own_rows.hpp"
#include "fft/own_forms.hpp"
#include "fft/parts.hpp"
#include "fft/wsfft/program.hpp"
#include "weft/error.hpp"
#include "weft/fabric_options.hpp"

namespace weft::fft {
namespace {

using wsfft::Division;

/// A PE has each of its words twice.
constexpr std::int64_t kBytesOfAWord = 8;

constexpr double kOurs = 0.9;  // chosen: the kernel and other programs take some

/// A length of pencils that an algorithm does not have; or 0.
int length_lacking(const Division& division, FftPencil pencil) {
  const wsfft::PencilAlgorithm& algorithm = wsfft::algorithm_of(pencil);
  for (const int n : {division.sides[0], division.sides[1], division.lines(), division.inner})
    if (n > 1 && !algorithm.takes(n)) return n;
  return 0;
}

bool has_pencils(const Division& division, FftPencil pencil) {
  return wsfft::longest_pencil(division) <= wsfft::algorithm_of(pencil).most &&
         length_lacking(division, pencil) == 0;
}

/// A machine may decide which of the published and the interlocked form runs.
std::vector<wsfft::Form> forms_of(FftTranspose transpose) {
  if (const OwnForm* own = own_form(transpose)) return {own->form};
  return {wsfft::Form::published, wsfft::Form::interlocked};
}

std::uint32_t bytes_of_pe(const Division& division, FftPrecision precision, FftPencil pencil,
                          FftTranspose transpose) {
  constexpr float kScale = 0.5F;  // the longer program
  std::uint32_t most = 0;
  for (const wsfft::Form form : forms_of(transpose))
    for (const FftDirection direction : {FftDirection::forward, FftDirection::inverse}) {
      const wsfft::Transform t{division, {precision}, direction, {kScale, kScale, kScale, kScale},
                               form,     pencil};
      most = std::max(most, wsfft::build_transform(t).program.memory_bytes);
    }
  return most;
}

}  // namespace

std::int64_t PeBytes::words_of(const Division& division) const {
  return division.numbers() * wsfft::Numbers{precision_}.words();
}

PeBytes PeBytes::of_others(FftPencil pencil, FftTranspose transpose) const {
  PeBytes others = *this;
  others.pencil_ = pencil;
  others.transpose_ = transpose;
  return others;
}

const PeBytes::Count& PeBytes::of(const Division& division) const {
  return counted(counted_->whole, division, false);
}

std::optional<std::uint32_t> PeBytes::least_of(const Division& division) const {
  const std::optional<std::uint32_t> whole = of(division).bytes;
  if (!whole) return {};
  return std::min(*whole, counted(counted_->least, division, true).bytes.value_or(*whole));
}

const PeBytes::Count& PeBytes::counted(std::map<OneArray, Count>& in, Division division,
                                       bool least_roots) const {
  division.least_roots = least_roots;
  const std::scoped_lock lock(counted_->mutex);
  const auto [found, is_new] =
      in.try_emplace({pencil_, transpose_, division.sides, division.inner, division.px, division.py,
                      division.digits, division.real, division.in_place, division.back});
  if (is_new) found->second = count(division);
  return found->second;
}

PeBytes::Count PeBytes::count(const Division& division) const {
  Count count;
  // First, as what is far too large is not worth building.
  if (words_of(division) > kMostElements || !has_pencils(division, pencil_) ||
      !has_lines(division, transpose_))
    return count;
  try {
    count.bytes = bytes_of_pe(division, precision_, pencil_, transpose_);
  } catch (const Error& error) {  // it passes another limit of programs
    count.why_none = error.problem();
  }
  return count;
}

bool has_lines(const Division& division, FftTranspose transpose) {
  const OwnForm* own = own_form(transpose);
  return own == nullptr || own->lies(division);
}

bool has_filters(const Division& division, FftTranspose transpose, const Machine& machine) {
  const OwnForm* own = own_form(transpose);
  return own == nullptr ||
         own->filters(division.px) + own->filters(division.py) <= machine.filters_per_pe;
}

void check_filters(const Division& division, FftTranspose transpose, const Machine& machine) {
  if (has_filters(division, transpose, machine)) return;
  const OwnForm* own = own_form(transpose);
  throw Error(
      ErrorCategory::machine_profile,
      fmt::format("no transposes by {} on this machine", to_string(transpose)),
      fmt::format("they take {} filters of a PE, filters_per_pe is {}",
                  own->filters(division.px) + own->filters(division.py), machine.filters_per_pe),
      "take transposes around a ring, which have none, or raise filters_per_pe");
}

bool fits_pe(const Division& division, const PeBytes& bytes, const Machine& machine) {
  if (kBytesOfAWord * bytes.words_of(division) > machine.pe_memory_bytes) return false;
  const auto memory = static_cast<std::uint32_t>(machine.pe_memory_bytes);
  const std::optional<std::uint32_t> whole = bytes.of(division).bytes;
  return whole && (*whole <= memory || *bytes.least_of(division) <= memory);
}

bool needs_least_roots(const Division& division, const PeBytes& bytes, const Machine& machine) {
  const std::optional<std::uint32_t> whole = bytes.of(division).bytes;
  return whole && *whole > static_cast<std::uint32_t>(machine.pe_memory_bytes) &&
         *bytes.least_of(division) < *whole;
}

bool fits(const Division& division, const PeBytes& bytes, const FftOptions& options) {
  const std::int64_t numbers = kBytesOfAWord * bytes.words_of(division);
  if (numbers > options.machine.pe_memory_bytes) return false;
  // First the numbers alone: programs take longer to write.
  const PeMemory least{static_cast<std::uint32_t>(numbers), static_cast<double>(numbers)};
  return fits_host(division, least, options) && fits_pe(division, bytes, options.machine) &&
         fits_host(division, pe_memory(division, bytes, options.machine), options);
}

PeMemory pe_memory(const Division& division, const PeBytes& bytes, const Machine& machine) {
  const double copies = division.digits ? 4.5 : 2.5;  // with roots of unity
  return {
      needs_least_roots(division, bytes, machine) ? *bytes.least_of(division)
                                                  : *bytes.of(division).bytes,
      static_cast<double>(division.numbers()) * copies * wsfft::Numbers{bytes.precision()}.bytes()};
}

double bytes_to_plan_with() noexcept { return kOurs * fabric::host_memory(); }

bool fits_host(const Division& division, const PeMemory& memory, const FftOptions& options) {
  return bytes_of_host(division, memory, options) <= bytes_to_plan_with();
}

void check_pencils(const Division& division, FftPencil pencil) {
  if (const int n = length_lacking(division, pencil); n != 0)
    throw Error(ErrorCategory::usage,
                fmt::format("{} has no pencils of {} numbers", to_string(pencil), n),
                fmt::format("its lengths are {}", wsfft::algorithm_of(pencil).lengths),
                "take radix4 or stockham, or leave the choice");
  if (!has_pencils(division, pencil))
    throw Error(
        ErrorCategory::usage,
        fmt::format("{} has no pencils of {} numbers", to_string(pencil),
                    wsfft::longest_pencil(division)),
        fmt::format("its program has descriptors for up to {}", wsfft::algorithm_of(pencil).most),
        "take another algorithm for pencils");
}

std::string memory_limit(const Machine& machine) {
  return fmt::format("a PE's {:.4g} KB", machine.pe_memory_bytes / 1024.0);
}

Excess excess_of(const Division& division, const PeBytes& bytes, const Machine& machine) {
  const std::int64_t words = bytes.words_of(division), memory = machine.pe_memory_bytes;
  if (words > kMostElements)
    return {kProgramLimit,
            fmt::format("they are {} words, and a descriptor has at most {} elements", words,
                        kMostElements)};
  if (kBytesOfAWord * words > memory)
    return {memory_limit(machine), fmt::format("they take {} bytes, pe_memory_bytes is {}",
                                               kBytesOfAWord * words, memory)};
  const PeBytes::Count& count = bytes.of(division);
  if (!count.bytes) return {kProgramLimit, count.why_none};
  return {memory_limit(machine),
          fmt::format("with the program they take {} bytes, pe_memory_bytes is {}",
                      *bytes.least_of(division), memory)};
}

void check_bytes(std::uint32_t bytes, const Division& division, const Machine& machine) {
  if (bytes > static_cast<std::uint32_t>(machine.pe_memory_bytes))
    throw Error(
        ErrorCategory::machine_profile,
        fmt::format("the program for {} numbers exceeds a PE's memory", division.numbers()),
        fmt::format("it needs {} bytes, pe_memory_bytes is {}", bytes, machine.pe_memory_bytes),
        "take a larger mesh or fewer trips, or raise the machine's pe_memory_bytes");
}

namespace {

/// Of host memory: what PEs take, and arrays in parts, which processes share, and what each process
/// takes.
struct HostBytes {
  double pes, each;
  bool of_lines;  ///< processes have whole bundles of rows

  /// Of so many processes on one host, among all that share the fabric, at most.
  double on_host(int on_a_host, int processes, int height) const {
    const double most = fabric::most_pe_rows(processes, height, of_lines);
    return pes * std::min(on_a_host * most / height, 1.0) + each * on_a_host;
  }
};

/// `shared`: among processes, each of which has routers and cores of its rows and of its columns
/// where the fabric is stepped by line, but memory of PEs only where they are.
HostBytes host_bytes(const Division& division, const PeMemory& memory, const FftOptions& options,
                     bool shared) {
  const double pes = static_cast<double>(division.width()) * division.height();
  const Machine& m = options.machine;
  const bool lines_apart =
      !(m.crowd_wavelets > 0 && fabric::links_rest(m, division.width(), division.height())) &&
      !(m.die_link_cycles > 0 && fabric::has_far_links(m, division.width(), division.height()));
  const bool by_line =
      options.accelerate.by_line && options.engine != Engine::cuda && pes > 1 && lines_apart;
  double touched = 1024;  // in pages: without data a PE has a few words
  if (options.data && by_line)
    touched = memory.bytes;
  else if (options.data)
    touched += memory.touched;
  const double state = fabric::state_bytes_per_pe(m, division.width(), division.height());
  const double kept_twice =
      by_line ? fabric::pes_kept_twice(division.width(), division.height(), options.threads) : 0;
  const double volumes = options.data ? static_cast<double>(division.size()) * options.batch * 2 *
                                            sizeof(std::complex<float>)
                                      : 0;  // input and output
  const bool in_parts = shared && options.parts && options.data;
  return {((by_line && shared ? 2 : 1) * state + touched) * pes + (in_parts ? volumes : 0),
          (state + touched) * kept_twice + (in_parts ? 0 : volumes),
          by_line || (in_parts && options.accelerate.by_line)};
}

/// The least number of processes, each on a host of its own as this one, that could share the
/// fabric; none: the mesh has too few rows, or its arrays alone take too much.
std::optional<int> processes_that_fit(const Division& division, const PeMemory& memory,
                                      const FftOptions& options) {
  const HostBytes bytes = host_bytes(division, memory, options, true);
  if (options.engine == Engine::cuda) return {};
  const double ours = bytes_to_plan_with();
  for (int processes = 1; processes <= most_fabric_threads(division.height()); ++processes)
    if (bytes.on_host(1, processes, division.height()) <= ours) return processes;
  return {};
}

}  // namespace

double bytes_of_host(const Division& division, const PeMemory& memory, const FftOptions& options) {
  const Processes* const processes = options.processes.get();
  const HostBytes bytes = host_bytes(division, memory, options, base::process_count(processes) > 1);
  return bytes.on_host(base::processes_on_a_host(processes), base::process_count(processes),
                       division.height());
}

void check_host(const Division& division, const PeMemory& memory, const FftOptions& options) {
  const double all = fabric::host_memory();
  const double need = bytes_of_host(division, memory, options);
  if (need <= kOurs * all) return;
  const auto need_with = [&](auto change) {
    FftOptions changed = options;
    change(changed);
    return bytes_of_host(division, memory, changed);
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
  if (const std::optional<int> processes = processes_that_fit(division, memory, options);
      processes && *processes > 1)
    advice += fmt::format(", or share it among {} processes of MPI, each on a host like this",
                          *processes);
  const Processes* const processes = options.processes.get();
  const std::string of_host =
      base::process_count(processes) == 1
          ? ""
          : fmt::format(" for {} of {} processes on one host", base::processes_on_a_host(processes),
                        base::process_count(processes));
  throw Error(
      ErrorCategory::environment,
      fmt::format("a {} x {} mesh exceeds this host's memory", division.width(), division.height()),
      fmt::format("it takes about {:.1f} GiB{}, and Weft plans with {:.1f} of {:.1f} GiB",
                  need / 0x1p30, of_host, kOurs * all / 0x1p30, all / 0x1p30),
      advice);
}

}  // namespace weft::fft
