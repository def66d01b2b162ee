#include <fmt/format.h>

#include <cstdlib>

#include "differential/valid_work.hpp"

namespace weft::test {
namespace {

constexpr Reg kCount{1}, kMore{2}, kMask{3}, kZero{15};
constexpr Reg kRounds[] = {{4}, {6}, {8}, {10}, {12}}, kLeft[] = {{5}, {7}, {9}, {11}, {13}};
constexpr Dsr kQueue{0}, kMemory{1}, kOther{2};
constexpr int kScratchWords = 48;  // the first one gathers what is worth keeping
constexpr int kTeardownTask = 29;

VectorOptions then(Task task, VectorOptions::AtEnd what = VectorOptions::AtEnd::activate) {
  return {.async = true, .at_end = what, .task_kind = task.kind, .task_id = task.id};
}

class ValidWriter {
 public:
  explicit ValidWriter(const PeWork& work) : work_(work), p_("valid") {}

  Program write() {
    scratch_ = p_.reserve("scratch", 4 * kScratchWords);
    for (std::size_t s = 0; s < work_.strands.size(); ++s) {
      const Strand& strand = work_.strands[s];
      if (strand.by_task)
        count_words(s, strand.stages[0]);
      else
        write_strand(s, strand);
    }
    for (const Ear& ear : work_.hears) {
      p_.data_task(ear.color);
      keep(Reg{0});
      for (const RouterWrite& write : ear.writes) write_router(write);
      p_.end();
    }
    p_.start(p_.local_task(0));
    for (const auto& [payload, address] : controls_) {
      p_.li(kCount, static_cast<std::int32_t>(payload));
      p_.sw(kCount, kZero, address);
    }
    for (std::size_t s = 0; s < work_.strands.size(); ++s) {
      const Strand& strand = work_.strands[s];
      p_.li(kRounds[s],
            strand.by_task ? strand.rounds * strand.stages[0].transfers[0].words : strand.rounds);
    }
    for (const Task& first : first_) p_.activate(first);
    p_.end();
    return p_.build();
  }

 private:
  Task next_task() {
    if (next_id_ == kTeardownTask) ++next_id_;
    return {TaskKind::local, static_cast<std::uint8_t>(next_id_++)};
  }

  MemorySpan words(int count) {
    return p_.reserve(fmt::format("words {}", spans_++), 4 * static_cast<std::uint32_t>(count));
  }

  void write_strand(std::size_t s, const Strand& strand) {
    std::vector<Task> begin;
    for (std::size_t k = 0; k <= strand.stages.size(); ++k) begin.push_back(next_task());
    first_.push_back(begin[0]);
    for (std::size_t k = 0; k < strand.stages.size(); ++k)
      write_stage(s, strand.clocked, strand.stages[k], begin[k], begin[k + 1]);
    const Label over = p_.label();
    p_.local_task(begin.back().id);
    if (strand.clocked) keep_time();
    p_.addi(kRounds[s], kRounds[s], -1);
    p_.beq(kRounds[s], kZero, over);
    p_.activate(begin[0]);
    p_.place(over);
    p_.end();
  }

