#include "spec/core.hpp"

#include <algorithm>
#include <tuple>

#include "spec/arithmetic.hpp"
#include "spec/control.hpp"

/// A core's queues, tasks and microthreads; what its instructions do is in execute.cpp.
namespace weft::spec {
namespace {

bool bit(std::uint64_t bits, int number) { return (bits >> number & 1U) != 0; }

}  // namespace

Core::Core(const Machine& machine_, int x_, int y_)
    : machine(machine_), x(x_), y(y_), memory(index(machine_.pe_memory_bytes) / 4) {}

void Core::load(std::shared_ptr<const Program> program_, std::uint32_t first) {
  program = std::move(program_);
  first_instruction = first;
  fifo.resize(program->fifos.size());
  for (int id = 0; id < kLocalTasks; ++id) {
    active[index(id)] = bit(program->started_local, id);
    blocked[index(id)] = bit(program->blocked_local, id);
  }
  for (int color = 0; color < kColors; ++color)
    color_blocked[index(color)] = program->data_entry[index(color)] == Program::kUnbound &&
                                  !bit(program->unblocked_colors, color);
}

void Core::tell_torn_down(int color) {
  constexpr std::size_t kHandler = 29;  // fixed by the machine
  if (!program) return;
  pending |= 1U << color;
  active[kHandler] = true;
}

bool Core::input_has_room(int queue) const {
  const int depth = queue < 2   ? machine.input_queue_0_1_depth
                    : queue < 4 ? machine.input_queue_2_3_depth
                                : machine.input_queue_4_7_depth;
  return input[index(queue)].size() < index(depth);
}

bool Core::output_has_room(int queue) const {
  const int depth = queue < 2   ? machine.output_queue_0_1_depth
                    : queue < 4 ? machine.output_queue_2_3_depth
                                : machine.output_queue_4_5_depth;
  return output[index(queue)].size() < index(depth);
}

/// Of several faults in one cycle, the one of the lowest kind counts.
void Core::stop(FaultKind kind, int color, std::int64_t detail) {
  if (!stopped || kind < stopped->kind) stopped = Stopped{kind, color, detail, executing};
  running = waiting = false;
}

/// Whether two or four bytes can be read or written there; if not, the PE stops.
bool Core::access(std::uint32_t address, std::uint32_t width) {
  if (address % width == 0 && address / 4 < memory.size()) return true;
  stop(address % width != 0 ? FaultKind::memory_misaligned : FaultKind::memory_out_of_range, -1,
       address);
  return false;
}

std::uint32_t Core::read(std::uint32_t address, std::uint32_t width) const {
  const std::uint32_t word = memory[address / 4];
  if (width == 4) return word;
  return address % 4 == 0 ? word & 0xffffU : word >> 16U;
}

void Core::write(std::uint32_t address, std::uint32_t width, std::uint32_t value) {
  std::uint32_t& word = memory[address / 4];
  if (width == 4)
    word = value;
  else if (address % 4 == 0)
    word = (word & 0xffff0000U) | (value & 0xffffU);
  else
    word = (word & 0xffffU) | value << 16U;
}

void Core::emit(EventKind kind, std::uint64_t cycle, int number, std::uint32_t value) {
  if (emits) did.events.emplace_back(cycle, x, y, kind, number, value);
}

void Core::emit_element(std::uint64_t cycle, int number, std::uint32_t queues) {
  if (emits_elements) emit(kElementEvent, cycle, number, queues);
}

void Core::begin_cycle(std::uint64_t cycle) {
  did_something = looks_again = false;
  did = {};
  did.in_task = running;
  did.computes = running && (!waiting || is_starting(cycle));
}

/// Of the instruction that the present cycle belongs to.
void Core::note_phase() {
  const int mark = program->notes.phase_at(task_pc);
  if (mark != ProgramNotes::PhaseMark::kShared) phase = mark;
}

/// The microthread that a synchronous instruction waits for has not begun.
bool Core::is_starting(std::uint64_t cycle) const {
  return std::ranges::any_of(
      microthread, [&](const auto& m) { return m && !m->work.options.async && m->first > cycle; });
}

// 3.1. Microthreads, by number: each that has its data and its room does one element. FIFOs are in
// fifos.cpp.

bool Core::ready(const Microthread& m, std::uint64_t cycle) const {
  if (m.first > cycle) return false;
  for (const Operand& o : m.work.operand) {
    if (o.kind == Operand::Kind::input) {
      const Queue& q = input[index(o.queue)];
      if (q.empty() || q.front().ready > cycle) return false;
    }
    if (o.kind == Operand::Kind::output && !output_has_room(o.queue)) return false;
  }
  return true;
}

/// A control wavelet stands where the next element should.
bool Core::meets_control(const VectorWork& work) const {
  return std::ranges::any_of(work.operand, [this](const Operand& o) {
    return o.kind == Operand::Kind::input && input[index(o.queue)].front().control;
  });
}

/// Something will come of it in this cycle, be it only that a FIFO is found empty or full.
bool Core::acts(const Microthread& m, std::uint64_t cycle) const {
  if (!ready(m, cycle)) return false;
  return meets_control(m.work) || !fifos_lack(m.work) || !m.work.options.async ||
         !knows_lack(m.work);
}

void Core::step_microthreads(std::uint64_t cycle, bool is_counted) {
  if (stopped) return;
  for (std::size_t number = 0; number < microthread.size(); ++number)
    if (microthread[number]) {
      if (is_counted) note_lack_of(*microthread[number], cycle);
      if (acts(*microthread[number], cycle)) step_microthread(number, cycle);
    }
}

/// What keeps a microthread from its next element: where a control wavelet stands, there is no
/// data.
void Core::note_lack_of(const Microthread& m, std::uint64_t cycle) {
  did.stream_phases.insert(m.phase);
  if (m.first > cycle) return;
  for (std::size_t n = 0; n < m.work.operand.size(); ++n) {
    const Operand& o = m.work.operand[n];
    const bool is_destination = n == 0;
    if (o.kind == Operand::Kind::input) {
      const Queue& q = input[index(o.queue)];
      did.lacks_data |= q.empty() || q.front().ready > cycle || q.front().control;
    } else if (o.kind == Operand::Kind::output) {
      did.lacks_room |= !output_has_room(o.queue);
    } else if (lacks(o, is_destination)) {
      (is_destination ? did.lacks_room : did.lacks_data) = true;
    }
  }
}

void Core::step_microthread(std::size_t number, std::uint64_t cycle) {
  did_something = true;
  VectorWork& work = microthread[number]->work;
  executing = work.pc;
  std::uint32_t queues = 0;
  if (meets_control(work)) {  // it is taken off its queue and starts nothing
    for (const Operand& o : work.operand) {
      if (o.kind != Operand::Kind::input) continue;
      Queue& q = input[index(o.queue)];
      if (!q.front().control) continue;
      q.pop_front();
      queues |= 1U << o.queue;
    }
    return emit_element(cycle, static_cast<int>(number), queues);
  }
  if (fifos_lack(work)) {
    note_lack(work);
    if (!work.options.async) finish(number, cycle);
    return;
  }
  do_element(work, cycle);
  if (stopped) return;
  for (const Operand& o : work.operand)
    if (o.is_fabric()) queues |= o.kind == Operand::Kind::input ? 1U << o.queue : kPut;
  emit_element(cycle, static_cast<int>(number), queues);
  ++did.elements;
  if (work.left == 0) finish(number, cycle);
}

/// The next element; what it needs is there.
void Core::do_element(VectorWork& work, std::uint64_t cycle) {
  std::array<std::uint32_t, 3> value{};
  for (std::size_t o = 0; o < value.size(); ++o) {
    const Operand& from = work.operand[o];
    if (o == 0 && from.kind != Operand::Kind::memory) continue;  // only written
    if (from.kind == Operand::Kind::memory && !access(from.address(work.done), from.width)) return;
    value[o] = take(from, work.done);
  }
  put(work.operand[0], work.done, compute(work.op, value[0], value[1], value[2]), cycle);
  ++work.done;
  --work.left;
}

/// The value of an operand's element k, which leaves its queue or FIFO.
std::uint32_t Core::take(const Operand& from, std::uint32_t k) {
  switch (from.kind) {
    case Operand::Kind::memory:
      return read(from.address(k), from.width);
    case Operand::Kind::input: {
      Queue& q = input[index(from.queue)];
      const std::uint32_t payload = q.front().payload;
      q.pop_front();
      return payload;
    }
    case Operand::Kind::fifo:
      return pop(from.fifo);
    case Operand::Kind::scalar:
      return from.value;
    case Operand::Kind::output:
    case Operand::Kind::absent:
      break;
  }
  return 0;
}

void Core::put(const Operand& to, std::uint32_t k, std::uint32_t value, std::uint64_t cycle) {
  if (to.kind == Operand::Kind::memory) return write(to.address(k), to.width, value);
  if (to.kind == Operand::Kind::fifo) return push(to.fifo, value);
  Queue& q = output[index(to.queue)];
  if (!q.empty() && q.back().color != to.color)
    return stop(FaultKind::queue_color_changed, to.color, to.queue);
  q.push_back(
      {value, to.control, to.color, cycle + static_cast<std::uint64_t>(machine.ramp_cycles)});
}

void Core::finish(std::size_t number, std::uint64_t cycle) {
  const VectorOptions options = microthread[number]->work.options;
  if (microthread[number]->first <= cycle)  // else it has no elements
    emit(EventKind::microthread_end, cycle, static_cast<int>(number), microthread[number]->work.pc);
  microthread[number].reset();
  if (!options.async) {
    waiting = false;
    wake = cycle + static_cast<std::uint64_t>(machine.scalar_cycles);
  } else if (options.at_end == VectorOptions::AtEnd::activate) {
    active[options.task_id] = true;
  } else if (options.at_end == VectorOptions::AtEnd::unblock) {
    set_blocked(options.task_kind, options.task_id, false);
  }
}

bool Core::claimed(Operand::Kind kind, int queue) const {
  for (const auto& m : microthread)
    if (m)
      for (const Operand& o : m->work.operand)
        if (o.kind == kind && o.queue == queue) return true;
  return false;
}

// 3.2. Tasks: an idle core takes the next runnable one.

/// Something that an idle core could take. The least is taken: a control wavelet that starts no
/// task comes before all, then high priority before low, then data, local, control, then by number.
struct Core::Candidate {
  enum Rank { nothing, high, low };
  enum Kind { data, local, control };

