#include "program/overlaps.hpp"

#include <map>
#include <optional>

#include "isa/info.hpp"

namespace weft::inline v0 {
namespace {

/// A vector instruction with a stream.
struct Stream {
  std::size_t use;  ///< whose microthread it takes: that of its output, else of its first input
  VectorOptions options;
};

std::optional<Stream> stream_of(const Item& item, const std::vector<DescriptorValue>& values) {
  for (const int n : item.value) {
    if (n < 0) continue;
    const DescriptorValue& value = values[static_cast<std::size_t>(n)];
    const bool input = value.kind == DescriptorValue::Kind::input;
    if (input || value.kind == DescriptorValue::Kind::output)
      return Stream{number_of({input, value.color}), VectorOptions::unpack(item.instruction.imm)};
  }
  return {};
}

/// A local task of a wait's chain, or one with a number.
int task_of(const Item& item, int number) {
  return item.join >= 0 ? kLocalTasks + item.join : number;
}

/// How a local task comes to run.
struct Starts {
  QueueUses activating, unblocking;  ///< operations that do so at their end
  int activations = 0;               ///< in the program: by these, by instructions, by FIFOs

  /// Operations that have ended when the task begins: not one of several that activate it.
  QueueUses ended() const { return unblocking | (activations == 1 ? activating : QueueUses{}); }
};

/// Follows through the program which operations may be running. What is known only grows, until
/// nothing changes any more.
class Following {
 public:
  Following(const std::vector<DescriptorValue>& values, const std::vector<Section>& sections,
            const std::vector<Wait>& waits, const std::vector<Task>& of_fifos)
      : sections_(sections),
        waits_(waits),
        found_{Overlaps(QueueUses{}.size()), {}, Overlaps(QueueUses{}.size())},
        beside_(QueueUses{}.size()) {
    for (const Task task : of_fifos) ++starts_[task.id].activations;
    for (const Section& section : sections) {
      Known& known = known_.emplace_back();
      known.before.resize(section.size() + 1);
      for (std::size_t i = 0; i < section.size(); ++i) {
        known.streams.push_back(stream_of(section[i], values));
        if (section[i].kind == Item::Kind::subroutine)
          section_of_[section[i].wait] = known_.size() - 1;
        known.waits |= section[i].kind == Item::Kind::wait || section[i].kind == Item::Kind::pause;
        if (known.streams.back()) known.issued.set(known.streams.back()->use);
        if (section[i].kind == Item::Kind::label) known.label[section[i].label.index] = i;
        note_starts(section[i], known.streams.back());
      }
    }
  }

  ProgramOverlaps run() {
    follow_all();
    found_.in_task = found_.any;
    across_tasks_ = true;
    follow_all();
    return found_;
  }

 private:
  /// Of a section.
  struct Known {
    std::vector<std::optional<Stream>> streams;  ///< by item
    std::map<int, std::size_t> label;            ///< its item, by index
    std::vector<QueueUses> before;               ///< that run: by item, and at the section's end
    QueueUses left;                              ///< that run when the core becomes free
    QueueUses issued;                            ///< of its own, and of subroutines that it calls
    QueueUses at_return;                         ///< of a subroutine: that run at its end
    bool waits = false;
  };

  void note_starts(const Item& item, const std::optional<Stream>& stream) {
    using AtEnd = VectorOptions::AtEnd;
    if (item.kind != Item::Kind::instruction) return;
    if (item.instruction.op == Op::activate)
      ++starts_[task_of(item, item.instruction.b)].activations;
    if (isa::info(isa::format_of(item.instruction.op)).imm != isa::OperandKind::options) return;
    const VectorOptions options = VectorOptions::unpack(item.instruction.imm);
    if (!options.async || options.task_kind != TaskKind::local) return;
    Starts& starts = starts_[task_of(item, options.task_id)];
    if (options.at_end == AtEnd::activate) ++starts.activations;
    if (!stream) return;  // by numbers of the user's
    if (options.at_end == AtEnd::activate) starts.activating.set(stream->use);
    // Tasks of waits begin blocked; others may not.
    if (options.at_end == AtEnd::unblock && item.join >= 0) starts.unblocking.set(stream->use);
  }

  void follow_all() {
    do {
      changed_ = false;
      for (std::size_t s = 0; s < sections_.size(); ++s) follow(s);
    } while (changed_);
  }

  void grow(QueueUses& known, QueueUses by) {
    changed_ |= (by & ~known).any();
    known |= by;
  }

