#include "program/queues.hpp"

#include <algorithm>

#include "program/overlaps.hpp"

namespace weft::inline v0 {
namespace {

/// Looks for queues that keep apart what overlaps.
class ChoosingQueues {
 public:
  ChoosingQueues(const QueueChoice& first, const std::set<QueueUse>& of_user,
                 const Overlaps& overlaps)
      : first_(first), of_user_(of_user), overlaps_(overlaps), chosen_(first) {
    for (const auto& [color, queue] : first.output)
      if (!of_user.contains({false, color})) outputs_.push_back(color);
    for (const auto& [color, queue] : first.input)
      if (!of_user.contains({true, color})) inputs_.push_back(color);
  }

  /// The first two that clash. Those with queues of the user's are left to the user.
  std::optional<QueueClash> clash() const {
    for (const auto& [in, in_queue] : first_.input)
      for (const auto& [out, out_queue] : first_.output) {
        const QueueUse from{true, in}, to{false, out};
        if (in_queue != out_queue || (of_user_.contains(from) && of_user_.contains(to))) continue;
        if (overlaps_[number_of(to)].test(number_of(from))) return QueueClash{from, to};
        if (overlaps_[number_of(from)].test(number_of(to))) return QueueClash{to, from};
      }
    return {};
  }

  std::optional<QueueChoice> choose() {
    for (const int color : outputs_) chosen_.output.erase(color);
    if (!choose_outputs(0)) return {};
    return chosen_;
  }

 private:
  bool overlap(int in, int out) const {
    const std::size_t from = number_of({true, in}), to = number_of({false, out});
    return overlaps_[to].test(from) || overlaps_[from].test(to);
  }

  static bool has(const std::map<int, int>& queues, int queue) {
    return std::ranges::any_of(queues, [&](const auto& at) { return at.second == queue; });
  }

  /// The first choice, then the others, deep ones first.
  template <class Order>
  static std::vector<int> candidates(int first, const Order& order) {
    std::vector<int> all{first};
    std::ranges::copy_if(order, std::back_inserter(all), [&](int q) { return q != first; });
    return all;
  }

  bool choose_outputs(std::size_t k) {
    if (k == outputs_.size()) return choose_inputs();
    const int color = outputs_[k];
    for (const int queue : candidates(first_.output.at(color), kOutputOrder)) {
      if (has(chosen_.output, queue) || clashes_with_user(color, queue)) continue;
      chosen_.output[color] = queue;
      if (choose_outputs(k + 1)) return true;
      chosen_.output.erase(color);
    }
    return false;
  }

  bool clashes_with_user(int out, int queue) const {
    return std::ranges::any_of(first_.input, [&](const auto& in) {
      return of_user_.contains({true, in.first}) && in.second == queue && overlap(in.first, out);
    });
  }

  /// A matching of inputs and queues, from one that is too small to the next larger one.
  bool choose_inputs() {
    owner_.fill(-1);
    for (const auto& [color, queue] : first_.input)
      if (of_user_.contains({true, color})) owner_[static_cast<std::size_t>(queue)] = color;
    for (const int color : inputs_) {
      asked_.fill(false);
      if (!give_queue(color)) return false;
    }
    for (std::size_t queue = 0; queue < owner_.size(); ++queue)
      if (const int color = owner_[queue]; color >= 0 && !of_user_.contains({true, color}))
        chosen_.input[color] = static_cast<int>(queue);
    return true;
  }

  bool give_queue(int color) {
    for (const int queue : candidates(first_.input.at(color), kInputOrder)) {
      const auto q = static_cast<std::size_t>(queue);
      const bool of_user = owner_[q] >= 0 && of_user_.contains({true, owner_[q]});
      const bool clashes = std::ranges::any_of(chosen_.output, [&](const auto& out) {
        return out.second == queue && overlap(color, out.first);
      });
      if (asked_[q] || of_user || clashes) continue;
      asked_[q] = true;
      if (owner_[q] >= 0 && !give_queue(owner_[q])) continue;
      owner_[q] = color;
      return true;
    }
    return false;
  }

  const QueueChoice& first_;
  const std::set<QueueUse>& of_user_;
  const Overlaps& overlaps_;
  QueueChoice chosen_;
  std::vector<int> outputs_, inputs_;      ///< colors with a queue to choose
  std::array<int, kInputQueues> owner_{};  ///< by input queue: a color, or -1
  std::array<bool, kInputQueues> asked_{};
};

bool shares_microthreads(const QueueChoice& queues) {
  return std::ranges::any_of(queues.input, [&](const auto& in) {
    return std::ranges::any_of(queues.output,
                               [&](const auto& out) { return out.second == in.second; });
  });
}

}  // namespace

ChosenQueues choose_queues(const std::vector<DescriptorValue>& values,
                           const std::vector<Section>& sections, const std::vector<Wait>& waits,
                           const std::vector<Task>& of_fifos, const QueueChoice& first,
                           const std::set<QueueUse>& of_user) {
  if (!shares_microthreads(first)) return {first, {}};
  const ProgramOverlaps overlaps = overlaps_of(values, sections, waits, of_fifos);
  for (const Overlaps* kept_apart : {&overlaps.any, &overlaps.in_task, &overlaps.sure}) {
    ChoosingQueues choosing(first, of_user, *kept_apart);
    if (!choosing.clash()) return {first, {}};
    if (const auto chosen = choosing.choose()) return {*chosen, {}};
  }
  return {first, ChoosingQueues(first, of_user, overlaps.sure).clash()};
}

}  // namespace weft::inline v0
