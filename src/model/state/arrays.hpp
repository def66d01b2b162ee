#pragma once

#include <cstddef>

#include "model/state/view.hpp"

/// The arrays that a View points to, as a list: for code that copies a whole fabric.
namespace weft::model {

/// Elements of the arrays that the strips do not number.
struct Sizes {
  std::size_t code = 0, programs = 0, shapes = 0;
  std::size_t colors = 0;  ///< and switches
  std::size_t filters = 0, tallies = 0, fifos = 0, port_queues = 0;
  std::size_t touched_words = 0;  ///< per PE: words of memory after them were never written
};

/// f(pointer in `v`, elements) for each array that a run does not change.
template <class F>
void for_constant_arrays(View& v, const Sizes& n, F f) {
  f(v.code, n.code);
  f(v.private_cycles, n.code);
  f(v.programs, n.programs);
  f(v.shapes, n.shapes);
}

/// f(pointer in `v`, elements) for each array that a run changes, except PE memory and what is kept
/// by row.
template <class F>
void for_state_arrays(View& v, const Sizes& n, F f) {
  const std::size_t strips = v.strip_count();
  f(v.strip, strips);
  f(v.core, strips);
  f(v.colors, n.colors);
  f(v.switches, n.colors);
  f(v.filters, n.filters);
  f(v.tallies, n.tallies);
  f(v.fifos, n.fifos);
  f(v.port_queues, n.port_queues);
  f(v.route_wake, strips);
  f(v.deliver_wake, strips);
  f(v.core_wake, strips);
  f(v.faults, strips);
}

}  // namespace weft::model
