#pragma once

#include "isa/control.hpp"
#include "pe/active.hpp"
#include "pe/core_view.hpp"

/// Tasks: their bits, and which one an idle core takes next.
namespace weft::pe {

/// Sets or clears the blocked bit: of a local task, or of the color that data and control tasks
/// come by.
WEFT_HD void set_blocked(CoreView c, TaskKind kind, int id, bool blocked) {
  if (kind == TaskKind::local) {
    set_bit(c.far().blocked, id, blocked);
    return look_at_local_tasks(c);
  }
  if (id >= kColors) return;
  set_bit(c.far().blocked_colors, id, blocked);
  for (int q = 0; q < kInputQueues; ++q)
    if (c.in().marks.color[q] == id) set_bit(c.near().blocked, q, blocked);
}

/// The router has torn colors down.
WEFT_HD_RARE void tell_torn_down(CoreArgs args, std::uint32_t colors) {
  const CoreView c = args.view();
  constexpr int kHandler = 29;  // fixed by the machine
  if (!c.near().placed) return;
  c.far().pending |= colors;
  activate(c, kHandler);
}

/// Something that an idle core could take. The least is taken: a control wavelet that starts no
/// task, then high priority, then data, local and control tasks, then by number and queue.
struct Choice {
  enum Rank : std::uint32_t { nothing, high, low };
  enum Sort : std::uint32_t { data, local, control };

  std::uint32_t word;

  WEFT_HD static Choice of(Rank rank, Sort sort, int number, int queue = 0) {
    return {rank << 12U | sort << 10U | static_cast<std::uint32_t>(number) << 4U |
            static_cast<std::uint32_t>(queue)};
  }
  WEFT_HD static Rank rank(bool is_high) { return is_high ? high : low; }
  WEFT_HD Rank rank() const { return static_cast<Rank>(word >> 12U); }
  WEFT_HD Sort sort() const { return static_cast<Sort>(word >> 10U & 3U); }
  WEFT_HD int number() const { return static_cast<int>(word >> 4U & 63U); }
  WEFT_HD int queue() const { return static_cast<int>(word & 15U); }
};

/// The task of the wavelet at the head of an input queue.
WEFT_HD Choice offer_of(CoreView c, int queue) {
  const Wavelet head = c.in().wavelet(queue, 0);
  if (!head.control)
    return Choice::of(Choice::rank((c.tasks().high_data >> head.color & 1U) != 0), Choice::data,
                      head.color, queue);
  const auto id = static_cast<int>(isa::entry(head.payload));
  if (id == kNoEntry) return Choice::of(Choice::nothing, Choice::control, id, queue);
  return Choice::of(Choice::rank((c.tasks().high_control >> id & 1U) != 0), Choice::control, id,
                    queue);
}

/// `queues`: those whose heads may start something. There is something to take.
WEFT_HD Choice choose(CoreView c, std::uint32_t queues) {
  Choice best{~0U};
  if (const std::uint32_t ready = c.far().active & ~c.far().blocked; ready != 0) {
    const std::uint32_t high = ready & c.tasks().high_local;
    best = Choice::of(Choice::rank(high != 0), Choice::local, lowest(high != 0 ? high : ready));
  }
  for (; queues != 0; queues &= queues - 1U) {
    const Choice offer = offer_of(c, lowest(queues));
    if (offer.word < best.word) best = offer;
  }
  return best;
}

WEFT_HD std::int32_t entry_of(CoreView c, Choice task) {
  const model::TaskTable& tasks = c.tasks();
  if (task.sort() == Choice::data) return tasks.data[task.number()];
  return task.sort() == Choice::local ? tasks.local[task.number()] : tasks.control[task.number()];
}

WEFT_HD_RARE void take_task(CoreArgs args, std::uint32_t queues) {
  const CoreView c = args.view();
  const Choice task = choose(c, queues);
  const bool local = task.sort() == Choice::local;
  Wavelet wavelet{0, -1, false};
  if (!local) wavelet = pop(c.in(), task.queue());
  if (task.rank() == Choice::nothing) {
    c.did(Did::again);
    return;
  }
  const std::int32_t entry = entry_of(c, task);
  if (entry < 0) return halt(c, FaultKind::unbound_task, wavelet.color, task.number());
  if (local) {
    set_bit(c.far().active, task.number(), false);
    look_at_local_tasks(c);
  } else {
    c.reg(0) = wavelet.control ? wavelet.payload & 0xffffU : wavelet.payload;
  }
  c.near().running = true;
  c.near().pc = static_cast<std::uint32_t>(entry);
  c.near().due = static_cast<std::uint32_t>(c.cycle) + c.rules().timing.task_start;
}

/// 3.2. An idle core takes the next runnable task. Returns whether it took anything.
WEFT_HD bool pick_task(CoreView c) {
  if (c.near().running || !c.near().placed) return false;
  const std::uint32_t free = ~std::uint32_t{c.near().claimed} & ~std::uint32_t{c.near().blocked};
  const std::uint32_t queues = c.in().ramp.ready & free;
  if (queues == 0 && !c.near().offered) return false;
  take_task(c, queues);
  return true;
}

}  // namespace weft::pe
