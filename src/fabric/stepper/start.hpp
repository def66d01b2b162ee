#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "fabric/stepper/by_line_options.hpp"
#include "fabric/stepper/lane_stepper.hpp"
#include "fabric/stepper/lines_stepper.hpp"
#include "fabric/stepper/stepper.hpp"

namespace weft::fabric {

/// How a fabric is before its first run: layout, machine and options, and all that was written and
/// activated.
class Start {
 public:
  Start(const Layout& layout, const Machine& machine, const FabricOptions& options,
        const ByLineOptions& by_line);

  /// Keeps words that are being written, as Stepper::write is given them, by any thread.
  void keep(const Rect& where, std::size_t first, std::span<const std::uint32_t> words);
  /// The same of a local task that is activated.
  void keep(const Rect& where, int task) { activated_.emplace_back(where, task); }
  /// Nothing that was written is missing. Not while threads write.
  bool complete() const { return complete_; }
  /// A stepper at the start that does not try to step by line. `ahead`: as
  /// ByLineOptions::counting_ahead.
  std::unique_ptr<Stepper> make(bool ahead) const;
  /// A stepper at the start that goes beside another one, counts nothing and does nothing early.
  std::unique_ptr<LaneStepper> make_beside() const;
  /// The first stepper once more, for a run by line without equal lines.
  std::unique_ptr<LinesStepper> make_without_equal_lines() const;
  /// These two can be made.
  bool can_make_beside() const { return complete_ && (!write_again_ || write_beside_); }
  /// It needs nobody else to write.
  bool has_all() const { return complete_ && !write_again_; }

  const Layout& layout() const { return layout_; }
  const Machine& machine() const { return machine_; }

 private:
  struct Written {
    Rect where;
    std::size_t first;
    std::vector<std::uint32_t> words;
  };

  Layout layout_;
  Machine machine_;
  FabricOptions options_;
  /// With all that was written and activated; `write` writes what is not kept.
  template <class S>
  std::unique_ptr<S> begun(std::unique_ptr<S> stepper, const FabricOptions& options,
                           const std::function<void(Fabric&)>& write) const;

  std::function<void(Fabric&)> write_again_, write_beside_;
  bool rows_of_lines_;
  std::size_t most_;    ///< bytes
  std::mutex mutex_{};  ///< of what follows
  std::vector<Written> written_{};
  std::size_t kept_ = 0;  ///< bytes
  bool complete_ = true;
  std::vector<std::pair<Rect, int>> activated_{};
};

}  // namespace weft::fabric
