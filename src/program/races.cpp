#include "program/races.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "isa/info.hpp"

namespace weft::inline v0 {
namespace {

/// Bytes that an operand takes of a PE's memory.
struct Bytes {
  std::vector<std::uint32_t> first{};  ///< of each element, in order
  std::uint32_t each = 0;
  const MemorySpan* moves_in = nullptr;  ///< a register moves them within this array

  /// They do wherever the register moves them.
  bool meet(const Bytes& other) const {
    if (first.empty() || other.first.empty()) return false;
    if (moves_in == nullptr)
      return other.moves_in == nullptr ? meet_here(other) : other.meet(*this);
    if (other.moves_in != nullptr) return false;  // nobody knows
    const std::uint32_t end = first.back() + each;
    for (std::uint32_t to = moves_in->address;
         to + (end - first.front()) <= moves_in->address + moves_in->bytes; to += each) {
      Bytes moved = *this;
      for (std::uint32_t& at : moved.first) at += to - first.front();
      if (!moved.meet_here(other)) return false;
    }
    return true;
  }

 private:
  bool meet_here(const Bytes& other) const {
    if (first.back() + each <= other.first.front() ||
        other.first.back() + other.each <= first.front())
      return false;
    return std::ranges::any_of(first, [&](std::uint32_t at) {
      const auto next = std::ranges::lower_bound(other.first, at + each);
      return next != other.first.begin() && *std::prev(next) + other.each > at;
    });
  }
};

/// The memory of an instruction, as far as it is known when the program is written.
struct Uses {
  Bytes fills;
  std::vector<Bytes> reads;
  std::optional<int> queue;  ///< of a vector instruction with a stream: whose microthread it takes
  bool async = false;
};

Bytes elements(std::uint32_t base, const std::vector<std::pair<int, int>>& shape,
               std::uint32_t bytes) {
  Bytes all{{base}, bytes};
  for (const auto& [extent, stride] : shape) {
    std::vector<std::uint32_t> next;
    next.reserve(all.first.size() * static_cast<std::size_t>(extent));
    for (const std::uint32_t at : all.first)
      for (int n = 0; n < extent; ++n)
        next.push_back(at + static_cast<std::uint32_t>(n * stride) * bytes);
    all.first = std::move(next);
  }
  std::ranges::sort(all.first);
  return all;
}

/// Follows through the whole program which operations may be running, and which tasks are active
/// and have not begun. What is known only grows, until nothing changes any more.
class Races {
 public:
  Races(const PeProgramAccess::Impl& program, const Program& complete)
      : program_(program), complete_(complete) {
    for (std::size_t s = 0; s < program.sections.size(); ++s) {
      const Section& section = program.sections[s];
      Known& known = known_.emplace_back();
      known.first = items_.size();
      known.before.resize(section.size() + 1);
      for (std::size_t i = 0; i < section.size(); ++i) {
        const Item& item = section[i];
        items_.push_back(&item);
        uses_.push_back(uses_of(item));
        if (item.kind == Item::Kind::label) known.label[item.label.index] = i;
        if (item.kind == Item::Kind::subroutine) subroutine_[item.wait] = s;
        if (i == 0 && item.kind == Item::Kind::task && item.task.kind == TaskKind::local)
          task_[item.task.id] = s;
        if (i == 0 && item.kind == Item::Kind::task && item.task.kind == TaskKind::data &&
            !program.ever_blocks(item.task))
          data_tasks_.push_back(s);
      }
    }
  }

  std::vector<ErrorText> run() {
    do {
      changed_ = false;
      for (std::size_t s = 0; s < known_.size(); ++s) follow(s);
    } while (changed_);
    for (const auto& [item, started] : met_) note(started, item);
    return std::move(found_);
  }

 private:
  /// Operations that may be running, by their items' numbers, and tasks that have been activated:
  /// the number of items, and their ids.
  using State = std::set<std::size_t>;

  /// Of a section.
  struct Known {
    std::size_t first;                 ///< number of its first item
    std::map<int, std::size_t> label;  ///< its item, by index
    std::vector<State> before;         ///< by item, and at the section's end
    State own;                         ///< begun in it, and in subroutines that it calls
    State at_return;                   ///< of a subroutine
  };

