#include <fmt/format.h>

#include "isa/control.hpp"
#include "weft/error.hpp"
#include "weft/program.hpp"

namespace weft {
namespace {

constexpr std::uint32_t kMaxBytes = 48 * 1024;  // nothing larger fits a PE of any profile

[[noreturn]] void refuse(const Program& program, const std::string& what, const std::string& why,
                         const std::string& remedy) {
  throw Error(Category::program, fmt::format("program {}: {}", program.name, what), why, remedy);
}

bool is_jump(Format f) { return f == Format::jump || f == Format::branch || f == Format::call; }

/// The largest value that each operand field of a format may have; -1: unused.
struct Limits {
  int d, a, b;
};

Limits limits(Format format) {
  constexpr int kReg = kRegisters - 1, kDsr = kDescriptors - 1, kColor = kColors - 1;
  switch (format) {
    case Format::reg_imm:
    case Format::call:
    case Format::ret:
    case Format::place:
    case Format::clock: return {kReg, 0, 0};
    case Format::reg_reg:
    case Format::reg_reg_imm:
    case Format::load:
    case Format::load_half:
    case Format::store:
    case Format::store_half:
    case Format::branch: return {kReg, kReg, 0};
    case Format::load_pair: return {kReg - 1, kReg, 0};
    case Format::reg_reg_reg: return {kReg, kReg, kReg};
    case Format::jump:
    case Format::end: return {0, 0, 0};
    case Format::dsr_imm: return {kDsr, 0, 0};
    case Format::dsr_reg_imm: return {kDsr, kReg, 0};
    case Format::dsr_fabric_in: return {kDsr, kInputQueues - 1, 0};
    case Format::dsr_fabric_out: return {kDsr, kOutputQueues - 1, kColor};
    case Format::vector_vv: return {kDsr, kDsr, kDsr};
    case Format::vector_vr: return {kDsr, kDsr, kReg};
    case Format::vector_v: return {kDsr, kDsr, 0};
    case Format::vector_r: return {kDsr, 0, kReg};
    case Format::task: return {0, 2, kControlTasks - 1};
    case Format::router: return {kReg, kColor, 0};
  }
  return {0, 0, 0};
}

}  // namespace

ProgramBuilder::ProgramBuilder(std::string name) {
  program_.name = std::move(name);
  program_.data_entry.fill(Program::kUnbound);
  program_.local_entry.fill(Program::kUnbound);
  program_.control_entry.fill(Program::kUnbound);
}

Span ProgramBuilder::reserve(const std::string& symbol, std::uint32_t bytes) {
  const std::uint32_t address = program_.memory_bytes;
  if (bytes > kMaxBytes || address + bytes > kMaxBytes)
    refuse(program_, fmt::format("no room for {} ({} bytes)", symbol, bytes),
           fmt::format("{} of {} bytes are taken", address, kMaxBytes), "reserve less");
  const Span span{address, bytes};
  if (!program_.symbols.emplace(symbol, span).second)
    refuse(program_, fmt::format("{} is reserved twice", symbol), "names are unique",
           "choose another name");
  program_.memory_bytes = (address + bytes + 3) & ~3U;
  return span;
}

Label ProgramBuilder::label() {
  label_at_.push_back(-1);
  return {static_cast<int>(label_at_.size()) - 1};
}

void ProgramBuilder::place(Label label) {
  if (label.index < 0 || static_cast<std::size_t>(label.index) >= label_at_.size() ||
      label_at_[static_cast<std::size_t>(label.index)] >= 0)
    refuse(program_, fmt::format("label {} cannot be placed", label.index),
           "it is unknown or was placed before", "place each label() once");
  label_at_[static_cast<std::size_t>(label.index)] = here();
}

namespace {

template <std::size_t N>
Task bind(Program& program, std::array<std::int32_t, N>& entries, TaskKind kind, int id, std::int32_t here) {
  constexpr const char* kNames[] = {"data", "local", "control"};
  const char* name = kNames[static_cast<int>(kind)];
  if (id < 0 || static_cast<std::size_t>(id) >= N)
    refuse(program, fmt::format("{} task {} does not exist", name, id),
           fmt::format("ids go from 0 to {}", N - 1), "choose one of these");
  std::int32_t& entry = entries[static_cast<std::size_t>(id)];
  if (entry != Program::kUnbound)
    refuse(program, fmt::format("{} task {} is bound twice", name, id), "an id starts one task",
           "use another id");
  entry = here;
  return {kind, static_cast<std::uint8_t>(id)};
}

}  // namespace

Task ProgramBuilder::local_task(int id, Priority priority) {
  const Task task = bind(program_, program_.local_entry, TaskKind::local, id, here());
  if (priority == Priority::high) program_.high_local |= 1U << id;
  return task;
}

Task ProgramBuilder::data_task(int color, Priority priority) {
  const Task task = bind(program_, program_.data_entry, TaskKind::data, color, here());
  if (priority == Priority::high) program_.high_data |= 1U << color;
  return task;
}

Task ProgramBuilder::control_task(int id, Priority priority) {
  if (id == kNoEntry)
    refuse(program_, fmt::format("control task {} cannot be bound", id),
           "this entry point means that no task starts", "use another id");
  const Task task = bind(program_, program_.control_entry, TaskKind::control, id, here());
  if (priority == Priority::high) program_.high_control |= std::uint64_t{1} << id;
  return task;
}

void ProgramBuilder::start(Task task) { program_.started_local |= 1U << task.id; }
void ProgramBuilder::start_blocked(Task task) { program_.blocked_local |= 1U << task.id; }
void ProgramBuilder::start_unblocked(int color) { program_.unblocked_colors |= 1U << color; }

void ProgramBuilder::put(Op op, int d, int a, int b, std::int32_t imm) {
  const Limits most = limits(info(op).format);
  if (d < 0 || d > most.d || a < 0 || a > most.a || b < 0 || b > most.b)
    refuse(program_, fmt::format("instruction {} ({}) has an operand out of range", here(), info(op).name),
           fmt::format("operands {}, {}, {} may be at most {}, {}, {}", d, a, b, most.d, most.a, most.b),
           "registers and descriptors go from 0 to 15, colors to 23, input queues to 7, output queues to 5");
  program_.code.push_back({op, static_cast<std::uint8_t>(d), static_cast<std::uint8_t>(a),
                           static_cast<std::uint8_t>(b), imm});
}

Program ProgramBuilder::build() {
  Program built = program_;
  for (Instruction& i : built.code) {
    if (i.op == Op::activate && static_cast<TaskKind>(i.a) != TaskKind::local)
      refuse(program_, "activate of a data or control task", "wavelets start these",
             "activate a local task");
    if (!is_jump(info(i.op).format)) continue;
    const bool known = i.imm >= 0 && static_cast<std::size_t>(i.imm) < label_at_.size();
    const std::int32_t target = known ? label_at_[static_cast<std::size_t>(i.imm)] : -1;
    if (target < 0 || target >= here())
      refuse(program_, fmt::format("a {} goes to label {}, which leads nowhere", info(i.op).name, i.imm),
             "it was not placed before an instruction", "place it");
    i.imm = target;
  }
  const bool ends = !built.code.empty() && (built.code.back().op == Op::end || built.code.back().op == Op::jump ||
                                            built.code.back().op == Op::ret);
  if (!ends)
    refuse(program_, "the code runs off its end", "the last instruction is no end, jump or ret",
           "finish the last task with end()");
  built.memory_bytes += static_cast<std::uint32_t>(built.code.size() * sizeof(Instruction));
  return built;
}

std::uint32_t ControlWavelet::payload() const noexcept {
  std::uint32_t bits = static_cast<std::uint32_t>(entry) << 16U;
  for (int i = 0; i < isa::kSlots; ++i) {
    const Slot& slot = slots[static_cast<std::size_t>(i)];
    bits = isa::with_slot(bits, i, static_cast<std::uint32_t>(slot.command), slot.no_core);
  }
  return bits;
}

}  // namespace weft
