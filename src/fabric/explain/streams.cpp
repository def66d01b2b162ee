#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "fabric/explain/findings.hpp"
#include "program/color_names.hpp"

/// What keeps streams from the rate of links.
namespace weft::fabric {
namespace {

/// The depth of an input queue.
int depth_of(const Machine& machine, int queue) {
  return queue < 2   ? machine.input_queue_0_1_depth
         : queue < 4 ? machine.input_queue_2_3_depth
                     : machine.input_queue_4_7_depth;
}

std::uint64_t less(std::uint64_t from, std::uint64_t by) { return from > by ? from - by : 0; }

}  // namespace

// Most cores wait, and the time of no link, ramp or core is used up, while cores take task after
// task: each stream's end waits for a task before the next one can begin.
void find_tasks_of_streams(const Part& part, Findings& all) {
  constexpr double kWaits = 0.2, kComputing = 0.15, kSaved = 0.15;
  constexpr std::uint64_t kTasks = 8;
  const std::size_t pe = largest(part.of(Count::tasks));
  const std::uint64_t tasks = part.of(Count::tasks)[pe], took = part.explained.took;
  const std::uint64_t streams = part.of(Count::streams)[pe];
  const std::uint64_t saved =
      less(took, std::max(part.least_of_streams(), part.explained.core.cycles));
  if (part.explained.waits_data < kWaits || part.explained.computing < kComputing ||
      tasks < kTasks || streams == 0 || streams > 2 * tasks || share(saved, took) < kSaved)
    return;
  Finding f = finding_of(part, FindingKind::tasks_of_streams, saved);
  place(f, part, pe);
  f.line = part.busiest_line();
  f.what = fmt::format(
      "cores wait at turn-arounds, tasks between streams: {} tasks of {} cycles in a PE, while the "
      "fullest link is busy in {} of {} cycles",
      tasks, part.of(Count::computing)[pe] / tasks, part.explained.link.cycles, took);
  f.advice =
      "a faster link would not help; shorten the tasks between streams, or let several streams run "
      "at a time";
  all.push_back(std::move(f));
}

// Tasks hold their cores while a stream of theirs runs, so the next one begins when it has ended.
void find_nothing_overlaps(const Part& part, Findings& all) {
  constexpr double kInTasks = 0.3, kWaits = 0.1, kLine = 0.05, kSaved = 0.1;
  constexpr std::size_t kLines = 3;
  const auto lines = part.lines();
  const double in_streams = part.share_in_streams();
  std::uint64_t in_tasks = 0;
  for (const Part::Line& line : lines) in_tasks += line.cycles;
  const auto several = static_cast<std::size_t>(std::ranges::count_if(
      lines, [&](const Part::Line& line) { return share(line.cycles, in_tasks) >= kLine; }));
  const std::uint64_t saved = less(part.explained.took, part.least_of_streams());
  if (in_streams < kInTasks || several < kLines ||
      part.explained.waits_data + part.explained.waits_room < kWaits ||
      share(saved, part.explained.took) < kSaved)
    return;
  Finding f = finding_of(part, FindingKind::nothing_overlaps, saved);
  f.line = lines.front().text;
  f.x = lines.front().x;
  f.y = lines.front().y;
  f.what = fmt::format(
      "nothing overlaps: tasks hold their cores in {:.0f} % of the time while one stream runs, and "
      "the next one begins when it has ended",
      100 * in_streams);
  f.advice =
      "start the streams asynchronously, all receives before the first send, and wait for "
      "them together";
  all.push_back(std::move(f));
}

// A wavelet holds its place in the input queue from the router's decision to the core's element:
// the ramp's cycles and one. A queue with fewer places lets them pass so much slower, where the
// ramp has no other streams meanwhile.
void find_shallow_queues(const Part& part, Findings& all) {
  constexpr double kHeld = 0.25, kSaved = 0.02, kInTasks = 0.3;
  if (part.phase >= 0) return;  // wavelets by color are of the whole run
  const Profile& p = part.profile;
  const bool in_turn = part.share_in_streams() >= kInTasks;
  const int needed = p.machine.ramp_cycles + 1;
  std::vector<std::uint64_t> lost(part.pes());
  std::string names;
  ColorNames known;
  for (const ColorCounts& color : p.colors)
    if (!color.name.empty()) known[color.color] = color.name;
  int first = -1, depth = needed, colors = 0;
  for (const ColorCounts& color : p.colors) {
    std::optional<int> shallow;
    const auto& delivered = color.wavelets[static_cast<std::size_t>(Port::ramp)];
    std::vector<std::uint64_t> its(part.pes());
    for (std::size_t pe = 0; pe < color.route_of.size(); ++pe) {
      if (color.route_of[pe] < 0) continue;
      const Route& route = color.routes[static_cast<std::size_t>(color.route_of[pe])].route;
      if (!route.input_queue || depth_of(p.machine, *route.input_queue) >= needed) continue;
      if (!in_turn && colors_at_ramp(p, pe, false) > 1) continue;
      const int d = depth_of(p.machine, *route.input_queue);
      shallow = std::min(d, shallow.value_or(d));
      its[pe] =
          delivered[pe] * static_cast<std::uint64_t>(needed - d) / static_cast<std::uint64_t>(d);
    }
    if (!shallow || sum(its) == 0 ||
        static_cast<double>(sum(color.held)) < kHeld * static_cast<double>(std::ranges::max(its)))
      continue;
    std::ranges::transform(lost, its, lost.begin(), std::plus<>());
    names += (names.empty() ? "" : ", ") + color_text(color.color, known);
    if (first < 0) first = color.color;
    depth = std::min(depth, *shallow);
    ++colors;
  }
  const std::size_t pe = largest(lost);
  if (share(lost[pe], part.explained.took) < kSaved) return;
  Finding f = finding_of(part, FindingKind::shallow_queues, lost[pe]);
  place(f, part, pe);
  f.color = first;
  f.what = fmt::format(
      "{} wavelets pass in {} cycles by {}, whose input queues hold {}: a wavelet keeps its place "
      "for the {} cycles of the ramp and one more",
      depth, needed, names, depth, p.machine.ramp_cycles);
  f.advice = fmt::format(
      "give the longest streams deeper queues (input_queue; this machine's 0 and "
      "1 hold {}, 2 and 3 hold {})",
      p.machine.input_queue_0_1_depth, p.machine.input_queue_2_3_depth);
  all.push_back(std::move(f));
}

}  // namespace weft::fabric