  /// The tasks of a stage, which begins with `begin` and activates `next`.
  void write_stage(std::size_t s, bool clocked, const Stage& stage, Task begin, Task next) {
    const bool alone = stage.transfers.size() == 1;
    std::vector<Task> ends;
    for (std::size_t n = 0; n < stage.transfers.size(); ++n)
      ends.push_back(alone ? next : next_task());
    std::vector<Task> send_controls(stage.transfers.size());
    p_.local_task(begin.id);
    if (clocked) keep_time();
    pause(stage.pause);
    for (const RouterWrite& write : stage.writes) write_router(write);
    std::vector<std::uint32_t> ends_at;  // of the transfers' words
    if (!alone) p_.li(kLeft[s], static_cast<std::int32_t>(stage.transfers.size()));
    for (std::size_t n = 0; n < stage.transfers.size(); ++n) {
      if (!stage.transfers[n].controls.empty() && !(alone && work_.waits))
        send_controls[n] = next_task();
      transfer(stage.transfers[n], alone && work_.waits, ends[n], send_controls[n]);
      ends_at.push_back(last_word_);
    }
    for (std::size_t n = 0; stage.peeks && n < 2 * ends_at.size(); ++n) {
      p_.lw(kMore, kZero, static_cast<std::int32_t>(ends_at[n % ends_at.size()]));
      keep(kMore);
    }
    if (stage.transfers.empty()) p_.activate(next);
    p_.end();
    for (std::size_t n = 0; n < stage.transfers.size(); ++n) {
      const Transfer& t = stage.transfers[n];
      if (!t.controls.empty() && !(alone && work_.waits)) {
        p_.local_task(send_controls[n].id);
        put_controls(t, then(ends[n]));
        p_.end();
      }
      if (t.ended) {
        p_.control_task(t.color, TaskPriority::high);
        p_.block({TaskKind::data, static_cast<std::uint8_t>(t.color)});
        p_.activate(ends[n]);
        p_.end();
      }
      if (alone) continue;
      const Label more = p_.label();
      p_.local_task(ends[n].id);
      p_.addi(kLeft[s], kLeft[s], -1);
      p_.bne(kLeft[s], kZero, more);
      p_.activate(next);
      p_.place(more);
      p_.end();
    }
  }

  /// Starts a transfer; when it is over, `end` is activated.
  void transfer(const Transfer& t, bool wait, Task end, Task send_controls) {
    const Task color{TaskKind::data, static_cast<std::uint8_t>(t.color)};
    memory(t);
    if (t.kind != Transfer::Kind::send) {
      p_.dfabin(kQueue, t.in);
      p_.dlen(kQueue, t.words);
    }
    if (t.kind != Transfer::Kind::take) {
      p_.dfabout(kOther, t.out, t.color);
      p_.dlen(kOther, t.words);
    }
    const VectorOptions options = wait                  ? VectorOptions{}
                                  : !t.controls.empty() ? then(send_controls)
                                  : t.ended             ? then(color, VectorOptions::AtEnd::unblock)
                                                        : then(end);
    const Dsr to = t.kind == Transfer::Kind::take ? kMemory : kOther;
    const Dsr from = t.kind == Transfer::Kind::send ? kMemory : kQueue;
    instruction(t.op, to, from, options);
    if (!wait) return;
    if (!t.controls.empty()) put_controls(t, {});
    if (t.ended)
      p_.unblock(color);
    else
      p_.activate(end);
  }

  void instruction(Op op, Dsr to, Dsr from, VectorOptions options) {
    switch (op) {
      case Op::vmov16:
        return p_.vmov16(to, from, options);
      case Op::vadd32:
        return p_.vadd32(to, from, kMemory, options);
      case Op::vfadds:
        return p_.vfadds(to, from, kMemory, options);
      case Op::vfmaxs:
        return p_.vfmaxs(to, from, kMemory, options);
      default:
        return p_.vmov32(to, from, options);
    }
  }

  void write_router(const RouterWrite& write) {
    p_.li(kMore, write.value);
    switch (write.op) {
      case Op::flimit:
        return p_.flimit(write.color, kMore);
      case Op::fmax:
        return p_.fmax(write.color, kMore);
      case Op::fcount:
        return p_.fcount(write.color, kMore);
      case Op::setpos:
        return p_.setpos(write.color, kMore);
      default:
        return p_.texit(write.color, kMore);
    }
  }

  void keep_time() {
    p_.tsc(kMore);
    keep(kMore);
  }

  /// Gathers a register's value, so that the order counts too.
  void keep(Reg value) {
    const auto address = static_cast<std::int32_t>(scratch_.address);
    p_.lw(kMask, kZero, address);
    p_.muli(kMask, kMask, 31);
    p_.add(kMask, kMask, value);
    p_.sw(kMask, kZero, address);
  }

