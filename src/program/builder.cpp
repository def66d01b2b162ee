#include <fmt/format.h>

#include <algorithm>

#include "isa/control.hpp"
#include "isa/info.hpp"
#include "program/extents.hpp"
#include "program/operands.hpp"
#include "weft/error.hpp"
#include "weft/program.hpp"

namespace weft::inline v0 {
namespace {

[[noreturn]] void refuse(const Program& program, const std::string& what, const std::string& why,
                         const std::string& remedy) {
  throw Error(ErrorCategory::program, fmt::format("program {}: {}", program.name, what), why,
              remedy);
}

std::string name_of(TaskKind kind, int id) {
  return fmt::format("{} task {}", to_string(kind), id);
}

int task_ids(TaskKind kind) {
  return kind == TaskKind::data ? kColors : kind == TaskKind::local ? kLocalTasks : kControlTasks;
}

bool ends_task(Op op) { return op == Op::end || op == Op::jump || op == Op::ret; }

/// A task that an instruction activates (local ones only), blocks or unblocks (by color, not by
/// control task).
void check_task(const Program& program, const std::string& what, bool activates, TaskKind kind,
                int id) {
  if (activates && kind != TaskKind::local)
    refuse(program, fmt::format("{} of {}", what, name_of(kind, id)),
           "wavelets start data and control tasks", "activate a local task");
  if (kind == TaskKind::control)
    refuse(program, fmt::format("{} of {}", what, name_of(kind, id)),
           "control tasks obey the color that their wavelets come by",
           "name the color: TaskKind::data");
  if (id >= task_ids(kind))
    refuse(program, fmt::format("{} of {}, which does not exist", what, name_of(kind, id)),
           fmt::format("ids go from 0 to {}", task_ids(kind) - 1), "choose one of these");
}

void check_instruction(const Program& program, const Instruction& i) {
  const std::string what(mnemonic(i.op));
  const isa::FormatInfo& format = isa::info(isa::format_of(i.op));
  const auto check_known = [&](const char* kind, std::int32_t number, std::size_t known) {
    if (number < 0 || static_cast<std::size_t>(number) >= known)
      refuse(program, fmt::format("{} of {} {}, which does not exist", what, kind, number),
             fmt::format("the program has {} of them", known),
             "take what shape() or fifo() of this builder returned");
  };
  if (format.imm == isa::OperandKind::shape) check_known("shape", i.imm, program.shapes.size());
  if (format.a == isa::OperandKind::fifo) check_known("FIFO", i.a, program.fifos.size());
  if (format.a == isa::OperandKind::task_kind)
    return check_task(program, what, i.op == Op::activate, static_cast<TaskKind>(i.a), i.b);
  if (format.imm != isa::OperandKind::options) return;
  if (const std::int32_t task = i.imm >> 5; task < 0 || task >= kControlTasks)
    refuse(program, fmt::format("{} names task {}, which does not exist", what, task),
           fmt::format("ids go from 0 to {}", kControlTasks - 1), "choose one of these");
  const VectorOptions options = VectorOptions::unpack(i.imm);
  if (options.at_end == VectorOptions::AtEnd::nothing) return;
  if (!options.async)
    refuse(program, what + " has an action at its end, but the core waits for it",
           "only async instructions have one",
           "set VectorOptions::async, or write the action after it");
  check_task(program, what, options.at_end == VectorOptions::AtEnd::activate, options.task_kind,
             options.task_id);
}

}  // namespace

void check_operands(const std::string& where, Op op, int d, int a, int b) {
  const isa::FormatInfo& format = isa::info(isa::format_of(op));
  const int most[] = {isa::info(format.d).most, isa::info(format.a).most, isa::info(format.b).most};
  if (d < 0 || d > most[0] || a < 0 || a > most[1] || b < 0 || b > most[2])
    throw Error(ErrorCategory::program,
                fmt::format("{} ({}) has an operand out of range", where, mnemonic(op)),
                fmt::format("operands {}, {}, {} may be at most {}, {}, {}", d, a, b, most[0],
                            most[1], most[2]),
                "registers and descriptors go from 0 to 15, colors to 23, input queues to 7, "
                "output queues to 5");
}

ProgramBuilder::ProgramBuilder(std::string name) {
  program_.name = std::move(name);
  program_.data_entry.fill(Program::kUnbound);
  program_.local_entry.fill(Program::kUnbound);
  program_.control_entry.fill(Program::kUnbound);
}

MemorySpan ProgramBuilder::reserve(const std::string& symbol, std::uint64_t bytes, ElementType type,
                                   const std::vector<int>& extents) {
  const std::uint32_t address = program_.memory_bytes;
  if (bytes > kMostMemoryBytes || address + bytes > kMostMemoryBytes)
    refuse(program_, fmt::format("no room for {} ({} bytes)", symbol, bytes),
           fmt::format("{}, and {} bytes are taken", memory_text(), address),
           "reserve less, or spread it over more PEs");
  MemorySpan span{address, static_cast<std::uint32_t>(bytes), type, extents};
  if (!program_.symbols.emplace(symbol, span).second)
    refuse(program_, fmt::format("{} is reserved twice", symbol), "names are unique",
           "choose another name");
  program_.memory_bytes = (address + span.bytes + 3) & ~3U;
  return span;
}

ShapeId ProgramBuilder::shape(std::initializer_list<Dimension> dimensions) {
  constexpr std::size_t kMostShapes = 256, kMostElements = 0xffff;
  std::size_t elements = 1;
  for (const Dimension& d : dimensions) elements = std::min(elements * d.extent, kMostElements + 1);
  if (dimensions.size() == 0 || dimensions.size() > kDimensions || elements == 0 ||
      elements > kMostElements)
    refuse(
        program_, fmt::format("invalid shape: {} dimensions", dimensions.size()),
        fmt::format("it has 1 to {} dimensions and 1 to {} elements", kDimensions, kMostElements),
        "split the array");
  if (program_.shapes.size() == kMostShapes)
    refuse(program_, "too many shapes", fmt::format("a program has at most {}", kMostShapes),
           "use those that are there again");
  Shape shape;
  std::copy_backward(dimensions.begin(), dimensions.end(), shape.end());
  program_.shapes.push_back(shape);
  return {static_cast<std::uint8_t>(program_.shapes.size() - 1)};
}

FifoId ProgramBuilder::fifo(const std::string& symbol, std::uint32_t capacity, std::uint32_t bytes,
                            std::optional<Task> after_push, std::optional<Task> after_pop) {
  if (program_.fifos.size() == kFifos)
    refuse(program_, fmt::format("no FIFO is left for {}", symbol),
           fmt::format("a program has at most {}", kFifos), "use one of them for both");
  if (capacity < 1 || capacity > kMostMemoryBytes || (bytes != 2 && bytes != 4))
    refuse(program_,
           fmt::format("invalid FIFO {}: {} elements of {} bytes", symbol, capacity, bytes),
           "a FIFO has one element or more, of 2 or 4 bytes", "change its size");
  const auto task = [&](const std::optional<Task>& wish) {
    if (!wish) return -1;
    check_task(program_, symbol, true, wish->kind, wish->id);
    return static_cast<int>(wish->id);
  };
  Fifo fifo{0, capacity, bytes, task(after_push), task(after_pop)};
  fifo.address = reserve(symbol, std::uint64_t{capacity} * bytes).address;
  program_.fifos.push_back(fifo);
  return {static_cast<std::uint8_t>(program_.fifos.size() - 1)};
}

Label ProgramBuilder::label() {
  label_at_.push_back(-1);
  return {static_cast<int>(label_at_.size()) - 1};
}

void ProgramBuilder::place(Label label) {
  if (label.index < 0 || static_cast<std::size_t>(label.index) >= label_at_.size() ||
      label_at_[static_cast<std::size_t>(label.index)] >= 0)
    refuse(program_, fmt::format("invalid label: {}", label.index),
           "it is unknown or was placed before", "place each label() once");
  label_at_[static_cast<std::size_t>(label.index)] = instructions();
}

Task ProgramBuilder::bind(TaskKind kind, int id, std::int32_t* entries) {
  if (!program_.code.empty() && !ends_task(program_.code.back().op))
    refuse(program_,
           fmt::format("{} runs into the next one", name_of(last_task_.kind, last_task_.id)),
           "its last instruction is no end, jump or ret", "finish it with end()");
  if (id < 0 || id >= task_ids(kind))
    refuse(program_, fmt::format("{} does not exist", name_of(kind, id)),
           fmt::format("ids go from 0 to {}", task_ids(kind) - 1), "choose one of these");
  if (entries[id] != Program::kUnbound)
    refuse(program_, fmt::format("{} is bound twice", name_of(kind, id)), "an id starts one task",
           "use another id");
  entries[id] = instructions();
  last_task_ = {kind, static_cast<std::uint8_t>(id)};
  return last_task_;
}

Task ProgramBuilder::local_task(int id, TaskPriority priority) {
  const Task task = bind(TaskKind::local, id, program_.local_entry.data());
  if (priority == TaskPriority::high) program_.high_local |= 1U << id;
  return task;
}

Task ProgramBuilder::data_task(int color, TaskPriority priority) {
  const Task task = bind(TaskKind::data, color, program_.data_entry.data());
  if (priority == TaskPriority::high) program_.high_data |= 1U << color;
  return task;
}

Task ProgramBuilder::control_task(int id, TaskPriority priority) {
  if (id == kNoEntry)
    refuse(program_, fmt::format("invalid control task: {}", id),
           "this entry point means that no task starts", "use another id");
  const Task task = bind(TaskKind::control, id, program_.control_entry.data());
  if (priority == TaskPriority::high) program_.high_control |= std::uint64_t{1} << id;
  return task;
}

void ProgramBuilder::phase(const std::string& name) {
  std::vector<std::string>& names = program_.notes.phase_names;
  const auto known = std::ranges::find(names, name);
  const auto number = static_cast<int>(known - names.begin());
  if (known == names.end()) names.push_back(name);
  mark_phase(number);
}

void ProgramBuilder::no_phase() { mark_phase(ProgramNotes::PhaseMark::kNone); }
void ProgramBuilder::shared_by_phases() { mark_phase(ProgramNotes::PhaseMark::kShared); }

void ProgramBuilder::mark_phase(int phase) {
  std::vector<ProgramNotes::PhaseMark>& marks = program_.notes.phases;
  if (phase == (marks.empty() ? ProgramNotes::PhaseMark::kNone : marks.back().phase)) return;
  if (!marks.empty() && marks.back().first == instructions())
    marks.back().phase = phase;
  else
    marks.push_back({instructions(), phase});
}

void ProgramBuilder::start(Task task) {
  check_task(program_, "start", true, task.kind, task.id);
  program_.started_local |= 1U << task.id;
}

void ProgramBuilder::start_blocked(Task task) {
  check_task(program_, "start_blocked", true, task.kind, task.id);
  program_.blocked_local |= 1U << task.id;
}

void ProgramBuilder::start_unblocked(int color) {
  check_task(program_, "start_unblocked", false, TaskKind::data, color < 0 ? kColors : color);
  program_.unblocked_colors |= 1U << color;
}

void ProgramBuilder::put(Op op, int d, int a, int b, std::int32_t imm) {
  check_operands(fmt::format("program {}: instruction {}", program_.name, instructions()), op, d, a,
                 b);
  const Instruction instruction{op, static_cast<std::uint8_t>(d), static_cast<std::uint8_t>(a),
                                static_cast<std::uint8_t>(b), imm};
  check_instruction(program_, instruction);
  program_.code.push_back(instruction);
}

Program ProgramBuilder::build() {
  Program built = program_;
  for (Instruction& i : built.code) {
    if (!isa::goes_to_target(i.op)) continue;
    const bool known = i.imm >= 0 && static_cast<std::size_t>(i.imm) < label_at_.size();
    const std::int32_t target = known ? label_at_[static_cast<std::size_t>(i.imm)] : -1;
    if (target < 0 || target >= instructions())
      refuse(program_,
             fmt::format("a {} goes to label {}, which leads nowhere", mnemonic(i.op), i.imm),
             "it was not placed before an instruction", "place it");
    i.imm = target;
  }
  if (built.code.empty() || !ends_task(built.code.back().op))
    refuse(program_, "the code runs off its end", "the last instruction is no end, jump or ret",
           "finish the last task with end()");
  built.memory_bytes += static_cast<std::uint32_t>(built.code.size() * sizeof(Instruction));
  return built;
}

std::uint32_t ControlWavelet::payload() const {
  if (entry < 0 || entry >= kControlTasks)
    throw Error(ErrorCategory::usage, fmt::format("a control wavelet has no entry {}", entry),
                fmt::format("entries go from 0 to {}", kControlTasks - 1),
                fmt::format("choose one of these; {} starts no task", kNoEntry));
  std::uint32_t bits = static_cast<std::uint32_t>(entry) << 16U;
  for (int i = 0; i < isa::kSlots; ++i) {
    const Slot& slot = slots[static_cast<std::size_t>(i)];
    if (slot.command > Command::teardown)
      throw Error(
          ErrorCategory::usage,
          fmt::format("a control wavelet has no command {}", static_cast<int>(slot.command)),
          "commands are nop, advance, reset and teardown", "use one of these");
    bits = isa::with_slot(bits, i, static_cast<std::uint32_t>(slot.command), slot.no_core);
  }
  return bits;
}

}  // namespace weft::inline v0
