#include "fft/emulation.hpp"

#include <cmath>

#include "fabric/access.hpp"
#include "fft/tiles.hpp"
#include "weft/deadlock.hpp"

namespace weft::fft {
namespace {

/// `is_trial`: a deadlock only decides on the form. Else its report is to be of all PEs, with
/// tallies.
Emulated emulate_as(FftTranspose form, bool is_trial, const FftOptions& options,
                    const CycleProgress& progress,
                    const std::function<Prepared(wsfft::Form)>& prepare) {
  const Prepared prepared =
      prepare(form == FftTranspose::published ? wsfft::Form::published : wsfft::Form::interlocked);
  FabricOptions fabric_options;
  fabric_options.threads = options.threads;
  fabric_options.engine = options.engine;
  fabric_options.data = options.data;
  fabric_options.progress = progress;
  fabric_options.accelerate = options.accelerate;
  fabric::ByLineOptions by_line;
  by_line.write_again = [&](Fabric& anew) {
    // Transposes overlap on this machine, or the first one does not end.
    if (is_trial && prepared.try_form) prepared.try_form();
    prepared.write(anew);
  };
  const auto attempt = [&]() -> Emulated {
    Fabric fabric = FabricAccess::make(prepared.layout, options.machine, fabric_options, by_line);
    prepared.write(fabric);
    if (progress) progress(0);  // a large mesh took its time
    fabric.run_until_idle(kCycleLimit);
    return {std::move(fabric), form};
  };
  try {
    fabric_options.tally = false;
    return attempt();
  } catch (const DeadlockError&) {
    if (is_trial) throw;
    fabric_options.tally = true;
    fabric_options.accelerate.by_line = false;
    return attempt();  // ends in the same one
  }
}

}  // namespace

float superstep_scale(double n, FftNorm norm, FftDirection direction) {
  if (norm == FftNorm::ortho) return static_cast<float>(1.0 / std::sqrt(n));
  const bool divides = (norm == FftNorm::forward) == (direction == FftDirection::forward);
  return divides ? static_cast<float>(1.0 / n) : 1.0F;
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

Emulated emulate(const FftOptions& options, std::atomic<bool>& too_late,
                 const CycleProgress& progress,
                 const std::function<Prepared(wsfft::Form)>& prepare) {
  if (options.transpose != FftTranspose::automatic)
    return emulate_as(options.transpose, false, options, progress, prepare);
  if (!too_late) {
    try {
      return emulate_as(FftTranspose::published, true, options, progress, prepare);
    } catch (const FaultError& error) {
      if (error.fault().kind != FaultKind::deadlock) throw;
      too_late = true;
    }
  }
  return emulate_as(FftTranspose::interlocked, false, options, progress, prepare);
}

}  // namespace weft::fft
