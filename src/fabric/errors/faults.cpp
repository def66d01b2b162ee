#include "fabric/errors/faults.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "program/traces.hpp"

namespace weft::fabric {
namespace {

constexpr std::array kRows = {
    FaultRow{FaultKind::input_collision, "input_collision", "program or routes",
             "two inputs held a wavelet of color {color} at the same time",
             "let wavelets of one color come from one side at a time, or use two colors"},
    FaultRow{FaultKind::memory_out_of_range, "memory_out_of_range", "program",
             "access at byte address {detail}, outside the PE's memory",
             "check base, stride and length against pe_memory_bytes"},
    FaultRow{FaultKind::memory_misaligned, "memory_misaligned", "program",
             "access at byte address {detail}, which is no multiple of its size",
             "align words to four bytes and 16-bit values to two"},
    FaultRow{
        FaultKind::microthread_in_use, "microthread_in_use", "program",
        "a vector instruction wants microthread {detail}, which (or whose queue) is still running",
        "wait for its end (activate or unblock a task there), or use another queue"},
    FaultRow{FaultKind::queue_color_changed, "queue_color_changed", "program or routes",
             "a wavelet of color {color} came into queue {detail} while it held another color's",
             "use one queue per color, or wait until it is empty"},
    FaultRow{FaultKind::unbound_task, "unbound_task", "program",
             "task {detail} was to start, and the program does not have it",
             "bind it with data_task, local_task or control_task, or do not start it"},
    FaultRow{
        FaultKind::bad_operands, "bad_operands", "program",
        "invalid descriptors of a vector instruction",
        "make fabric sources input queues and fabric destinations output queues; a FIFO has "
        "elements of the instruction's size, is not the first of two sources, and is not read and "
        "written at once; where it is not used with a queue, the instruction is not async"},
    FaultRow{FaultKind::bad_length, "bad_length", "program",
             "a vector of {detail} elements: a descriptor has 0 to 65535",
             "check dlen and dlenr (a negative number counts as a large one)"},
    FaultRow{FaultKind::bad_filter, "bad_filter", "program or filters",
             "invalid counter of the filter of color {color}: {detail}",
             "give the PE a filter on this color, and keep its counter at or below limit1"},
    FaultRow{FaultKind::bad_switch_position, "bad_switch_position", "program or routes",
             "the switch of color {color} has no position {detail}",
             "give the route this position, or set one it has"},
    FaultRow{FaultKind::ran_off_program, "ran_off_program", "program",
             "a return to instruction {detail}, outside the program",
             "keep the link register from call to ret"},
    FaultRow{FaultKind::check_failed, "check_failed", "program",
             "a condition that the program checks does not hold",
             "look for what has broken it: PeProgram::print shows values"},
    FaultRow{FaultKind::deadlock, "deadlock", "program, routes or filters",
             "nothing can move any more after cycle {cycle}", "as the first cause says: see below"},
    FaultRow{FaultKind::cycle_limit, "cycle_limit", "the limit, or program",
             "the run is not done at cycle {cycle}",
             "give it a higher limit if it still makes progress"},
};

std::string with_values(std::string text, const Fault& fault, const Names& names) {
  const auto put = [&](const std::string& key, const std::string& value) {
    if (const auto at = text.find(key); at != std::string::npos)
      text.replace(at, key.size(), value);
  };
  if (fault.color >= 0) put("color {color}", color_text(fault.color, names.colors));
  put("{color}", "none");
  put("{cycle}", std::to_string(fault.cycle));
  put("{detail}", fault.detail < 0 ? "none" : std::to_string(fault.detail));
  return text;
}

/// Of faults of a program whose words are known; empty: it has none.
std::string place_in_program(const Fault& fault, const Names& names) {
  const Program* program = names.program(fault.x, fault.y);
  if (program == nullptr || program->notes.operations.empty()) return "";
  if (const auto* at = program->notes.operation_at(fault.instruction))
    return fmt::format(", at {} in program \"{}\"{}", at->what, program->name,
                       at->where.empty() ? "" : ", " + at->where);
  return fmt::format(", in program \"{}\"", program->name);
}

const FaultRow* row_of(FaultKind kind) {
  const auto row = std::ranges::find(kRows, kind, &FaultRow::kind);
  return row == kRows.end() ? nullptr : &*row;
}

}  // namespace

std::span<const FaultRow> fault_rows() noexcept { return kRows; }

ErrorText fault_text(const Fault& fault, const Names& names) {
  const std::string place =
      fmt::format("at cycle {}, PE ({}, {}){}{}", fault.cycle, fault.x, fault.y,
                  fault.color < 0 ? "" : ", " + color_text(fault.color, names.colors),
                  place_in_program(fault, names));
  if (const FaultRow* row = row_of(fault.kind))
    return {with_values(row->problem, fault, names), place, row->remedy};
  return {fmt::format("fault {} without a description", static_cast<int>(fault.kind)), place,
          "please report it"};
}

FaultError fault_error(const Fault& fault, const Names& names) {
  const Program* program = names.program(fault.x, fault.y);
  if (fault.kind != FaultKind::ran_off_program || program == nullptr)
    return {fault, fault_text(fault, names)};
  const auto number = check_at(program->notes, fault.detail);
  if (!number) return {fault, fault_text(fault, names)};
  const ProgramNotes::Check& check = program->notes.checks[*number];
  Fault failed = fault;
  failed.kind = FaultKind::check_failed;
  failed.detail = static_cast<std::int64_t>(*number);
  ErrorText words = fault_text(failed, names);
  words.problem = "a check of the program failed: " + check.text;
  if (fault.instruction < 0 && !check.where.empty()) words.reason += ", " + check.where;
  return {failed, std::move(words)};
}

}  // namespace weft::fabric

namespace weft::inline v0 {

std::string_view to_string(FaultKind kind) noexcept {
  const fabric::FaultRow* row = fabric::row_of(kind);
  return row == nullptr ? "none" : row->name;
}

}  // namespace weft::inline v0
