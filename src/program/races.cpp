#include "program/races.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "isa/info.hpp"

namespace weft::inline v0 {
namespace {

/// Bytes that an operand takes of a PE's memory.
struct Bytes {
  std::vector<std::uint32_t> first;  ///< of each element, in order
  std::uint32_t each = 0;

  bool meet(const Bytes& other) const {
    if (first.empty() || other.first.empty()) return false;
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
  bool ends_unseen = false;  ///< a task of the user's may know of its end
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

class Races {
 public:
  Races(const PeProgramAccess::Impl& program, const Program& complete)
      : program_(program), complete_(complete) {}

  std::vector<ErrorText> run() {
    for (const Section& section : program_.sections) follow(section);
    return std::move(found_);
  }

 private:
  using Running = std::set<std::size_t>;  ///< items

  const DescriptorValue& value(int number) const {
    return program_.by_number[static_cast<std::size_t>(number)];
  }

  Bytes bytes_of(const Item& item, std::size_t k, std::uint32_t bytes) const {
    const DescriptorValue& v = value(item.value[k]);
    const bool in_memory =
        v.kind == DescriptorValue::Kind::memory || v.kind == DescriptorValue::Kind::shaped;
    if (!in_memory || v.moved >= 0) return {};
    if (v.kind == DescriptorValue::Kind::shaped) return elements(v.base, v.shape, bytes);
    return elements(v.base, {{length_of(item, program_.by_number), v.stride}}, bytes);
  }

  /// A load or store of a place that is known.
  Uses uses_of_scalar(const Item& item) const {
    Uses uses;
    const Instruction& i = item.instruction;
    const bool from_zero =
        item.literal_field == 1 ? item.literal == 0 : program_.registers.of(0) == i.a;
    if (!from_zero) return uses;
    const auto at = static_cast<std::uint32_t>(i.imm);
    if (i.op == Op::lw) uses.reads.push_back({{at}, 4});
    if (i.op == Op::lh) uses.reads.push_back({{at}, 2});
    if (i.op == Op::sw) uses.fills = {{at}, 4};
    if (i.op == Op::sh) uses.fills = {{at}, 2};
    return uses;
  }

  Uses uses_of(const Item& item) const {
    if (item.kind != Item::Kind::instruction) return {};
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
    const VectorOptions options = VectorOptions::unpack(item.instruction.imm);
    uses.async = options.async && uses.queue.has_value() && !item.returns;
    uses.ends_unseen = options.at_end != VectorOptions::AtEnd::nothing && item.join < 0;
    return uses;
  }

  /// Grows what may be running at each item until nothing changes, and notes races as it goes.
  void follow(const Section& section) {
    std::vector<Uses> uses;
    std::map<int, std::size_t> label;
    for (std::size_t i = 0; i < section.size(); ++i) {
      uses.push_back(uses_of(section[i]));
      if (section[i].kind == Item::Kind::label) label[section[i].label.index] = i;
    }
    std::vector<Running> before(section.size() + 1);
    std::set<std::pair<std::size_t, std::size_t>> known;
    for (bool changed = true; changed;) {
      changed = false;
      const auto grow = [&](std::size_t at, const Running& by) {
        const std::size_t size = before[at].size();
        before[at].insert(by.begin(), by.end());
        changed |= before[at].size() != size;
      };
      for (std::size_t i = 0; i < section.size(); ++i) {
        const Item& item = section[i];
        Running running = before[i];
        if (item.kind == Item::Kind::wait) end_waited(section, uses, item.wait, running);
        if (lets_others_run(item))
          std::erase_if(running, [&](std::size_t n) { return uses[n].ends_unseen; });
        if (item.kind == Item::Kind::instruction) {
          // An operation on the same microthread has ended, or this one is a fault.
          std::erase_if(running, [&](std::size_t n) {
            return uses[i].queue && uses[n].queue == uses[i].queue;
          });
          for (const std::size_t n : running)
            if (known.emplace(n, i).second) note(section[n], uses[n], section[i], uses[i]);
          if (uses[i].async) running.insert(i);
          const Op op = item.instruction.op;
          const auto target =
              isa::goes_to_target(op) ? label.find(item.instruction.imm) : label.end();
          if (target != label.end()) grow(target->second, running);
          if (op == Op::end || op == Op::jump || op == Op::ret) continue;
        }
        grow(i + 1, running);
      }
    }
  }

  bool lets_others_run(const Item& item) const {
    if (item.kind == Item::Kind::pause) return true;
    const bool calls =
        item.kind == Item::Kind::instruction && item.instruction.op == Op::call && item.wait >= 0;
    return calls && program_.subroutines[static_cast<std::size_t>(item.wait)].waits;
  }

  /// Ends the operations that are waited for; and, as other tasks may run there, those whose end
  /// these may know.
  void end_waited(const Section& section, const std::vector<Uses>& uses, int number,
                  Running& running) const {
    const Wait& wait = program_.all_waits[static_cast<std::size_t>(number)];
    std::erase_if(running, [&](std::size_t n) {
      const int join = section[n].join;
      return uses[n].ends_unseen || (join >= wait.join && join < wait.join + wait.tasks);
    });
  }

  void note(const Item& started, const Uses& of_started, const Item& item, const Uses& of_item) {
    const auto meets = [](const std::vector<Bytes>& all, const Bytes& one) {
      return std::ranges::any_of(all, [&](const Bytes& b) { return b.meet(one); });
    };
    if (of_started.fills.meet(of_item.fills))
      add(started, "fill", item, "fills", of_started.fills);
    else if (meets(of_item.reads, of_started.fills))
      add(started, "fill", item, "reads", of_started.fills);
    else if (meets(of_started.reads, of_item.fills))
      add(started, "read", item, "fills", of_item.fills);
  }

  std::string operation(const Item& item) const {
    if (item.note < 0) return std::string(mnemonic(item.instruction.op));
    const auto& o = program_.notes.operations[static_cast<std::size_t>(item.note)];
    return o.where.empty() ? o.what : fmt::format("{} ({})", o.what, o.where);
  }

  void add(const Item& started, const char* does, const Item& item, const char* uses,
           const Bytes& bytes) {
    std::string array = "memory";
    for (const auto& [name, span] : complete_.symbols)
      if (bytes.first.front() >= span.address && bytes.first.front() < span.address + span.bytes)
        array = name;
    found_.push_back({fmt::format("{}: {} {} {}, which {} may still {}", program_.name,
                                  operation(item), uses, array, operation(started), does),
                      "that one is asynchronous, and nothing waits for its end in between",
                      "wait for it first, or use another array"});
  }

  const PeProgramAccess::Impl& program_;
  const Program& complete_;
  std::vector<ErrorText> found_;
};

}  // namespace

std::vector<ErrorText> races_of(const PeProgramAccess::Impl& program, const Program& complete) {
  return Races(program, complete).run();
}

}  // namespace weft::inline v0