  void follow(std::size_t s) {
    const Section& section = sections_[s];
    Known& known = known_[s];
    const bool is_task = s > 0 && section[0].kind == Item::Kind::task;
    if (across_tasks_ && is_task) grow(known.before[0], at_begin(section[0].task));
    for (std::size_t i = 0; i < section.size(); ++i) {
      const Item& item = section[i];
      QueueUses running = known.before[i];
      if (known.streams[i]) issue(*known.streams[i], running);
      if (item.kind == Item::Kind::wait) wait(s, item.wait, running);
      if (item.kind == Item::Kind::pause) others_run(s, running);
      if (calls_subroutine(item)) call(s, item.wait, running);
      if (item.kind == Item::Kind::instruction && goes_away(s, i, running)) continue;
      grow(known.before[i + 1], running);
    }
    if (s == 0) grow(known.left, known.before.back());  // the main task's end is not written yet
  }

  void issue(const Stream& stream, QueueUses& running) {
    QueueUses others = running;
    others.reset(stream.use);
    grow(found_.any[stream.use], others);
    if (!stream.options.async) return;
    if (!across_tasks_) grow(found_.sure[stream.use], others);
    running.set(stream.use);
    for (std::size_t use = 0; use < running.size(); ++use)
      if (running.test(use)) grow(beside_[use], running);
  }

  /// Code goes on below a wait. While it waited, other tasks may have issued operations.
  void wait(std::size_t s, int number, QueueUses& running) {
    const Wait& wait = waits_[static_cast<std::size_t>(number)];
    for (int k = 0; k < wait.tasks; ++k) {
      const auto at = starts_.find(kLocalTasks + wait.join + k);
      others_run(s, running, at != starts_.end() ? at->second.ended() : QueueUses{});
    }
  }

  /// A task ends, and goes on below when some operations have ended.
  void others_run(std::size_t s, QueueUses& running, QueueUses ended = {}) {
    grow(known_[s].left, running);
    running &= ~ended;
    if (!across_tasks_) return;
    for (std::size_t other = 0; other < sections_.size(); ++other)
      if (other != s) running |= known_[other].left;
  }

  static bool calls_subroutine(const Item& item) {
    return item.kind == Item::Kind::instruction && item.instruction.op == Op::call &&
           item.wait >= 0;
  }

  /// All that runs at a call may run in the subroutine. Behind the call, the subroutine tells which
  /// of its own operations run; the others are those of this caller.
  void call(std::size_t s, int subroutine, QueueUses& running) {
    const std::size_t called = section_of_.at(subroutine);
    Known& known = known_[called];
    grow(known.before[0], running);
    grow(known_[s].issued, known.issued);
    running = (running & ~known.issued) | (known.at_return & known.issued);
    if (across_tasks_ && known.waits) running |= known.at_return;
    known_[s].waits |= known.waits;
  }

  /// Operations that may run when a task begins.
  QueueUses at_begin(Task task) const {
    QueueUses all;
    for (const Known& known : known_) all |= known.left;
    const auto at = task.kind == TaskKind::local ? starts_.find(task.id) : starts_.end();
    if (at == starts_.end()) return all;
    const Starts& starts = at->second;
    if (starts.activations != 1 || starts.activating.none()) return all & ~starts.unblocking;
    for (std::size_t use = 0; use < starts.activating.size(); ++use)
      if (starts.activating.test(use)) all = beside_[use];
    return all & ~starts.ended();
  }

  /// Passes what is running on to a branch's target; whether the next item does not follow.
  bool goes_away(std::size_t s, std::size_t i, QueueUses running) {
    const Instruction& instruction = sections_[s][i].instruction;
    Known& known = known_[s];
    if (isa::goes_to_target(instruction.op))
      if (const auto at = known.label.find(instruction.imm); at != known.label.end())
        grow(known.before[at->second], running);
    if (instruction.op == Op::ret) grow(known.at_return, running);
    if (instruction.op != Op::end) return instruction.op == Op::jump || instruction.op == Op::ret;
    grow(known.left, running);
    return true;
  }

  const std::vector<Section>& sections_;
  const std::vector<Wait>& waits_;
  std::map<int, Starts> starts_;           ///< by local task
  std::vector<Known> known_;               ///< by section
  std::map<int, std::size_t> section_of_;  ///< by subroutine
  ProgramOverlaps found_;
  Overlaps beside_;  ///< by use: all that may run at some time while it does
  bool across_tasks_ = false, changed_ = false;
};

}  // namespace

ProgramOverlaps overlaps_of(const std::vector<DescriptorValue>& values,
                            const std::vector<Section>& sections, const std::vector<Wait>& waits,
                            const std::vector<Task>& of_fifos) {
  return Following(values, sections, waits, of_fifos).run();
}

}  // namespace weft::inline v0
