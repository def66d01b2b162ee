// The start of a stage, its steps, and its end.
#include "fft/s3dft/stage.hpp"

#include "fft/s3dft/vectors.hpp"
#include "fft/wsfft/part_vectors.hpp"

namespace weft::s3dft {

void StageWriter::choose_ring() {
  const RingPorts& ports = ports_of(stage.ring);
  const int words = words_of_step(t, stage);
  name_vector(p, kBuffer[0], full, 0, {{static_cast<std::uint16_t>(words), 1}});
  name_vector(p, kBuffer[1], room, 0, {{static_cast<std::uint16_t>(words), 1}});
  p.dfabin(kIn, ports.input_queue);
  p.dlen(kIn, words);
  p.lw(kAt, kZero, launch());
  choose_color(kOut, ports);
  if (rolls_factors()) choose_way();
}

/// In the same number of cycles whichever it is: lines of PEs are stepped together as long as they
/// do the same.
void StageWriter::choose_color(Dsr out, const RingPorts& ports) {
  const Label first = p.label(), second = p.label(), third = p.label(), end = p.label();
  const auto name = [&](std::size_t color, int idle) {
    p.dfabout(out, ports.output_queue, ports.colors[color]);
    for (int k = 0; k < idle; ++k) p.mov(kAt, kAt);
  };
  p.beq(kAt, kZero, first);
  p.addi(kAt, kAt, -1);
  p.beq(kAt, kZero, second);
  name(2, 0);
  p.jump(third);
  p.place(third);
  p.jump(end);
  p.place(second);
  name(1, 1);
  p.jump(end);
  p.place(first);
  name(0, 3);
  p.jump(end);
  p.place(end);
}

void StageWriter::set_up() {
  const Products all = products();
  const int words_of_block = static_cast<int>(numbers_of(t.division) * number_bytes() / 4);
  if (number > 0) {  // sums start at 0, as memory does
    name_vector(p, kWhole, sums, 0, {{static_cast<std::uint16_t>(words_of_block), 1}});
    p.vmov32r(kWhole, kZero);
  }
  if (ring() > 1) choose_ring();
  for (const int parity : {0, 1}) {
    const MemorySpan& source = parity == 0 ? full : room;
    name_vector(p, kSourceRe[parity], source, 0, all.vector);
    name_vector(p, kSourceIm[parity], source, all.imaginary_source, all.vector);
    if (ring() == 1) break;
  }
  name_vector(p, kResultRe, sums, 0, all.vector);
  name_vector(p, kResultIm, sums, all.imaginary_result, all.vector);
  p.li(kLeft, ring());
  if (rolls_factors()) return;
  p.lw(kNumber, kZero, launch() + 4);
  p.lw(kRoot, kZero, launch() + 8);
  p.lw(kStep, kZero, launch() + 12);
}

void StageWriter::move_on(int parity) {
  using AtEnd = VectorOptions::AtEnd;
  const auto then = [](AtEnd at_end, Task task) {
    return VectorOptions{.async = true, .at_end = at_end, .task_id = task.id};
  };
  const auto other = static_cast<std::size_t>(1 - parity);
  const Task next = tasks.step[other];
  p.block(next);
  Task sent = next;
  if (rolls_factors()) {
    const auto& [factors_moved, all_but_one] = tasks.join[other];
    p.block(factors_moved);
    p.block(all_but_one);
    p.vmov32(kFactors[other], kFactorsIn, then(AtEnd::activate, factors_moved));
    p.vmov32(kFactorsOut, kFactors[parity], then(AtEnd::unblock, factors_moved));
    sent = all_but_one;
  }
  p.vmov32(kBuffer[other], kIn,
           rolls_factors() ? then(AtEnd::unblock, next) : then(AtEnd::activate, next));
  p.vmov32(kOut, kBuffer[parity], then(AtEnd::unblock, sent));
}

/// The tasks by which a step waits for four streams.
void StageWriter::join(int parity) {
  const auto k = static_cast<std::size_t>(parity);
  const auto& [factors_moved, all_but_one] = tasks.join[k];
  p.local_task(factors_moved.id);
  p.activate(all_but_one);
  p.end();
  p.local_task(all_but_one.id);
  p.activate(tasks.step[k]);
  p.end();
}

/// Sends the block on, receives the next one, and multiplies; after the last block, goes to `end`.
void StageWriter::step(int parity, Label end) {
  p.addi(kLeft, kLeft, -1);
  if (ring() > 1) {
    const Label last = p.label();
    p.beq(kLeft, kZero, last);
    move_on(parity);
    p.place(last);
  }
  add_block(parity);
  p.beq(kLeft, kZero, end);
  p.end();
}

/// At the end of a stage.
void StageWriter::finish() {
  const float scale = t.scale[static_cast<std::size_t>(stage.summed)];
  if (scale != 1) {
    const int parts = static_cast<int>(numbers_of(t.division) * 2);
    name_vector(p, kWhole, sums, 0, {{static_cast<std::uint16_t>(parts), 1}});
    wsfft::PartVectors{p, {t.precision}}.scale(kWhole, kScratch, scale);
  }
  stamp(phase);
}

void StageWriter::stamp(int of_phase) {
  p.tsc(kScratch);
  p.sw(kScratch, kZero, address(m.stamps) + 4 * of_phase);
}

/// The code that follows is of this phase.
void StageWriter::name_phase(int of_phase) {
  p.phase(phases(t)[static_cast<std::size_t>(of_phase)].name);
}

void StageWriter::write() {
  const Label end = p.label();
  const std::array<Label, 2> first{p.label(), p.label()}, aligned{p.label(), p.label()};
  const int buffers = ring() > 1 ? 2 : 1;
  name_phase(rolls_factors() ? phase - 1 : phase);
  set_up();
  if (rolls_factors() && buffers == 2) {
    const Label begin = p.label();
    p.lw(kLeft, kZero, launch() + 4);
    p.jump(begin);
    p.end();
    for (const int parity : {0, 1}) {
      const auto k = static_cast<std::size_t>(parity);
      name_phase(phase - 1);
      p.local_task(tasks.align[k].id);
      if (parity == 0) p.place(begin);
      align(parity, aligned[k]);
      p.place(aligned[k]);
      stamp(phase - 1);
      name_phase(phase);
      p.li(kLeft, ring());
      p.jump(first[k]);
      p.end();
      p.shared_by_phases();
      join(parity);
    }
  } else {
    if (rolls_factors()) stamp(phase - 1);
    p.jump(first[0]);
    p.end();
  }
  name_phase(phase);
  for (int parity = 0; parity < buffers; ++parity) {
    const auto k = static_cast<std::size_t>(parity);
    p.local_task(tasks.step[k].id);
    p.place(first[k]);
    step(parity, end);
  }
  p.place(end);
  finish();
}

}  // namespace weft::s3dft
