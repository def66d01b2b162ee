#include "weft/pe_program.hpp"

#include <fmt/format.h>

#include <atomic>
#include <utility>

#include "isa/info.hpp"
#include "program/extents.hpp"
#include "program/operands.hpp"
#include "program/pe_impl.hpp"
#include "program/queues.hpp"
#include "weft/error.hpp"

namespace weft::inline v0 {
namespace {

std::uint64_t next_id() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

}  // namespace

PeProgram::Impl::Impl(const std::string& name_)
    : id(next_id()),
      name("program " + name_),
      builder(name_),
      registers(name),
      local_tasks(name, "local task", kLocalTasks),
      input_queues(name, "input queue", kInputQueues),
      output_queues(name, "output queue", kOutputQueues),
      microthread_taken(kInputQueues) {
  local_tasks.claim(0, "the main task");
}

void PeProgram::Impl::refuse(const std::string& what, const std::string& why,
                             const std::string& remedy) const {
  throw Error(ErrorCategory::program, fmt::format("{}: {}", name, what), why, remedy);
}

void PeProgram::Impl::refuse_open_block() const {
  refuse("a loop or a condition has no end", "it was opened, and not closed", "close it");
}

Item& PeProgram::Impl::put(Item item, const std::string& what) {
  if (item.kind == Item::Kind::instruction)
    item.note = note(!what.empty()     ? what
                     : !saying.empty() ? saying
                                       : instruction_text(item.instruction));
  if (item.kind == Item::Kind::wait) item.note = note("wait");
  item.depth = at.depth;
  item.block = at.block;
  item.waits_before = at.waits;
  item.phase = at.phase < 0 && at.subroutine >= 0 ? ProgramNotes::PhaseMark::kShared : at.phase;
  return section().emplace_back(item);
}

void PeProgram::Impl::put_label(Label label) { put({.kind = Item::Kind::label, .label = label}); }

PeScalar PeProgram::Impl::scratch() {
  if (!scratch_register)
    scratch_register = {new_register("what lasts one instruction"), ElementType::i32};
  return *scratch_register;
}

void PeProgram::Impl::forget_what_only_writing_needs() {
  for (Section& section : sections) section.shrink_to_fit();
  by_number.shrink_to_fit();
  notes.operations.shrink_to_fit();
  values.clear();
  scoped.clear();
  leaves = {};
  started.clear();
  free_counters.clear();
  back_at_level.clear();
  data_task_notes.clear();
  line = {};
}

int PeProgram::Impl::value_number(const DescriptorValue& value) {
  const auto [known, is_new] = values.emplace(value, static_cast<int>(by_number.size()));
  if (is_new) by_number.push_back(value);
  return known->second;
}

int PeProgram::Impl::move_number(const PeVector& v, const std::optional<PeScalar>& count) {
  if (!v.offset() && !v.stride() && !count) return -1;
  moves.push_back({v.address(), v.offset(), v.stride(), count});
  return static_cast<int>(moves.size()) - 1;
}

std::string PeProgram::Impl::name_of(Color color) const {
  const bool named = questions != nullptr && !questions->colors->is_free(color);
  return named ? fmt::format("color {} ({})", color.number, questions->colors->owner(color))
               : fmt::format("color {}", color.number);
}

void PeProgram::Impl::check_color(Color color) const {
  if (color < 0 || color >= kColors)
    refuse(fmt::format("there is no color {}", color.number), "colors go from 0 to 23",
           "choose one of these");
}

void PeProgram::Impl::take_queue(Color color, bool input) {
  std::map<int, int>& known = input ? queues.input : queues.output;
  if (known.contains(color)) return;
  check_color(color);
  // First those with a microthread of their own: others can only be used in turn.
  std::vector<int> order;
  const auto offer = [&](const auto& numbers, bool taken) {
    for (const int queue : numbers)
      if (microthread_taken[static_cast<std::size_t>(queue)] == taken) order.push_back(queue);
  };
  for (const bool taken : {false, true})
    input ? offer(kInputOrder, taken) : offer(kOutputOrder, taken);
  const int queue = (input ? input_queues : output_queues).next(order, name_of(color));
  microthread_taken[static_cast<std::size_t>(queue)] = true;
  known[color] = queue;
}

void PeProgram::Impl::claim_queue(Color color, bool input, int queue) {
  std::map<int, int>& known = input ? queues.input : queues.output;
  const char* kind = input ? "input" : "output";
  check_color(color);
  if (known.contains(color))
    refuse(fmt::format("invalid {} queue of {}: {}", kind, name_of(color), queue),
           fmt::format("it has {} queue {} already", kind, known[color]),
           "say so before the color is used, once");
  if (queue < 0 || queue >= (input ? kInputQueues : kOutputQueues))
    refuse(fmt::format("there is no {} queue {}", kind, queue),
           fmt::format("they go from 0 to {}", (input ? kInputQueues : kOutputQueues) - 1),
           "choose one of these");
  // Two colors may take one queue in turn, if the user says so.
  Allotment& owners = input ? input_queues : output_queues;
  if (owners.is_free(queue)) owners.claim(queue, name_of(color));
  microthread_taken[static_cast<std::size_t>(queue)] = true;
  known[color] = queue;
  of_user.insert({input, color});
}

PeProgram::PeProgram(const std::string& name) : impl_(std::make_unique<Impl>(name)) {
  set_call_line();  // lines of other programs do not count
}
PeProgram::~PeProgram() = default;
PeProgram::PeProgram(PeProgram&&) noexcept = default;
PeProgram& PeProgram::operator=(PeProgram&&) noexcept = default;

void PeProgram::put(Op op, int d, int a, int b, std::int32_t imm) {
  check_operands(impl_->name + ": an instruction", op, d, a, b);
  const isa::FormatInfo& format = isa::info(isa::format_of(op));
  const std::pair<isa::OperandKind, int> operands[] = {{format.d, d}, {format.a, a}, {format.b, b}};
  for (const auto& [kind, number] : operands) {
    if (kind == isa::OperandKind::dsr) impl_->own_descriptors.insert(number);
    // A register that nobody has is the user's; one that has an owner stands for its PeScalar.
    const bool is_register = isa::info(kind).type == "Reg" && number >= 0 && number < kRegisters;
    if (!is_register) continue;
    if (const std::string* name = impl_->registers.given_back(number))
      impl_->refuse(fmt::format("register {} ({}) is used after its scope", number, *name),
                    "the scope has given it back", "declare it before the scope, or use it inside");
    if (impl_->registers.is_free(number)) impl_->registers.claim(number, kUsedByNumber);
  }
  const auto byte = [](int field) { return static_cast<std::uint8_t>(field); };
  impl_->put(Instruction{op, byte(d), byte(a), byte(b), imm});
}

bool PeProgram::has_neighbor(Port side) {
  if (side == Port::ramp)
    impl_->refuse("no neighbour is beyond the ramp", "the ramp leads to the PE's own core",
                  "ask for one of the four sides");
  const Questions* q = impl_->questions;
  const int width = q != nullptr ? q->width : 0, height = q != nullptr ? q->height : 0;
  return where([side, width, height](int x, int y) {
    switch (side) {
      case Port::west:
        return x > 0;
      case Port::east:
        return x + 1 < width;
      case Port::north:
        return y > 0;
      default:
        return y + 1 < height;
    }
  });
}

bool PeProgram::where(const std::function<bool(int, int)>& property) {
  return pick([property](int x, int y) { return property(x, y) ? 1 : 0; }) != 0;
}

int PeProgram::pick(const std::function<int(int, int)>& number) {
  if (impl_->questions == nullptr)
    impl_->refuse("a program asks where its PE is",
                  "it is not written by a function of Design::program",
                  "write it in a function for Design::program");
  return impl_->questions->pick(number);
}

PeVector PeProgram::array(const std::string& name, ElementType type,
                          const std::vector<int>& extents) {
  const MemorySpan span =
      impl_->builder.reserve(name, bytes_of_array(name, type, extents), type, extents);
  impl_->arrays[name] = span;
  PeVector v = PeVector::in_memory(name, type, span.address, extents);
  v.program_ = impl_->id;
  return v;
}

void PeProgram::check_owner(const PeVector& v) const {
  if (v.program_ != 0 && v.program_ != impl_->id)
    impl_->refuse(fmt::format("{} is not in its memory", v.name()), "another program declares it",
                  "declare it in each program that uses it");
}

PeFifo PeProgram::fifo(const std::string& name, std::uint32_t capacity, std::uint32_t bytes,
                       std::optional<Task> after_push, std::optional<Task> after_pop) {
  PeFifo fifo(name, impl_->builder.fifo(name, capacity, bytes, after_push, after_pop));
  fifo.program_ = impl_->id;
  for (const std::optional<Task>& task : {after_push, after_pop})
    if (task) impl_->fifo_tasks.push_back(*task);
  impl_->fifo_bytes.push_back(bytes);
  return fifo;
}

void PeProgram::at_start(const PeVector& symbol,
                         std::function<std::vector<PeValue>(int x, int y)> values) {
  check_owner(symbol);
  impl_->at_start.push_back({symbol, std::move(values)});
}

PeScalar PeProgram::scalar(const std::string& name, ElementType type, std::optional<Reg> number) {
  if (number) {
    impl_->registers.claim(number->index, name);
    return {*number, type};
  }
  return impl_->new_scalar(name, type);
}

PeScalar PeProgram::constant(PeValue value, ElementType type) {
  return impl_->constant(value.bits(type), type);
}

PeScalar PeProgram::x() {
  if (!impl_->x) impl_->x = scalar_of(impl_->registers.next("the column"), ElementType::i32);
  return *impl_->x;
}

PeScalar PeProgram::y() {
  if (!impl_->y) impl_->y = scalar_of(impl_->registers.next("the row"), ElementType::i32);
  return *impl_->y;
}

void PeProgram::input_queue(Color color, int queue) { impl_->claim_queue(color, true, queue); }
void PeProgram::output_queue(Color color, int queue) { impl_->claim_queue(color, false, queue); }

}  // namespace weft::inline v0
