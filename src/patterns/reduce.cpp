#include <bit>

#include "patterns/checks.hpp"
#include "patterns/place.hpp"
#include "patterns/steps.hpp"
#include "weft/patterns.hpp"

namespace weft::inline v0 {
namespace {

PeOperation apply(PeProgram& pe, ReduceOperation operation, const PeVector& d, const PeVector& a,
                  const PeVector& b) {
  return operation == ReduceOperation::sum ? pe.add(d, a, b) : pe.max(d, a, b);
}

/// By step; a line of one PE has none.
patterns::OneAtATime of_tree(const std::vector<Color>& colors) {
  return patterns::one_at_a_time("tree", colors.empty() ? Color{} : colors.front());
}
patterns::OneAtATime of_all_reduce(Color broadcast) {
  return patterns::one_at_a_time("all-reduce", broadcast);
}

}  // namespace

ReduceChain::ReduceChain(Design& design, const Rect& where, Port to, const std::string& name)
    : place_(patterns::place_in(design, where, name)),
      to_(patterns::checked_side(to, name)),
      color_(design.color_pair(name, where)) {
  patterns::route_shift(design, where, to, color_);
}

std::optional<PeOperation> ReduceChain::issue(PeProgram& pe, const PeVector& v,
                                              ReduceOperation operation) const {
  patterns::check_place(pe, place_, "reduce");
  patterns::check_written("reduce", v);
  const bool sends = !patterns::is_last(pe, place_.where, to_);
  const bool receives = !patterns::is_last(pe, place_.where, opposite(to_));
  if (sends && receives) return apply(pe, operation, pe.to(color_.even), v, pe.from(color_.odd));
  if (sends) return pe.send(color_.even, v);
  if (receives) return apply(pe, operation, v, v, pe.from(color_.odd));
  return {};
}

void ReduceChain::reduce(PeProgram& pe, const PeVector& v, ReduceOperation operation,
                         CallLine) const {
  issue(pe, v, operation);
}
std::vector<PeOperation> ReduceChain::start(PeProgram& pe, const PeVector& v,
                                            ReduceOperation operation, CallLine) const {
  return patterns::started(issue(pe, v, operation));
}

std::uint64_t ReduceChain::cycles(const Machine& machine, std::uint64_t n, int length) {
  patterns::check_elements(n);
  patterns::check_length(length);
  return patterns::first_element(machine) +
         static_cast<std::uint64_t>(length - 1) * patterns::travel(machine, 1) + (n - 1) +
         patterns::go_on(machine);
}

ReduceTree::ReduceTree(Design& design, const Rect& where, Along along, const std::string& name)
    : place_(patterns::place_in(design, where, name)), along_(along) {
  const int length = patterns::length_of(where, along);
  const Port down = patterns::to_first(along), up = patterns::to_last(along);
  for (int step = 0; (1 << step) < length; ++step) {
    const int distance = 1 << step;
    const Color color = design.color(name + ", step " + std::to_string(step), where);
    color_.push_back(color);
    for (int from = distance; from < length; from += 2 * distance) {
      const int to = from - distance;
      design.route(patterns::places(where, along, from, from + 1), color,
                   {.rx = Port::ramp, .tx = down});
      if (to + 1 < from)
        design.route(patterns::places(where, along, to + 1, from), color, {.rx = up, .tx = down});
      design.route(patterns::places(where, along, to, to + 1), color, {.rx = up, .tx = Port::ramp});
    }
  }
}

std::vector<std::function<PeOperation()>> ReduceTree::steps(PeProgram& pe, const PeVector& v,
                                                            ReduceOperation operation) const {
  patterns::check_place(pe, place_, "tree");
  patterns::check_written("tree", v);
  const int length = patterns::length_of(place_.where, along_);
  const int steps = static_cast<int>(color_.size());
  // The step in which a PE sends: before it receives in each, from a PE that is in the line.
  const int sends = pe.pick(patterns::by_place(place_.where, along_, [steps](int place) {
    return place == 0 ? steps : std::countr_zero(static_cast<unsigned>(place));
  }));
  patterns::Steps all;
  for (int step = 0; step < sends; ++step) {
    const bool there = pe.where(patterns::by_place(
        place_.where, along_, [step, length](int place) { return place + (1 << step) < length; }));
    const Color color = color_[static_cast<std::size_t>(step)];
    if (there)
      all.emplace_back(
          [&pe, v, operation, color] { return apply(pe, operation, v, v, pe.from(color)); });
  }
  if (sends < steps) {
    const Color color = color_[static_cast<std::size_t>(sends)];
    all.emplace_back([&pe, v, color] { return pe.send(color, v); });
  }
  return all;
}

void ReduceTree::reduce(PeProgram& pe, const PeVector& v, ReduceOperation operation,
                        CallLine) const {
  patterns::run(pe, of_tree(color_), steps(pe, v, operation));
}
std::vector<PeOperation> ReduceTree::start(PeProgram& pe, const PeVector& v,
                                           ReduceOperation operation, CallLine) const {
  return patterns::start(pe, of_tree(color_), steps(pe, v, operation));
}

std::uint64_t ReduceTree::cycles(const Machine& machine, std::uint64_t n, int length) {
  patterns::check_elements(n);
  patterns::check_length(length);
  std::uint64_t cycles = 0;
  for (int distance = 1; distance < length; distance *= 2)
    cycles += patterns::first_element(machine) + patterns::travel(machine, distance) + (n - 1) +
              patterns::go_on(machine);
  return cycles;
}

AllReduce::AllReduce(Design& design, const Rect& where, Along along, By by, const std::string& name)
    : broadcast_(design, where, along, 0, name + " (broadcast)") {
  if (by == By::chain)
    chain_.emplace(design, where, patterns::to_first(along), name + " (reduce)");
  else
    tree_.emplace(design, where, along, name + " (reduce)");
}

void AllReduce::reduce(PeProgram& pe, const PeVector& v, ReduceOperation operation,
                       CallLine) const {
  patterns::check_under_way(pe, of_all_reduce(broadcast_.color_));
  if (chain_) chain_->reduce(pe, v, operation);
  if (tree_) tree_->reduce(pe, v, operation);
  broadcast_.broadcast(pe, v);
}

std::vector<std::function<PeOperation()>> AllReduce::steps(PeProgram& pe, const PeVector& v,
                                                           ReduceOperation operation) const {
  patterns::Steps all;
  if (tree_) all = tree_->steps(pe, v, operation);
  if (chain_ && !broadcast_.alone_)
    all.emplace_back([this, &pe, v, operation] { return *chain_->issue(pe, v, operation); });
  if (all.empty()) return all;
  const auto broadcast = [this, &pe, v] { return *broadcast_.issue(pe, v); };
  if (broadcast_.sends(pe)) {
    all.emplace_back(broadcast);
    return all;
  }
  // The result has what the PE sends last, so it may receive at once.
  all.back() = [&pe, send = all.back(), broadcast] {
    patterns::start_and_get_back(pe, send());
    return broadcast();
  };
  return all;
}
std::vector<PeOperation> AllReduce::start(PeProgram& pe, const PeVector& v,
                                          ReduceOperation operation, CallLine) const {
  return patterns::start(pe, of_all_reduce(broadcast_.color_), steps(pe, v, operation));
}

std::uint64_t AllReduce::cycles(const Machine& machine, std::uint64_t n, int length, By by) {
  return (by == By::chain ? ReduceChain::cycles(machine, n, length)
                          : ReduceTree::cycles(machine, n, length)) +
         Broadcast::cycles(machine, n, length - 1);
}

}  // namespace weft::inline v0