  const DescriptorValue& value(int number) const {
    return program_.by_number[static_cast<std::size_t>(number)];
  }

  /// Of a view that a register moves: its array. Null: it is in none.
  const MemorySpan* array_at(std::uint32_t address) const {
    for (const auto& [name, span] : program_.arrays)
      if (address >= span.address && address < span.address + span.bytes) return &span;
    return nullptr;
  }

  Bytes moved(Bytes bytes, std::uint32_t base) const {
    bytes.moves_in = array_at(base);
    return bytes.moves_in == nullptr ? Bytes{} : bytes;
  }

  Bytes bytes_of(const Item& item, std::size_t k, std::uint32_t bytes) const {
    const DescriptorValue& v = value(item.value[k]);
    const bool in_memory =
        v.kind == DescriptorValue::Kind::memory || v.kind == DescriptorValue::Kind::shaped;
    if (!in_memory || v.strided) return {};
    const std::uint32_t base = v.moved >= 0 ? program_.move_of(item, k).base : v.base;
    const Bytes all =
        v.kind == DescriptorValue::Kind::shaped
            ? elements(base, v.shape, bytes)
            : elements(base, {{length_of(item, program_.by_number), v.stride}}, bytes);
    return v.moved >= 0 ? moved(all, base) : all;
  }

  /// A load or store of a place that is known, or of an array.
  Uses uses_of_scalar(const Item& item) const {
    Uses uses;
    const Instruction& i = item.instruction;
    const bool moves = item.move[1] >= 0;
    const bool from_zero =
        item.literal_field == 1 ? item.literal == 0 : program_.registers.of(0) == i.a;
    if (!moves && !from_zero) return uses;
    const auto at = static_cast<std::uint32_t>(i.imm);
    const auto bytes = [&](std::uint32_t each) {
      return moves ? moved({{at}, each}, at) : Bytes{{at}, each};
    };
    if (i.op == Op::lw) uses.reads.push_back(bytes(4));
    if (i.op == Op::lh) uses.reads.push_back(bytes(2));
    if (i.op == Op::sw) uses.fills = bytes(4);
    if (i.op == Op::sh) uses.fills = bytes(2);
    return uses;
  }

  const Chain& chain_of(const Item& item) const {
    return program_.chains[static_cast<std::size_t>(item.chain)];
  }

  static Bytes bytes_held(const Chain& chain) {
    Bytes all;
    for (const PeVector& v : chain.holds) {
      all.each = static_cast<std::uint32_t>(element_bytes(v.type()));
      for (int n = 0; n < v.size(); ++n)
        all.first.push_back(v.address() + static_cast<std::uint32_t>(n) * all.each);
    }
    std::ranges::sort(all.first);
    return all;
  }

  Uses uses_of(const Item& item) const {
    if (item.kind != Item::Kind::instruction) return {};
    if (item.chain >= 0 && !chain_of(item).holds.empty())
      return {bytes_held(chain_of(item)), {}, {}};
    if (std::ranges::all_of(item.value, [](int n) { return n < 0; })) return uses_of_scalar(item);
    Uses uses;
    const isa::InstructionInfo& info = isa::info(item.instruction.op);
    const isa::Widths widths = isa::widths_of(info.cost);
    for (std::size_t k = 0; k < item.value.size(); ++k) {
      if (item.value[k] < 0) continue;
      const DescriptorValue& v = value(item.value[k]);
      const bool input = v.kind == DescriptorValue::Kind::input;
      if ((input || v.kind == DescriptorValue::Kind::output) && !uses.queue)
        uses.queue = input ? v.color : kColors + v.color;
      const std::uint32_t bytes = widths.bytes[k] == 0 ? 4 : widths.bytes[k];
      if (k == 0) uses.fills = bytes_of(item, k, bytes);
      if (k > 0 || info.accumulates) uses.reads.push_back(bytes_of(item, k, bytes));
    }
    const bool async = VectorOptions::unpack(item.instruction.imm).async;
    uses.async = async && uses.queue.has_value() && !item.returns;
    return uses;
  }

