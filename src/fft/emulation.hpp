#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "fft/wsfft/transpose.hpp"
#include "weft/fabric.hpp"
#include "weft/fft.hpp"

/// The run of a plan's program on a fabric.
namespace weft::fft {

// wsFFT takes some 10^6 cycles at most. S3DFT may take 10^9, and on a slow machine come to the
// limit. Stamps have 32 bits: they last to it.
inline constexpr std::uint64_t kCycleLimit = std::uint64_t{1} << 32U;

/// The factor of a superstep with pencils of n numbers.
float superstep_scale(double n, FftNorm norm, FftDirection direction);

/// Of each axis of an array.
std::array<float, 4> superstep_scales(const wsfft::Division& division, FftNorm norm,
                                      FftDirection direction);

/// Every PE of the division the same words.
void write_everywhere(Fabric& fabric, const wsfft::Division& division, std::uint32_t address,
                      std::span<const std::uint32_t> words, int threads);

/// The first `count` clock readings at `stamps`, of the PE that ended last by the last of them.
std::vector<std::uint32_t> stamps_of_last(const Fabric& fabric, const MemorySpan& stamps,
                                          const wsfft::Division& division, std::size_t count);

/// For RunReport::profile, of a fabric that is asked for nothing else any more; null: the plan asks
/// for none.
std::shared_ptr<const Profile> take_profile(Fabric&& fabric, const FftOptions& options);

/// A form of the transposes that a run tries.
struct Attempt {
  FftTranspose transpose;
  wsfft::Form form;
  bool is_last;  ///< else a deadlock only decides on the form
};

/// In order, where `too_late` tells that the published form does not end on this machine.
std::vector<Attempt> attempts(FftTranspose asked, bool too_late);

/// A program with its routes, in one form of its transposes.
struct Prepared {
  Layout layout;
  std::function<void(Fabric&)> write;  ///< all that the host writes before the first cycle
  /// Throws FaultError if the form does not end on this machine, in less time than the program
  /// takes. Empty: there is no such way.
  std::function<void()> try_form{};
};

/// Runs a program until it is idle, and once more if that fails. Nothing if it ends in a deadlock
/// and another form is to be tried; else DeadlockError has all PEs, with tallies.
std::optional<Fabric> emulate(const Prepared& prepared, const Attempt& attempt,
                              const FftOptions& options, const CycleProgress& progress);

}  // namespace weft::fft
