#include "cli/fft/explanation.hpp"

#include <limits>

#include "base/names.hpp"
#include "cli/common/exit_code.hpp"
#include "cli/common/options.hpp"
#include "cli/fft/optional_json.hpp"
#include "cli/fft/report.hpp"
#include "cli/text/terminal.hpp"
#include "fabric/errors/deadlock/text.hpp"
#include "io/atomic_file.hpp"
#include "io/suffix.hpp"
#include "weft/profile.hpp"

namespace weft::cli {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();

constexpr const char* kWhats[] = {"core",         "microthread",  "input queue",
                                  "output queue", "router queue", "task"};

template <class Items, class F>
ordered_json array_json(const Items& items, F item_json) {
  ordered_json array = ordered_json::array();
  for (const auto& item : items) array.push_back(item_json(item));
  return array;
}

ordered_json pe_json(int x, int y) { return {x, y}; }

ordered_json filter_json(const std::optional<DeadlockFilter>& filter) {
  if (!filter) return nullptr;
  const auto tally = [&](std::uint32_t n) {
    return filter->tallied ? ordered_json(n) : ordered_json(nullptr);
  };
  return {{"color", filter->color},
          {"counter", optional_json(filter->counter)},
          {"limit1", optional_json(filter->limit1)},
          {"max_counter", optional_json(filter->max_counter)},
          {"let_in", tally(filter->let_in)},
          {"control", tally(filter->control)},
          {"refused", tally(filter->refused)},
          {"open", filter->open},
          {"never_opens", filter->never_opens}};
}

ordered_json wait_json(const DeadlockWait& wait) {
  const bool at_router = wait.what == DeadlockWait::What::router_queue;
  return {{"what", kWhats[static_cast<int>(wait.what)]},
          {"pe", pe_json(wait.x, wait.y)},
          {"number", at_router ? ordered_json(nullptr) : ordered_json(wait.number)},
          {"port", at_router ? ordered_json(port_name(wait.number)) : ordered_json(nullptr)},
          {"color", number_json(wait.color)},
          {"left", wait.left},
          {"waits_for", wait.waits_for}};
}

ordered_json sender_json(const DeadlockSender& sender) {
  return {{"pe", pe_json(sender.x, sender.y)},
          {"hops", sender.hops},
          {"programmed", sender.programmed},
          {"sends", sender.sends},
          {"stuck", sender.stuck},
          {"started_by", sender.started_by}};
}

ordered_json receiver_json(const DeadlockReceiver& receiver) {
  return {{"pe", pe_json(receiver.x, receiver.y)}, {"filter", filter_json(receiver.filter)}};
}

ordered_json cause_json(const DeadlockCause& cause) {
  return {{"kind", to_string(cause.kind)},
          {"why", explain(cause)},
          {"color", number_json(cause.color)},
          {"pes", array_json(cause.pes, [](const auto& pe) { return pe_json(pe.x, pe.y); })},
          {"waits", cause.waits},
          {"stuck_pes", cause.stuck_pes},
          {"port", cause.port < 0 ? ordered_json(nullptr) : ordered_json(port_name(cause.port))},
          {"position", number_json(cause.position)},
          {"fifo", number_json(cause.fifo)},
          {"circle", array_json(cause.circle, [](const auto& pe) { return pe_json(pe.x, pe.y); })},
          {"filter", filter_json(cause.filter)},
          {"senders", array_json(cause.senders, sender_json)},
          {"receivers", array_json(cause.receivers, receiver_json)},
          {"stuck", array_json(cause.stuck, wait_json)}};
}

}  // namespace

ordered_json deadlock_json(const DeadlockReport& report) {
  return {{"cycle", report.cycle},
          {"circling", report.circling},
          {"waits", report.waits},
          {"causes", array_json(report.causes, cause_json)}};
}

void write_explanation(const std::string& path, const DeadlockReport& report) {
  if (io::has_suffix(path, ".json"))
    write_json(path, deadlock_json(report));
  else if (path == kStandardOutput)
    write_stdout(explain(report, kAll));
  else
    io::write_file(path, explain(report, kAll));
}

void try_to_save(const std::string& path, const std::shared_ptr<const Profile>& profile) {
  if (profile == nullptr) return;
  try {
    profile->save(path);
  } catch (const std::exception& error) {
    write_stderr(error_line(error) + "\n");
  }
}

void try_to_explain(const std::string& path, const DeadlockReport& report) {
  try {
    write_explanation(path, report);
  } catch (const std::exception& error) {
    write_stderr(error_line(error) + "\n");
  }
}

}  // namespace weft::cli
