#include "program/wait_tasks.hpp"

#include <algorithm>
#include <numeric>

namespace weft::inline v0 {
namespace {

/// Groups of waits that share tasks. A wait is under way from its first operation to its end.
struct Groups {
  struct Group {
    std::size_t section;
    int last, tasks;  ///< the place of its last wait, and the length of the longest chain
  };
  std::vector<Group> groups;
  std::vector<std::optional<std::size_t>> of_wait;

  Groups(const std::vector<Wait>& waits, const std::vector<bool>& shares) : of_wait(waits.size()) {
    for (std::size_t w = 0; w < waits.size(); ++w) {
      if (!shares[w]) continue;
      const Wait& wait = waits[w];
      auto group = std::ranges::find_if(
          groups, [&](const Group& g) { return g.section == wait.section && g.last < wait.first; });
      if (group == groups.end()) group = groups.insert(group, {wait.section, 0, 0});
      group->last = wait.place;
      group->tasks = std::max(group->tasks, wait.tasks);
      of_wait[w] = static_cast<std::size_t>(group - groups.begin());
    }
  }

  std::size_t tasks() const {
    return std::accumulate(
        groups.begin(), groups.end(), std::size_t{0},
        [](std::size_t n, const Group& g) { return n + static_cast<std::size_t>(g.tasks); });
  }
};

/// Those of the innermost loops have tasks of their own first, as sharing takes some cycles.
std::vector<bool> those_that_share(const std::vector<Wait>& waits, std::size_t ids) {
  std::vector<bool> shares(waits.size(), true);
  std::vector<std::size_t> order(waits.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t w) { return -waits[w].depth; });
  std::size_t own = 0;
  for (const std::size_t w : order) {
    const auto tasks = static_cast<std::size_t>(waits[w].tasks);
    if (own + tasks > ids) continue;
    shares[w] = false;
    if (own + tasks + Groups(waits, shares).tasks() > ids)
      shares[w] = true;
    else
      own += tasks;
  }
  return shares;
}

}  // namespace

std::optional<WaitTasks> choose_wait_tasks(const std::vector<Wait>& waits, std::vector<int> ids) {
  std::vector<bool> shares(waits.size());
  if (std::ranges::any_of(waits, [](const Wait& w) { return w.ids.empty(); })) {
    for (const Wait& wait : waits) ids.insert(ids.end(), wait.ids.begin(), wait.ids.end());
    std::ranges::sort(ids);
    shares = those_that_share(waits, ids.size());
  }
  const Groups groups(waits, shares);
  const bool renumbers = !groups.groups.empty();
  if (groups.tasks() > ids.size()) return {};

  auto next = ids.begin();
  const auto take = [&](int count) {
    const auto first = next;
    next += count;
    return std::vector<int>(first, next);
  };
  WaitTasks chosen{groups.of_wait, {}, {}};
  for (const Groups::Group& g : groups.groups) chosen.groups.push_back({g.section, take(g.tasks)});
  for (std::size_t w = 0; w < waits.size(); ++w) {
    std::vector<int> of_wait = waits[w].ids;
    if (chosen.shared[w]) {
      const std::vector<int>& all = chosen.groups[*chosen.shared[w]].ids;
      of_wait.assign(all.end() - waits[w].tasks, all.end());
    } else if (renumbers) {
      of_wait = take(waits[w].tasks);
    }
    chosen.id.insert(chosen.id.end(), of_wait.begin(), of_wait.end());
  }
  return chosen;
}

}  // namespace weft::inline v0
