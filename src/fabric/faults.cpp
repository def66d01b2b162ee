#include "fabric/faults.hpp"

#include <fmt/format.h>

#include <array>

namespace weft::fabric {
namespace {

struct Row {
  FaultKind kind;
  const char* what;  ///< may use {color} and {detail}
  const char* remedy;
};

constexpr std::array kRows = {
    Row{FaultKind::input_collision, "two inputs held a wavelet of color {color} at the same time",
        "let wavelets of one color come from one side at a time, or use two colors"},
    Row{FaultKind::memory_out_of_range, "access at byte address {detail}, outside the PE's memory",
        "check base, stride and length against pe_memory_bytes"},
    Row{FaultKind::memory_misaligned,
        "access at byte address {detail}, which is no multiple of its size",
        "align words to four bytes and 16-bit values to two"},
    Row{FaultKind::microthread_in_use,
        "a vector instruction wants microthread {detail}, which (or whose queue) is still running",
        "wait for its end (activate or unblock a task there), or use another queue"},
    Row{FaultKind::queue_color_changed,
        "a wavelet of color {color} came into queue {detail} while it held another color's",
        "use one queue per color, or wait until it is empty"},
    Row{FaultKind::unbound_task, "task {detail} was to start, and the program does not have it",
        "bind it with data_task, local_task or control_task, or block it"},
    Row{FaultKind::bad_operands, "a vector instruction over descriptors that do not fit it",
        "make fabric sources input queues and fabric destinations output queues; a FIFO has "
        "elements "
        "of the instruction's size, is not the first of two sources, and is not read and written "
        "at "
        "once; where it is not used with a queue, the instruction is not async"},
    Row{FaultKind::bad_length, "a vector of {detail} elements: a descriptor has 0 to 65535",
        "check dlen and dlenr (a negative number counts as a large one)"},
    Row{FaultKind::bad_filter, "the filter of color {color} cannot be set to {detail}",
        "give the PE a filter on this color, and keep its counter at or below limit1"},
    Row{FaultKind::bad_switch_position, "the switch of color {color} has no position {detail}",
        "give the route this position, or set one it has"},
    Row{FaultKind::ran_off_program, "a return to instruction {detail}, outside the program",
        "keep the link register from call to ret"},
};

std::string with_values(std::string text, const Fault& fault) {
  const auto put = [&](const std::string& key, const std::string& value) {
    if (const auto at = text.find(key); at != std::string::npos)
      text.replace(at, key.size(), value);
  };
  put("{color}", fault.color < 0 ? "none" : std::to_string(fault.color));
  put("{detail}", fault.detail < 0 ? "none" : std::to_string(fault.detail));
  return text;
}

}  // namespace

FaultError fault_error(const Fault& fault) {
  for (const Row& row : kRows)
    if (row.kind == fault.kind)
      return {fault, fmt::format("{} (at cycle {}, PE ({}, {}){}); {}",
                                 with_values(row.what, fault), fault.cycle, fault.x, fault.y,
                                 fault.color < 0 ? "" : fmt::format(", color {}", fault.color),
                                 row.remedy)};
  return {fault,
          fmt::format("fault {} without a description (at cycle {}, PE ({}, {})); please report it",
                      static_cast<int>(fault.kind), fault.cycle, fault.x, fault.y)};
}

}  // namespace weft::fabric
