#include <fmt/format.h>

#include "fabric/errors/deadlock/text.hpp"

namespace weft::inline v0 {
namespace {

using fabric::counted;
using fabric::text;

/// "title: a, b, c and 3 more", of the texts of a list's first `most` items.
template <class Items, class Text>
std::string list_line(const char* title, const Items& items, std::size_t most, const char* between,
                      Text item_text) {
  if (items.empty()) return "";
  std::string line = fmt::format("   {}: ", title);
  for (std::size_t n = 0; n < items.size() && n < most; ++n)
    line += (n == 0 ? "" : between) + item_text(items[n]);
  if (items.size() > most) line += fmt::format("{}{} more", between, items.size() - most);
  return line + "\n";
}

std::string sender_text(const DeadlockSender& sender, const ColorNames& names) {
  std::string words = fmt::format("{}, {} away", text(DeadlockPlace{sender.x, sender.y}),
                                  counted(static_cast<std::uint64_t>(sender.hops), "link"));
  if (!sender.programmed) return words + ", runs no program";
  if (!sender.sends) return words + ", never sends on it";
  if (sender.stuck) return words + ", is stuck too";
  if (sender.started_by.empty()) return words + ", has nothing left to do";
  return words + ", has nothing left to do until a wavelet comes of " +
         fabric::colors_text(sender.started_by, names);
}

std::string receiver_text(const DeadlockReceiver& receiver) {
  const std::string pe = text(DeadlockPlace{receiver.x, receiver.y});
  if (receiver.filter && !receiver.filter->tallied) return pe + " has a filter";
  return receiver.filter ? fmt::format("{} let in {} and refused {}", pe, receiver.filter->let_in,
                                       receiver.filter->refused)
                         : pe + " takes all";
}

std::string cause_text(const DeadlockCause& cause, std::size_t number, std::size_t most) {
  std::string out = fmt::format("{}. {}: {}.\n", number, to_string(cause.kind), explain(cause));
  const std::vector<DeadlockPlace> others(cause.pes.begin() + 1, cause.pes.end());
  out += list_line("Alike at", others, most, ", ", [](const auto& pe) { return text(pe); });
  out += fmt::format("   Remedy: {}.\n", fabric::remedy(cause.kind));
  out += list_line("Cores whose routes lead here", cause.senders, most, "; ",
                   [&](const auto& sender) { return sender_text(sender, cause.color_names); });
  out += list_line("The same wavelets also go to", cause.receivers, most, "; ", receiver_text);
  out += fmt::format("   Stuck by it: {} in {}\n", counted(cause.waits, "thing"),
                     counted(cause.stuck_pes, "PE"));
  for (std::size_t n = 0; n < cause.stuck.size() && n < most; ++n) {
    const DeadlockWait& wait = cause.stuck[n];
    out += "     " + text(wait, cause.color_names);
    if (wait.waits_for != n)
      out += ", waits for " + text(cause.stuck[wait.waits_for], cause.color_names);
    out += '\n';
  }
  if (cause.stuck.size() > most)
    out += fmt::format("     and {} more\n", cause.stuck.size() - most);
  return out;
}

}  // namespace

std::string explain(const DeadlockReport& report, std::size_t most) {
  std::string what = fmt::format("Nothing can move any more after cycle {}", report.cycle);
  if (report.circling) {
    what = fabric::circling_text(report);
    what.front() = 'A';
  }
  std::string out = fmt::format("{}: {} {}, {}\n", what, counted(report.waits, "thing"),
                                report.waits == 1 ? "waits" : "wait",
                                counted(report.causes.size(), "first cause"));
  for (std::size_t n = 0; n < report.causes.size(); ++n)
    out += "\n" + cause_text(report.causes[n], n + 1, most);
  return out;
}

}  // namespace weft::inline v0