  bool is_operation(std::size_t n) const { return n < items_.size(); }
  /// A task of the user's may know of its end.
  bool ends_unseen(std::size_t n) const {
    if (!is_operation(n)) return false;
    const Item& end = end_of_chain(n);
    const Op op = end.instruction.op;
    const VectorOptions options = VectorOptions::unpack(end.instruction.imm);
    const bool acts =
        op == Op::activate || op == Op::unblock ||
        (isa::is_vector(isa::format_of(op)) && options.at_end != VectorOptions::AtEnd::nothing);
    return acts && end.join < 0;
  }

  void grow(State& known, const State& by) {
    const std::size_t size = known.size();
    known.insert(by.begin(), by.end());
    changed_ |= known.size() != size;
  }

  void follow(std::size_t s) {
    const Section& section = program_.sections[s];
    Known& known = known_[s];
    for (std::size_t i = 0; i < section.size(); ++i) {
      const Item& item = section[i];
      State running = known.before[i];
      if (item.kind == Item::Kind::wait || item.kind == Item::Kind::pause) free_core(running);
      if (item.kind == Item::Kind::wait) end_waited(item.wait, running);
      if (item.kind == Item::Kind::instruction && goes_away(s, i, running)) continue;
      grow(known.before[i + 1], running);
    }
    State last = known.before.back();
    if (s == 0) free_core(last);  // its end() may not be written yet
  }

  /// Whether the next item does not follow.
  bool goes_away(std::size_t s, std::size_t i, State& running) {
    Known& known = known_[s];
    const Item& item = program_.sections[s][i];
    const std::size_t number = known.first + i;
    use(number, running);
    if (item.chain >= 0) begin_steps(s, chain_of(item), running);
    if (uses_[number].async || item.chain >= 0) begin(s, number, running);
    const Instruction& instruction = item.instruction;
    const bool local = instruction.a == static_cast<int>(TaskKind::local);
    if (instruction.op == Op::activate && local && item.join < 0 && task_.contains(instruction.b))
      begin(s, items_.size() + instruction.b, running);
    if (instruction.op == Op::call && item.wait >= 0) call(s, item.wait, running);
    if (isa::goes_to_target(instruction.op))
      if (const auto at = known.label.find(instruction.imm); at != known.label.end())
        grow(known.before[at->second], running);
    if (instruction.op == Op::ret) grow(known.at_return, running);
    if (instruction.op == Op::end) free_core(running);
    return instruction.op == Op::end || instruction.op == Op::jump || instruction.op == Op::ret;
  }

  void begin(std::size_t s, std::size_t number, State& running) {
    running.insert(number);
    grow(known_[s].own, {number});
  }

  /// The steps of a chain go on beside the code, from the operation on that they follow.
  void begin_steps(std::size_t s, const Chain& chain, State& running) {
    const std::size_t first = known_[chain.section].first;
    const State before = running;
    for (std::size_t n = first; n <= first + chain.last; ++n) {
      State others = before;
      use(n, others);
      begin(s, n, running);
    }
  }

  void use(std::size_t number, State& running) {
    // An operation on the same microthread has ended, or this one is a fault.
    const std::optional<int>& queue = uses_[number].queue;
    std::erase_if(running, [&](std::size_t n) {
      return is_operation(n) && queue && uses_[n].queue == queue;
    });
    for (const std::size_t n : running)
      if (is_operation(n) && asked_.emplace(number, n).second && conflict(uses_[n], uses_[number]))
        met_.emplace(number, n);
  }

  /// All that runs at a call runs in the subroutine. Behind it, what has not ended there goes on,
  /// and what the subroutine has begun.
  void call(std::size_t s, int subroutine, State& running) {
    Known& called = known_[subroutine_.at(subroutine)];
    grow(called.before[0], running);
    grow(known_[s].own, called.own);
    State behind;
    for (const std::size_t n : called.at_return)
      if (running.contains(n) || called.own.contains(n)) behind.insert(n);
    running = std::move(behind);
  }