  Rank rank{};
  Kind kind{};
  int number = 0;  ///< color or id
  int queue = -1;  ///< of its wavelet
  std::int32_t entry = Program::kUnbound;

  bool operator<(const Candidate& other) const {
    return std::tuple(rank, kind, number, queue) <
           std::tuple(other.rank, other.kind, other.number, other.queue);
  }
};

std::optional<Core::Candidate> Core::choose(std::uint64_t cycle) const {
  std::optional<Candidate> best;
  const auto consider = [&](const Candidate& c) {
    if (!best || c < *best) best = c;
  };
  const auto rank = [](bool is_high) { return is_high ? Candidate::high : Candidate::low; };

  for (int id = 0; id < kLocalTasks; ++id)
    if (active[index(id)] && !blocked[index(id)])
      consider({rank(bit(program->high_local, id)), Candidate::local, id, -1,
                program->local_entry[index(id)]});
  for (int q = 0; q < kInputQueues; ++q) {
    const Queue& queue = input[index(q)];
    if (queue.empty() || queue.front().ready > cycle) continue;
    const Wavelet& head = queue.front();
    const int color = queue.back().color;  // of all, but in the cycle of a fault
    if (color_blocked[index(color)] || claimed(Operand::Kind::input, q)) continue;
    if (!head.control) {
      consider({rank(bit(program->high_data, color)), Candidate::data, color, q,
                program->data_entry[index(color)]});
      continue;
    }
    const int id = entry_point(head.payload);
    if (id == kNoEntry)
      consider({Candidate::nothing, Candidate::control, id, q, Program::kUnbound});
    else
      consider({rank(bit(program->high_control, id)), Candidate::control, id, q,
                program->control_entry[index(id)]});
  }
  return best;
}

void Core::pick_task(std::uint64_t cycle) {
  executing = -1;
  if (!program || running || stopped) return;
  const std::optional<Candidate> task = choose(cycle);
  if (!task) return;
  did_something = true;
  Wavelet wavelet;
  if (task->queue >= 0) {
    wavelet = input[index(task->queue)].front();
    input[index(task->queue)].pop_front();
    emit_element(cycle, kTakenByCore, 1U << task->queue);
  }
  if (task->rank == Candidate::nothing) {
    looks_again = true;
    return;
  }
  if (task->entry == Program::kUnbound)
    return stop(FaultKind::unbound_task, task->queue >= 0 ? wavelet.color : -1, task->number);
  if (task->kind == Candidate::local) active[index(task->number)] = false;
  if (task->kind == Candidate::data) reg[0] = wavelet.payload;
  if (task->kind == Candidate::control) reg[0] = wavelet.payload & 0xffffU;
  constexpr int kFirst[] = {0, 32, 64};  // of data, local and control tasks: events.def
  emit(EventKind::task_start, cycle, kFirst[task->kind] + task->number,
       static_cast<std::uint32_t>(task->entry));
  running = did.in_task = did.computes = did.took_task = true;
  task_pc = pc = static_cast<std::uint32_t>(task->entry);
  wake = cycle + static_cast<std::uint64_t>(machine.task_start_cycles);
  note_phase();
}

// 4. Work that is left.

bool Core::is_due(std::uint64_t cycle) const {
  if ((running && !waiting) || looks_again) return true;
  for (const auto& m : microthread)
    if (m && (m->first > cycle || acts(*m, cycle))) return true;
  for (const Queue& q : input)
    if (!q.empty() && q.back().ready > cycle) return true;
  for (const Queue& q : output)
    if (!q.empty() && q.back().ready > cycle) return true;
  return false;
}

bool Core::holds_work() const {
  if (running) return true;
  for (const bool waits : active)  // at rest it is blocked
    if (waits) return true;
  for (const auto& m : microthread)
    if (m) return true;
  for (const Queue& q : input)
    if (!q.empty()) return true;
  for (const Queue& q : output)
    if (!q.empty()) return true;
  return false;
}

}  // namespace weft::spec
