#pragma once

#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/first_error.hpp"
#include "io/sides.hpp"
#include "io/volume_file.hpp"
#include "weft/fft.hpp"
#include "weft/processes.hpp"

/// What the processes of a run do together, where each has a part of the arrays.
namespace weft::cli {

/// Of all arrays, the runs that a part has.
std::vector<io::NumberRun> runs_of_part(const FftPart& part);

/// The processes of a run, or this one alone. Where they have parts, all call each method alike.
class RunParts {
 public:
  RunParts(const FftPlan& plan, FftDirection direction);

  bool in_parts() const noexcept { return processes_ != nullptr; }
  bool first() const noexcept { return processes_ == nullptr || processes_->rank() == 0; }

  /// work() in all: an error of one process is that of all.
  template <class F>
  void in_all(const F& work) const {
    base::in_all(processes_.get(), work);
  }
  /// What reading has changed, in all parts together.
  void add_up(io::Conversion& conversion) const;
  /// Sums over all parts.
  template <std::size_t n>
  std::array<std::uint64_t, n> sum(std::array<std::uint64_t, n> mine) const {
    add_up(mine);
    return mine;
  }
  bool any(bool mine) const { return sum<1>({mine ? 1U : 0U})[0] > 0; }
  /// By process; nothing where there are no parts.
  std::vector<std::uint64_t> each(std::uint64_t mine) const;

  /// Writes all arrays to one .npy file, each process its part, as io::write_npy does: the file
  /// appears whole or not at all, and the error of one process is that of all.
  void write_npy(const std::string& path, const io::Sides& sides,
                 std::span<const std::complex<float>> numbers) const;

 private:
  void add_up(std::span<std::uint64_t> mine) const;

  std::shared_ptr<Processes> processes_{};  ///< null: there are no parts
  FftPart output_{};
};

}  // namespace weft::cli