  /// The words of a transfer in memory.
  void memory(const Transfer& t) {
    if (t.kind == Transfer::Kind::relay && t.op == Op::vmov32) return;
    const MemorySpan span = words((t.words - 1) * std::abs(t.stride) + 1);
    last_word_ = span.address + span.bytes - 4;
    const int last = t.op == Op::vmov16 ? 2 * (t.words - 1) : 4 * (t.words - 1);
    p_.dbase(kMemory, static_cast<std::int32_t>(span.address) + (t.stride < 0 ? last : 0));
    p_.dstride(kMemory, t.stride);
    p_.dlen(kMemory, t.words);
  }

  void put_controls(const Transfer& t, VectorOptions options) {
    const MemorySpan span = words(static_cast<int>(t.controls.size()));
    for (std::size_t n = 0; n < t.controls.size(); ++n)
      controls_.emplace_back(t.controls[n], static_cast<int>(span.address + 4 * n));
    p_.dbase(kMemory, static_cast<std::int32_t>(span.address));
    p_.dstride(kMemory, 1);
    p_.dlen(kMemory, static_cast<std::int32_t>(t.controls.size()));
    p_.dfabout(kOther, t.out, t.color, true);
    p_.dlen(kOther, static_cast<std::int32_t>(t.controls.size()));
    p_.vmov32(kOther, kMemory, options);
  }

  /// A data task takes the words of a strand that only takes.
  void count_words(std::size_t s, const Stage& stage) {
    const Label more = p_.label();
    const MemorySpan last = words(1);
    p_.data_task(stage.transfers[0].color);
    p_.sw(Reg{0}, kZero, static_cast<std::int32_t>(last.address));
    p_.addi(kRounds[s], kRounds[s], -1);
    p_.bne(kRounds[s], kZero, more);
    pause(stage.pause);
    p_.place(more);
    p_.end();
  }

  void pause(const Pause& pause) {
    if (pause.elements > 0) {
      p_.dbase(kMemory, static_cast<std::int32_t>(scratch_.address));
      p_.dstride(kMemory, 1);
      p_.dlen(kMemory, pause.elements);
      p_.vfadds(kMemory, kMemory, kMemory);
    }
    const bool more = pause.x_shift > 0 || pause.y_shift > 0 || pause.by_data > 0;
    if (pause.turns == 0 && !more) return;
    p_.li(kCount, pause.turns);
    const auto add = [&](int shift) {
      p_.shli(kMore, kMore, shift - 1);
      p_.add(kCount, kCount, kMore);
    };
    if (pause.x_shift > 0) p_.xcoord(kMore), add(pause.x_shift);
    if (pause.y_shift > 0) p_.ycoord(kMore), add(pause.y_shift);
    if (pause.by_data > 0) {
      p_.lw(kMore, kZero, static_cast<std::int32_t>(scratch_.address));
      p_.li(kMask, pause.by_data - 1);
      p_.band(kMore, kMore, kMask);
      p_.add(kCount, kCount, kMore);
    }
    const Label again = p_.label(), done = p_.label();
    p_.beq(kCount, kZero, done);
    p_.place(again);
    p_.addi(kCount, kCount, -1);
    p_.bne(kCount, kZero, again);
    p_.place(done);
  }

  const PeWork& work_;
  ProgramBuilder p_;
  MemorySpan scratch_{};
  std::vector<Task> first_;
  std::vector<std::pair<std::uint32_t, int>> controls_;  ///< payload and address
  std::uint32_t last_word_ = 0;  ///< address, of the last span of a transfer
  int next_id_ = 1, spans_ = 0;
};

}  // namespace

Program program_of(const PeWork& work) { return ValidWriter(work).write(); }

}  // namespace weft::test
