#include <fmt/format.h>

#include "program/descriptors.hpp"
#include "program/pe_impl.hpp"
#include "program/queues.hpp"
#include "program/wait_code.hpp"
#include "weft/error.hpp"
#include "weft/pe_program.hpp"

/// From what a PeProgram has recorded to a Program. Descriptors are set once, at the start of the
/// main task; those that values share, before each use, as far as the value is not there already.
namespace weft::inline v0 {
namespace {

class Assembly {
 public:
  Assembly(ProgramBuilder builder, const std::vector<DescriptorValue>& values,
           DescriptorChoice choice, QueueChoice queues, WaitCode waits)
      : builder_(std::move(builder)),
        values_(values),
        queues_(std::move(queues)),
        choice_(std::move(choice)),
        holds_(choice_.common),
        waits_(std::move(waits)) {}

  void finish() { waits_.finish(builder_); }

  ProgramBuilder& builder() { return builder_; }

  /// Sets all that is set once.
  void set_up() {
    std::vector<bool> done(kDescriptors);
    // First the values with a length, as others may share their descriptors.
    for (const bool with_length : {true, false})
      for (std::size_t i = 0; i < values_.size(); ++i) {
        const int d = choice_.own[i];
        if (d < 0 || (values_[i].length >= 0) != with_length || done[static_cast<std::size_t>(d)])
          continue;
        done[static_cast<std::size_t>(d)] = true;
        const DescriptorValue fresh{};  // stride 0
        set(d, values_[i], &fresh);
      }
    for (std::size_t n = 0; n < kDescriptors; ++n) {
      const Dsr d{static_cast<std::uint8_t>(n)};
      if (!choice_.common[n]) continue;
      if (choice_.common[n]->stride != 0) builder_.dstride(d, choice_.common[n]->stride);
      if (choice_.common[n]->length >= 0) builder_.dlen(d, choice_.common[n]->length);
    }
  }

  void write(const Item& item) {
    switch (item.kind) {
      case Item::Kind::label:
        holds_ = choice_.common;
        return builder_.place(item.label);
      case Item::Kind::task:
        holds_ = choice_.common;
        return bind(item.task);
      case Item::Kind::wait:
        holds_ = choice_.common;
        return waits_.write(builder_, item.wait);
      default:
        return write_instruction(item);
    }
  }

 private:
  void bind(Task task) {
    if (task.kind == TaskKind::local) builder_.local_task(task.id);
    if (task.kind == TaskKind::data) builder_.data_task(task.id);
    if (task.kind == TaskKind::control) builder_.control_task(task.id);
  }

  /// `before`: what the descriptor holds, if that is known.
  void set(int number, const DescriptorValue& value, const DescriptorValue* before) {
    using Kind = DescriptorValue::Kind;
    const Dsr d{static_cast<std::uint8_t>(number)};
    switch (value.kind) {
      case Kind::input:
        builder_.dfabin(d, queues_.input.at(value.color));
        break;
      case Kind::output:
        return builder_.dfabout(d, queues_.output.at(value.color), value.color, value.control);
      case Kind::shaped:
        if (value.moved >= 0) return;  // set at each use
        builder_.dbase(d, static_cast<int>(value.base));
        return builder_.dshape(d, shape_of(value.shape));
      case Kind::memory:
        if (value.moved < 0) builder_.dbase(d, static_cast<int>(value.base));
        if (before == nullptr || before->kind != Kind::memory || before->stride != value.stride)
          builder_.dstride(d, value.stride);
    }
    const bool known = before != nullptr && before->kind != Kind::shaped;
    if (value.length >= 0 && !(known && before->length == value.length))
      builder_.dlen(d, value.length);
  }

  /// Sets a descriptor that values share.
  void set_shared(int number, const DescriptorValue& value) {
    std::optional<DescriptorValue>& holds = holds_[static_cast<std::size_t>(number)];
    if (holds != value) set(number, value, holds ? &*holds : nullptr);
    const int length = holds && value.length < 0 && value.kind != DescriptorValue::Kind::shaped
                           ? holds->length
                           : value.length;
    holds = value;
    holds->length = length;
  }

  static void name_task(Instruction& i, std::uint8_t id) {
    if (i.op == Op::unblock) {
      i.b = id;
      return;
    }
    VectorOptions options = VectorOptions::unpack(i.imm);
    options.task_id = id;
    i.imm = options.pack();
  }

