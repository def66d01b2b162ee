#pragma once

#include <string>
#include <vector>

#include "base/bytes.hpp"
#include "fabric/errors/deadlock/mesh.hpp"
#include "fabric/errors/names.hpp"
#include "weft/deadlock.hpp"

/// Why a run cannot end, or did not in time, as plain data: processes that share a fabric tell it
/// each other, and each makes its error of it.
namespace weft::fabric {

struct Deadlock {
  Fault fault{};
  DeadlockReport report{};
};

/// The fault of a run that can make no progress after this cycle, with its first causes.
Deadlock deadlock_of(deadlock::Mesh mesh, std::uint64_t cycle, const Names& names = {});

struct AtLimit {
  Fault fault{};
  std::vector<DeadlockWait> waits{};
  std::string busy{};  ///< the operation that most PEs are at
};

/// The fault of a run that reached its limit, with what waits then.
AtLimit at_limit(const deadlock::Mesh& mesh, std::uint64_t limit, const Names& names = {});

}  // namespace weft::fabric

namespace weft::base {

template <>
struct Fields<DeadlockWait> {
  template <class T, class F>
  static void each(T& w, F& f) {
    f(w.what), f(w.x), f(w.y), f(w.number), f(w.color), f(w.left), f(w.waits_for), f(w.name);
  }
};

template <>
struct Fields<DeadlockSender> {
  template <class T, class F>
  static void each(T& s, F& f) {
    f(s.x), f(s.y), f(s.hops), f(s.programmed), f(s.sends), f(s.stuck), f(s.started_by);
  }
};

template <>
struct Fields<DeadlockReceiver> {
  template <class T, class F>
  static void each(T& r, F& f) {
    f(r.x), f(r.y), f(r.filter);
  }
};

template <>
struct Fields<DeadlockCause> {
  template <class T, class F>
  static void each(T& c, F& f) {
    f(c.kind), f(c.color), f(c.pes), f(c.waits), f(c.stuck_pes), f(c.stuck), f(c.port);
    f(c.position), f(c.fifo), f(c.circle), f(c.filter), f(c.senders), f(c.receivers);
    f(c.host_streams), f(c.color_names);
  }
};

template <>
struct Fields<DeadlockReport> {
  template <class T, class F>
  static void each(T& r, F& f) {
    f(r.cycle), f(r.circling), f(r.waits), f(r.causes);
  }
};

template <>
struct Fields<fabric::Deadlock> {
  template <class T, class F>
  static void each(T& d, F& f) {
    f(d.fault), f(d.report);
  }
};

template <>
struct Fields<fabric::AtLimit> {
  template <class T, class F>
  static void each(T& l, F& f) {
    f(l.fault), f(l.waits), f(l.busy);
  }
};

}  // namespace weft::base
