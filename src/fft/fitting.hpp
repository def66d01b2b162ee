#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>

#include "fft/wsfft/division.hpp"
#include "weft/fft.hpp"

/// The memory that a transform takes, of a PE and of this host.
namespace weft::fft {

/// Counts the bytes of a PE that transforms take: of each division once, as it takes writing their
/// programs. Copies share what is counted; any thread may ask.
class PeBytes {
 public:
  struct Count {
    std::optional<std::uint32_t> bytes;  ///< nothing if no machine has programs so large
    std::string why_none{};
  };

  PeBytes(FftPrecision precision, FftPencil pencil,
          FftTranspose transpose = FftTranspose::automatic)
      : precision_(precision), pencil_(pencil), transpose_(transpose) {}

  /// Of other programs, with what was counted already.
  PeBytes of_others(FftPencil pencil, FftTranspose transpose) const;

  FftPrecision precision() const { return precision_; }
  FftPencil pencil() const { return pencil_; }
  FftTranspose transpose() const { return transpose_; }
  std::int64_t words_of(const wsfft::Division& division) const;

  /// In the direction, and of the forms of the transposes that may run, that takes most.
  const Count& of(const wsfft::Division& division) const;
  /// The same with Division::least_roots, if that is less: its code is longer.
  std::optional<std::uint32_t> least_of(const wsfft::Division& division) const;

 private:
  using OneArray = std::tuple<FftPencil, FftTranspose, std::array<int, 3>, int, int, int, bool,
                              bool, bool, bool>;
  struct Counted {
    std::mutex mutex;
    std::map<OneArray, Count> whole, least;
  };

  const Count& counted(std::map<OneArray, Count>& in, wsfft::Division division,
                       bool least_roots) const;
  Count count(const wsfft::Division& division) const;

  FftPrecision precision_;
  FftPencil pencil_;
  FftTranspose transpose_;
  std::shared_ptr<Counted> counted_ = std::make_shared<Counted>();
};

/// A descriptor has at most so many elements.
inline constexpr std::int64_t kMostElements = 0xffff;

/// The memory of a PE that a transform takes.
struct PeMemory {
  std::uint32_t bytes;  ///< of the machine's, with the program
  double touched;       ///< bytes of data that are written in a run
};

/// Whether a program fits in a PE of this machine with the least roots alone.
bool needs_least_roots(const wsfft::Division& division, const PeBytes& bytes,
                       const Machine& machine);

/// Of wsFFT, on a division that fits. `bytes`: as PeBytes counts them.
PeMemory pe_memory(const wsfft::Division& division, const PeBytes& bytes, const Machine& machine);

/// The bytes of this host's memory that plans count with.
double bytes_to_plan_with() noexcept;

/// About the memory that a transform takes on this host.
double bytes_of_host(const wsfft::Division& division, const PeMemory& memory,
                     const FftOptions& options);

/// Whether a PE can have its numbers and the program, and transform its pencils.
bool fits_pe(const wsfft::Division& division, const PeBytes& bytes, const Machine& machine);

/// The same, and whether mesh and arrays fit in this host's memory.
bool fits(const wsfft::Division& division, const PeBytes& bytes, const FftOptions& options);

/// What a PE's numbers exceed, and why.
struct Excess {
  std::string limit, why;
};

/// The limit that pe_memory_bytes is: "a PE's 48 KB".
std::string memory_limit(const Machine& machine);
inline constexpr const char* kProgramLimit = "a program's limits";

/// Of a PE that cannot have its numbers.
Excess excess_of(const wsfft::Division& division, const PeBytes& bytes, const Machine& machine);

/// Whether the transposes can be among so many PEs of a line, of any machine.
bool has_lines(const wsfft::Division& division, FftTranspose transpose);

/// Whether a PE of this machine has the filters of the form; not asked of the paper's forms.
bool has_filters(const wsfft::Division& division, FftTranspose transpose, const Machine& machine);

/// Throws Error(machine_profile) if not.
void check_filters(const wsfft::Division& division, FftTranspose transpose, const Machine& machine);

/// Throws Error(usage) if the algorithm has no pencils so long as the arrays' sides.
void check_pencils(const wsfft::Division& division, FftPencil pencil);

/// Throws Error(machine_profile) if a PE has not so many bytes, for its numbers on this division.
void check_bytes(std::uint32_t bytes, const wsfft::Division& division, const Machine& machine);

/// Whether mesh and arrays fit in this host's memory.
bool fits_host(const wsfft::Division& division, const PeMemory& memory, const FftOptions& options);

/// Throws Error(environment) if mesh and arrays do not fit in this host's memory.
void check_host(const wsfft::Division& division, const PeMemory& memory, const FftOptions& options);

}  // namespace weft::fft
