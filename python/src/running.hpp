#pragma once

#include <atomic>
#include <thread>

#include "bind.hpp"

namespace weft::python {

/// A fabric that Python runs without the GIL. One thread at a time may use it; another one gets an
/// error, not a race.
class RunningFabric {
 public:
  RunningFabric(const Design& design, const Machine& machine, FabricOptions options,
                const py::object& progress, bool check);

  /// "Fabric(16 x 16 PEs, cycle 44745, engine host)".
  std::string text();

  /// The named memory of its programs.
  const std::vector<std::pair<Rect, std::string>>& symbols() const { return symbols_; }

  /// f(fabric). Throws Error(usage) if somebody is at it.
  template <class F>
  auto use(F f) {
    const auto me = std::this_thread::get_id();
    if (std::thread::id nobody; !user_.compare_exchange_strong(nobody, me)) refuse(nobody == me);
    struct Free {
      std::atomic<std::thread::id>& user;
      ~Free() { user = std::thread::id{}; }
    } free{user_};
    return f(fabric_);
  }
  /// The same without the GIL. The bar, if there is one, ends with the run.
  template <class F>
  auto run(F f) {
    struct EndOfBar {
      const py::object& progress;
      ~EndOfBar() { close_bar(progress); }
    } end{progress_};
    const WithoutGil without_gil;
    return use(f);
  }

 private:
  [[noreturn]] static void refuse(bool by_itself);
  static void close_bar(const py::object& progress);

  std::atomic<std::thread::id> user_;
  int width_, height_;
  std::vector<std::pair<Rect, std::string>> symbols_;
  py::object progress_;
  Fabric fabric_;
};

/// Called between cycles: Ctrl-C, and the user's function. It does not own the function, because it
/// is copied and freed where the GIL is not held.
/// `alone`: the run has no other thread.
CycleProgress progress_of(py::handle progress, bool alone);

}  // namespace weft::python
