#include "fft/emulation.hpp"

#include <cmath>
#include <utility>

#include "base/processes.hpp"
#include "fabric/access.hpp"
#include "fft/own_forms.hpp"
#include "fft/tiles.hpp"
#include "weft/error.hpp"

namespace weft::fft {
namespace {

/// The program fails by line, and it is not known why: it is to be run without.
struct FailedByLine {};

Fabric run_to_end(const Prepared& prepared, const FftOptions& options,
                  const FabricOptions& fabric_options, const fabric::ByLineOptions& by_line) {
  Fabric fabric = FabricAccess::make(prepared.layout, options.machine, fabric_options, by_line);
  prepared.write(fabric);
  if (options.on_fabric) options.on_fabric(fabric);
  // A large mesh took its time. Of several processes one might throw here, and the others would
  // wait.
  if (fabric_options.progress && base::process_count(fabric_options.processes.get()) == 1)
    fabric_options.progress(0);
  fabric.run_until_idle(kCycleLimit);
  return fabric;
}

}  // namespace

float superstep_scale(double n, FftNorm norm, FftDirection direction) {
  if (norm == FftNorm::ortho) return static_cast<float>(1.0 / std::sqrt(n));
  const bool divides = (norm == FftNorm::forward) == (direction == FftDirection::forward);
  return divides ? static_cast<float>(1.0 / n) : 1.0F;
}

std::array<float, 4> superstep_scales(const wsfft::Division& division, FftNorm norm,
                                      FftDirection direction) {
  const auto of = [&](int side) { return superstep_scale(side, norm, direction); };
  return {of(division.sides[0]), of(division.sides[1]), of(division.lines()), of(division.inner)};
}

void write_everywhere(Fabric& fabric, const wsfft::Division& division, std::uint32_t address,
                      std::span<const std::uint32_t> words, int threads) {
  std::vector<std::uint32_t> tile;
  for (int pe = 0; pe < kTileWidth * kTileHeight; ++pe)
    tile.insert(tile.end(), words.begin(), words.end());
  for_tiles(division.width(), division.height(), threads, [&](const Rect& where) {
    const int pes = where.width * where.height;
    fabric.write(where, address,
                 std::span(tile).first(static_cast<std::size_t>(pes) * words.size()));
  });
}

std::vector<std::uint32_t> stamps_of_last(const Fabric& fabric, const MemorySpan& stamps,
                                          const wsfft::Division& division, std::size_t count) {
  const Rect all{0, 0, division.width(), division.height()};
  std::vector<std::uint32_t> read(static_cast<std::size_t>(all.width) *
                                  static_cast<std::size_t>(all.height) * count);
  fabric.read(all, stamps.address, read);
  const std::uint32_t* last = read.data();
  for (std::size_t pe = 0; pe < read.size(); pe += count)
    if (read[pe + count - 1] > last[count - 1]) last = read.data() + pe;
  return {last, last + count};
}

std::shared_ptr<const Profile> take_profile(Fabric&& fabric, const FftOptions& options) {
  if (!options.observe.counts) return {};
  return std::make_shared<const Profile>(FabricAccess::take_profile(std::move(fabric)));
}

std::vector<Attempt> attempts(FftTranspose asked, bool too_late) {
  if (const OwnForm* own = own_form(asked)) return {{asked, own->form, true}};
  std::vector<Attempt> all;
  if (asked == FftTranspose::published || (asked == FftTranspose::automatic && !too_late))
    all.push_back(
        {FftTranspose::published, wsfft::Form::published, asked != FftTranspose::automatic});
  if (asked != FftTranspose::published)
    all.push_back({FftTranspose::interlocked, wsfft::Form::interlocked, true});
  return all;
}

std::optional<Fabric> emulate(const Prepared& prepared, const Attempt& attempt,
                              const FftOptions& options, const CycleProgress& progress) {
  FabricOptions fabric_options;
  fabric_options.threads = options.threads;
  fabric_options.engine = options.engine;
  fabric_options.data = options.data;
  fabric_options.progress = progress;
  fabric_options.accelerate = options.accelerate;
  fabric_options.tally = false;
  fabric_options.observe = options.observe;
  fabric_options.processes = options.processes;
  fabric::ByLineOptions by_line;
  by_line.write_again = [&](Fabric& anew) {
    if (attempt.is_last) throw FailedByLine{};
    // Transposes overlap on this machine, or the first one does not end.
    if (prepared.try_form) prepared.try_form();
    prepared.write(anew);
  };
  by_line.write_beside = prepared.write;
  by_line.rows_of_lines = options.parts && options.accelerate.by_line;
  try {
    return run_to_end(prepared, options, fabric_options, by_line);
  } catch (const FaultError& error) {
    if (error.fault().kind != FaultKind::deadlock) throw;
    if (!attempt.is_last) return {};
  } catch (const FailedByLine&) {
  }
  // If it ends in a deadlock, its report is to be of all PEs, with tallies.
  fabric_options.tally = true;
  fabric_options.accelerate.by_line = false;
  return run_to_end(prepared, options, fabric_options, {.rows_of_lines = by_line.rows_of_lines});
}

}  // namespace weft::fft
