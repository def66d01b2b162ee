#pragma once

#include <concepts>
#include <cstdint>
#include <utility>

#include "model/lanes/neighbours.hpp"

/// The step works on lanes through a policy of primitives, `L` in its templates: HostLanes on a
/// CPU, cuda::WarpLanes on a GPU, where 32 threads that all run the same code have two lanes of a
/// strip each. So a function that is given to a primitive may write this and nothing else:
///
/// - `once`, and `for_each`, `sift` and `flags_in_turn`, which go through the lanes in turn: state
///   that the lanes share;
/// - `at_once`, `where`, `map`, `sweep` and `flags`: its own lane's words of state;
/// - `bits`: local variables too, as all lanes call it.
///
/// All may write a lane's own `Words`. Another lane's word is read by `pick`, between two calls of
/// `meet`, or if an earlier phase of the cycle wrote it. A policy that runs the functions for a
/// strip on one thread (kOneThread) makes no difference between these, and by_line/ and
/// fast/shortcuts.hpp need one.
namespace weft::model {

template <class L>
concept LanePolicy = requires(Mask mask, std::uint32_t* d, const std::uint32_t* a,
                              std::uint32_t word, std::uint64_t* cycles, const std::uint8_t* bytes,
                              std::uint64_t cycle, typename L::Words words, void (*each)(int),
                              bool (*test)(int), std::uint32_t (*bits)(int)) {
  typename L::Shape;  // which lane is whose neighbour (neighbours.hpp)
  typename L::Hooks;  // hooks.hpp

  /// The functions for a strip run on one thread, one after the other.
  { L::kOneThread } -> std::convertible_to<bool>;
  /// Strips of a row are stepped one after the other, by one thread that keeps row wakes.
  { L::kRowWakes } -> std::convertible_to<bool>;
  /// Lanes mostly do the same, so that loops over all of them pay.
  { L::kLanesAlike } -> std::convertible_to<bool>;
  /// Each instruction's executor is compiled for its function alone (fast where loops become vector
  /// instructions), or for all together (small).
  { L::kExecutorPerInstruction } -> std::convertible_to<bool>;

  {
    words[0]
    } -> std::convertible_to<std::uint32_t>;  // a word per lane, for the time of a function

  // Calls of functions.
  L::once([] {});
  {
    L::once([] { return std::uint64_t{0}; })
    } -> std::same_as<std::uint64_t>;
  L::for_each(mask, each);
  L::at_once(mask, each);
  { L::sift(mask, test) } -> std::same_as<Mask>;
  { L::where(mask, test) } -> std::same_as<Mask>;
  { L::template flags<2>(mask, bits).of(1) } -> std::same_as<Mask>;
  { L::template flags_in_turn<2>(mask, mask, bits).of(1) } -> std::same_as<Mask>;
  L::template bits<kLinks>(word, each);
  L::meet();

  // Words of memory.
  { L::pick(a, 0) } -> std::same_as<std::uint32_t>;
  L::copy(mask, d, a);
  L::fill(mask, d, word);
  L::template copy_from<Port::west, typename L::Shape>(mask, d, a, a);
  L::prefetch(a);
  L::publish(*cycles, cycle);

  // Questions to lanes.
  { L::equal(mask, a, word) } -> std::same_as<Mask>;
  { L::equal(mask, bytes, std::uint8_t{0}) } -> std::same_as<Mask>;
  { L::equal_here(mask, bytes, std::uint8_t{0}) } -> std::same_as<Mask>;  // may be asked in `once`
  { L::due(mask, cycles, cycle) } -> std::same_as<Mask>;
  { L::least(mask, cycles) } -> std::same_as<std::uint64_t>;

  // Counters.
  L::count_up(mask, d);
  { L::count_on(mask, d, a, a) } -> std::same_as<Mask>;
};

}  // namespace weft::model