  /// Tasks that the program has activated begin here, and those that wavelets start, beside all
  /// operations but those whose end a task of the user's may know. So may tasks that know it.
  void free_core(State& running) {
    std::erase_if(running, [&](std::size_t n) { return ends_unseen(n); });
    const auto first_task = running.lower_bound(items_.size());
    const State operations(running.begin(), first_task);
    for (const std::size_t s : data_tasks_) grow(known_[s].before[0], operations);
    for (auto task = first_task; task != running.end(); ++task)
      grow(known_[task_.at(static_cast<int>(*task - items_.size()))].before[0], operations);
    running = operations;
  }

  /// Of an operation that steps follow, or one of them; else itself.
  const Item& end_of_chain(std::size_t n) const {
    for (const Chain& chain : program_.chains) {
      const bool leads = items_[n]->chain >= 0 && &chain_of(*items_[n]) == &chain;
      if (leads || has(chain.section, n)) return *items_[known_[chain.section].first + chain.last];
    }
    return *items_[n];
  }

  void end_waited(int number, State& running) const {
    const Wait& wait = program_.all_waits[static_cast<std::size_t>(number)];
    const auto is_waited_for = [&](int join) {
      return join >= wait.join && join < wait.join + wait.tasks;
    };
    std::erase_if(running, [&](std::size_t n) {
      if (!is_operation(n)) return false;
      return is_waited_for(items_[n]->join) || is_waited_for(end_of_chain(n).join);
    });
  }

  static bool meets(const std::vector<Bytes>& all, const Bytes& one) {
    return std::ranges::any_of(all, [&](const Bytes& b) { return b.meet(one); });
  }
  static bool conflict(const Uses& started, const Uses& item) {
    return started.fills.meet(item.fills) || meets(item.reads, started.fills) ||
           meets(started.reads, item.fills);
  }

  void note(std::size_t started, std::size_t item) {
    const Uses &of_started = uses_[started], &of_item = uses_[item];
    if (of_started.fills.meet(of_item.fills))
      add(started, "fill", item, "fills", of_started.fills);
    else if (meets(of_item.reads, of_started.fills))
      add(started, "fill", item, "reads", of_started.fills);
    else
      add(started, "read", item, "fills", of_item.fills);
  }

  bool has(std::size_t section, std::size_t number) const {
    const std::size_t first = known_[section].first;
    return number >= first && number < first + program_.sections[section].size();
  }

  std::string operation(std::size_t number) const {
    return program_.notes.operations[static_cast<std::size_t>(items_[number]->note)].text();
  }

  void add(std::size_t started, const char* does, std::size_t item, const char* uses,
           const Bytes& bytes) {
    std::string array = "memory";
    for (const auto& [name, span] : complete_.symbols)
      if (bytes.first.front() >= span.address && bytes.first.front() < span.address + span.bytes)
        array = name;
    const bool by_wavelet = std::ranges::any_of(
        data_tasks_, [&](std::size_t s) { return has(s, item) && !has(s, started); });
    found_.push_back(
        {fmt::format("{}: {} {} {}, which {} may still {}", program_.name, operation(item), uses,
                     array, operation(started), does),
         by_wavelet ? "that one is asynchronous, and a wavelet may start this task before its end"
                    : "that one is asynchronous, and nothing waits for its end in between",
         by_wavelet ? "block the task until then, or use another array"
                    : "wait for it first, or use another array"});
  }

  const PeProgramAccess::Impl& program_;
  const Program& complete_;
  std::vector<const Item*> items_;                ///< of all sections
  std::vector<Uses> uses_;                        ///< by item
  std::vector<Known> known_;                      ///< by section
  std::map<int, std::size_t> subroutine_, task_;  ///< sections, by number and by local task
  std::vector<std::size_t> data_tasks_;           ///< sections of those that nothing blocks
  std::set<std::pair<std::size_t, std::size_t>> asked_, met_;  ///< items, and running ones
  std::vector<ErrorText> found_;
  bool changed_ = false;
};

}  // namespace

std::vector<ErrorText> races_of(const PeProgramAccess::Impl& program, const Program& complete) {
  return Races(program, complete).run();
}

}  // namespace weft::inline v0