  ShapeId shape_of(const std::vector<std::pair<int, int>>& shape) {
    if (const auto at = shapes_.find(shape); at != shapes_.end()) return at->second;
    std::vector<Dimension> d;
    d.reserve(shape.size());
    for (const auto& [extent, stride] : shape)
      d.push_back({static_cast<std::uint16_t>(extent), static_cast<std::int16_t>(stride)});
    const ShapeId id = d.size() == 2   ? builder_.shape({d[0], d[1]})
                       : d.size() == 3 ? builder_.shape({d[0], d[1], d[2]})
                                       : builder_.shape({d[0], d[1], d[2], d[3]});
    return shapes_.emplace(shape, id).first->second;
  }

  void write_instruction(const Item& item) {
    Instruction i = item.instruction;
    if (item.join >= 0) name_task(i, static_cast<std::uint8_t>(waits_.id(item.join)));
    std::uint8_t* fields[] = {&i.d, &i.a, &i.b};
    for (std::size_t k = 0; k < 3; ++k) {
      if (item.value[k] < 0) continue;
      const DescriptorValue& value = values_[static_cast<std::size_t>(item.value[k])];
      int number = choice_.own[static_cast<std::size_t>(item.value[k])];
      if (number < 0) {
        number = choice_.shared[static_cast<std::size_t>(item.value[k])][k];
        set_shared(number, value);
      }
      if (value.moved >= 0) {
        const Dsr d{static_cast<std::uint8_t>(number)};
        builder_.dbaser(d, item.offset[k]->reg, static_cast<std::int32_t>(item.base[k]));
        if (value.kind == DescriptorValue::Kind::shaped) builder_.dshape(d, shape_of(value.shape));
      }
      *fields[k] = static_cast<std::uint8_t>(number);
    }
    builder_.instruction(i);
  }

  ProgramBuilder builder_;
  const std::vector<DescriptorValue>& values_;
  QueueChoice queues_;
  DescriptorChoice choice_;
  /// The values of shared descriptors at this point of the program, as far as they are known.
  std::array<std::optional<DescriptorValue>, kDescriptors> holds_;
  std::map<std::vector<std::pair<int, int>>, ShapeId> shapes_;
  WaitCode waits_;
};

}  // namespace

QueueChoice PeProgram::Impl::final_queues() const {
  const ChosenQueues chosen = choose_queues(by_number, sections, all_waits, queues, of_user);
  if (chosen.clash) {
    const auto text = [&](QueueUse use) {
      return fmt::format("{} {}", use.input ? "what comes by" : "what goes out by",
                         name_of({use.color}));
    };
    refuse(fmt::format("{} and {} cannot run at the same time", text(chosen.clash->running),
                       text(chosen.clash->issued)),
           "queue n from the router and queue n to it share microthread n, and a core has too few "
           "for all operations that may run at the same time",
           "wait for some of them before it issues the next ones");
  }
  return chosen.queues;
}

ProgramNames PeProgram::Impl::names() const {
  ProgramNames names{final_queues(), {}, {}};
  const auto note = [](const Allotment& numbers, int count, std::map<int, std::string>& owners) {
    for (int n = 0; n < count; ++n)
      if (!numbers.is_free(n)) owners[n] = numbers.owner(n);
  };
  note(registers, kRegisters, names.registers);
  note(local_tasks, kLocalTasks, names.local_tasks);
  const WaitTasks tasks = final_wait_tasks();
  if (tasks.groups.empty()) return names;
  for (const int task : tasks.id) names.local_tasks[task] = "a wait";
  for (const SharedTasks& group : tasks.groups)
    for (const int task : group.ids) names.local_tasks[task] = "waits that share tasks";
  return names;
}

Program PeProgram::build() const {
  const Impl& p = *impl_;
  if (p.block != 0) p.refuse_open_block();
  DescriptorChoice choice = choose_descriptors(p.by_number, p.sections, p.own_descriptors);
  if (choice.own.size() != p.by_number.size())
    p.refuse("no descriptors are left", "the program uses more than 13 of the 16 by number",
             "use vectors without numbers");
  Assembly assembly(p.builder, p.by_number, std::move(choice), p.final_queues(),
                    WaitCode(p.all_waits, p.final_wait_tasks(), p.registers));
  ProgramBuilder& b = assembly.builder();
  b.start(b.local_task(0));
  for (const auto& [bits, s] : p.constants) b.li(s, static_cast<std::int32_t>(bits));
  if (p.x) b.xcoord(*p.x);
  if (p.y) b.ycoord(*p.y);
  assembly.set_up();
  for (std::size_t section = 0; section < p.sections.size(); ++section) {
    for (const Item& item : p.sections[section]) assembly.write(item);
    const bool ended = !p.sections[0].empty() &&
                       p.sections[0].back().kind == Item::Kind::instruction &&
                       p.sections[0].back().instruction.op == Op::end;
    if (section == 0 && !ended) b.end();
  }
  assembly.finish();
  Program program = b.build();
  program.task_names = p.task_names;
  return program;
}

}  // namespace weft::inline v0
