#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "fft/wsfft/transpose.hpp"
#include "weft/fabric.hpp"
#include "weft/fft.hpp"

/// The run of a plan's program on a fabric.
namespace weft::fft {

// No run of a planned shape comes near: the largest takes some 10^6 cycles.
inline constexpr std::uint64_t kCycleLimit = std::uint64_t{1} << 32U;

/// The factor of a superstep with pencils of n numbers.
float superstep_scale(double n, FftNorm norm, FftDirection direction);

/// Every PE of the division the same words.
void write_everywhere(Fabric& fabric, const wsfft::Division& division, std::uint32_t address,
                      std::span<const std::uint32_t> words, int threads);

/// The first `count` clock readings at `stamps`, of the PE that ended last by the last of them.
std::vector<std::uint32_t> stamps_of_last(const Fabric& fabric, const MemorySpan& stamps,
                                          const wsfft::Division& division, std::size_t count);

/// A program with its routes, in one form of its transposes.
struct Prepared {
  Layout layout;
  std::function<void(Fabric&)> write;  ///< all that the host writes before the first cycle
  /// Throws FaultError if the form does not end on this machine, in less time than the program
  /// takes. Empty: there is no such way.
  std::function<void()> try_form{};
};

struct Emulated {
  Fabric fabric;
  FftTranspose form;
};

/// Runs a program until it is idle. Where the options leave the form open, that is the published
/// one, or where that ends in a deadlock the interlocked one, which `too_late` remembers.
Emulated emulate(const FftOptions& options, std::atomic<bool>& too_late,
                 const CycleProgress& progress,
                 const std::function<Prepared(wsfft::Form)>& prepare);

}  // namespace weft::fft
