#pragma once

#include <memory>

#include "by_line/lines.hpp"
#include "fabric/stepper/stepper.hpp"

namespace weft::fabric {

/// A stepper whose first run may be by line.
class LinesStepper : public Stepper {
 public:
  /// A run may be by line as the fabric is now.
  virtual bool has_lines() const = 0;
  /// As run, by line (by_line::run); then filters are not tallied any more.
  virtual engine::RunResult run_by_line(engine::RunOptions options, bool must_pay,
                                        by_line::Watcher* watcher) = 0;
  /// After a run that has thrown, nothing can be done with it, nor with an equal one.
  virtual bool lost() const { return false; }
};

/// The stepper at cycle 0 of a fabric on the host that may be stepped by line. Throws as Fabric's
/// constructor.
std::unique_ptr<LinesStepper> make_lines_stepper(const Layout& layout, const Machine& machine,
                                                 const FabricOptions& options);

}  // namespace weft::fabric
