#pragma once

#include <memory>

#include "running.hpp"
#include "weft/trace.hpp"

namespace weft::python {

/// A trace whose file Python writes (weft/_traces.py).
class PyTrace {
 public:
  PyTrace(RunningFabric& fabric, const py::object& path, std::uint64_t limit);

  void close();
  const TraceSummary& summary() const { return summary_; }

 private:
  RunningFabric& fabric_;  ///< it outlives this
  py::object file_;
  std::optional<TraceStream> stream_{};
  TraceSummary summary_{};
};

}  // namespace weft::python
