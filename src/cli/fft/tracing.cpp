#include "cli/fft/tracing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <utility>

#include "cli/common/exit_code.hpp"
#include "cli/common/number_in.hpp"
#include "cli/common/options.hpp"
#include "cli/common/size.hpp"
#include "cli/text/number_text.hpp"
#include "cli/text/terminal.hpp"
#include "weft/error.hpp"

namespace weft::cli {
namespace {

[[noreturn]] void refuse(const char* option, const std::string& given, const char* why,
                         const char* remedy) {
  throw Error(ErrorCategory::usage, fmt::format("invalid {}: {}", option, given), why, remedy);
}

/// "0,0,8,1".
Rect parse_pes(const std::string& text) {
  constexpr const char* kOption = "--trace-pes";
  const auto fail = [&] {
    refuse(kOption, text, "it is a rectangle of PEs: x, y, width and height",
           "give four whole numbers, such as 0,0,8,1");
  };
  const std::vector<std::string> parts = split_lists(kOption, {text});
  std::vector<int> sides;
  sides.reserve(parts.size());
  for (const std::string& part : parts) {
    const auto side = number_in<int>(part);
    if (!side) fail();
    sides.push_back(*side);
  }
  if (sides.size() != 4) fail();
  return {sides[0], sides[1], sides[2], sides[3]};
}

/// "100:200", "100:", ":200".
void parse_cycles(const std::string& text, EventChoice& choice) {
  const auto fail = [&] {
    refuse("--trace-cycles", text, "it is FIRST:END, without the cycle END",
           "give one or two whole numbers and a colon, such as 1000:2000 or 1000:");
  };
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos) fail();
  const auto set = [&](std::uint64_t& to, std::string_view part) {
    if (part.empty()) return;
    const auto number = number_in<std::uint64_t>(part);
    if (!number) fail();
    to = *number;
  };
  set(choice.from, std::string_view(text).substr(0, colon));
  set(choice.to, std::string_view(text).substr(colon + 1));
  if (choice.from >= choice.to) fail();
}

void check_alone(const TraceArguments& given) {
  const std::pair<bool, const char*> options[] = {{given.pes.has_value(), "--trace-pes"},
                                                  {given.cycles.has_value(), "--trace-cycles"},
                                                  {given.limit.has_value(), "--trace-limit"},
                                                  {!given.kinds.empty(), "--trace-kinds"},
                                                  {!given.colors.empty(), "--trace-colors"}};
  for (const auto& [is_given, option] : options)
    if (is_given)
      throw Error(ErrorCategory::usage, fmt::format("{} without --trace", option),
                  "it says what a trace has", "name a file by --trace, or leave it out");
}

/// Events of a PE in a cycle, on average: measured on a transform of 32^3 on 32 x 32 PEs.
struct Rate {
  std::string_view group;
  double events;
};
constexpr Rate kRates[] = {
    {"wavelet", 0.41}, {"task", 0.011}, {"microthread", 0.010}, {"instruction", 0.28}};

std::string size_text(double bytes) {
  const double size = bytes / (1 << 20);
  return size < 10 ? fmt::format("{:.2f} MiB", size)
                   : grouped(static_cast<std::uint64_t>(size)) + " MiB";
}

double events_of_a_cycle(const EventChoice& choice) {
  double sum = 0;
  for (const Rate& rate : kRates) {
    const auto is_asked = [&](EventKind kind) {
      return event_infos()[static_cast<std::size_t>(kind)].group == rate.group;
    };
    if (choice.kinds.empty() || std::ranges::any_of(choice.kinds, is_asked)) sum += rate.events;
  }
  return sum;
}

}  // namespace

Tracing parse_tracing(const TraceArguments& arguments) {
  Tracing tracing;
  if (!arguments.path) {
    check_alone(arguments);
    return tracing;
  }
  static_cast<void>(trace_format(*arguments.path));
  if (arguments.pes) tracing.choice.pes = parse_pes(*arguments.pes);
  if (arguments.cycles) parse_cycles(*arguments.cycles, tracing.choice);
  constexpr std::uint64_t kLeastLimit = 64 << 10;
  if (arguments.limit) tracing.limit = parse_size("--trace-limit", *arguments.limit, kLeastLimit);
  for (const std::string& word : split_lists("--trace-kinds", arguments.kinds))
    for (const EventKind kind : event_kinds(word)) tracing.choice.kinds.push_back(kind);
  tracing.choice.colors = split_lists("--trace-colors", arguments.colors);
  return tracing;
}

void check_size(const Tracing& tracing, const FftPlan& plan, FftDirection direction) {
  if (tracing.choice.pes) return;
  constexpr double kBytes = 3;  // of an event of that transform in .pftrace.gz
  const FftEstimate estimate = plan.estimate(direction);
  const double pes = static_cast<double>(estimate.mesh.x) * estimate.mesh.y;
  const std::uint64_t last = std::min(tracing.choice.to, estimate.cycles);
  const std::uint64_t cycles = last > tracing.choice.from ? last - tracing.choice.from : 0;
  const double bytes =
      kBytes * pes * static_cast<double>(cycles) * events_of_a_cycle(tracing.choice);
  if (bytes <= static_cast<double>(tracing.limit)) return;
  throw Error(ErrorCategory::usage,
              fmt::format("a trace of all {} PEs would have about {}",
                          grouped(static_cast<std::uint64_t>(pes)), size_text(bytes)),
              fmt::format("its limit is {}", size_text(static_cast<double>(tracing.limit))),
              "choose PEs by --trace-pes, kinds by --trace-kinds or cycles by --trace-cycles, or "
              "raise --trace-limit");
}

void RunTrace::close() {
  if (!trace_) return;
  const TraceSummary summary = trace_->close();
  if (summary.lacks_from)
    write_stderr(
        fmt::format("weft: trace warning: '{}' came to its limit: events from cycle {} on "
                    "lack; choose fewer, or raise --trace-limit\n",
                    path_, grouped(*summary.lacks_from)));
}

void RunTrace::try_to_close() {
  try {
    close();
  } catch (const std::exception& error) {
    write_stderr(error_line(error) + "\n");
  }
}

}  // namespace weft::cli
