#include "fabric/events/names.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "weft/fault.hpp"

namespace weft::inline v0 {
namespace {

std::string task_text(int number, const EventNames& names) {
  if (number >= fabric::kFirstControl)
    return fmt::format("control task {}", number - fabric::kFirstControl);
  if (number >= fabric::kFirstLocal)
    return fmt::format("local task {}", number - fabric::kFirstLocal);
  return "data task of " + color_text(number, names.colors);
}

}  // namespace

const EventNames::OfProgram* EventNames::program_of(const Event& event) const noexcept {
  const auto pe = static_cast<std::size_t>(event.y) * static_cast<std::size_t>(width) + event.x;
  const std::int32_t number = pe < program.size() ? program[pe] : -1;
  return number < 0 ? nullptr : &programs[static_cast<std::size_t>(number)];
}

std::string EventNames::name_of(const Event& event) const {
  const OfProgram* const its = program_of(event);
  switch (event.kind) {
    case EventKind::sent:
    case EventKind::hop:
    case EventKind::delivered:
    case EventKind::refused:
    case EventKind::held:
    case EventKind::switched:
      return color_text(event.number, colors);
    case EventKind::task_start:
      if (its != nullptr)
        if (const auto name = its->tasks.find(event.number); name != its->tasks.end())
          return name->second;
      return task_text(event.number, *this);
    case EventKind::task_end:
      return "task";
    case EventKind::microthread_end:
    case EventKind::microthread_start:
    case EventKind::instruction:
      if (its != nullptr && event.value < its->instructions.size() &&
          !its->instructions[event.value].empty())
        return its->instructions[event.value];
      return fmt::format("instruction {}", std::uint32_t{event.value});
    case EventKind::fault:
      return std::string(to_string(static_cast<FaultKind>(event.value)));
  }
  return {};
}

}  // namespace weft::inline v0

namespace weft::fabric {
namespace {

EventNames::OfProgram names_of(const Program& program) {
  EventNames::OfProgram names{program.name};
  for (const auto& [id, name] : program.notes.local_tasks) names.tasks[kFirstLocal + id] = name;
  names.instructions.reserve(program.code.size());
  for (std::size_t n = 0; n < program.code.size(); ++n) {
    const auto* operation = program.notes.operation_at(static_cast<std::int64_t>(n));
    names.instructions.push_back(operation == nullptr ? std::string() : operation->text());
  }
  return names;
}

}  // namespace

EventNames event_names(int width, int height, const Names& names, const EventLog* log,
                       bool from_start) {
  EventNames all{.width = width, .height = height, .colors = names.colors};
  if (log != nullptr) {
    all.is_chosen = [chosen = log->chosen()](const Event& event) { return chosen.has(event); };
    all.from_start = log->chosen().from_start() && from_start;
  }
  all.program.reserve(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
  std::map<const Program*, std::int32_t> number;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const Program* const program = names.program_at(x, y);
      if (program == nullptr) {
        all.program.push_back(-1);
        continue;
      }
      const auto [known, is_new] =
          number.try_emplace(program, static_cast<std::int32_t>(all.programs.size()));
      if (is_new) all.programs.push_back(names_of(*program));
      all.program.push_back(known->second);
    }
  return all;
}

}  // namespace weft::fabric
