// The form as published: before its steps, the array's blocks go round the rings by as many places
// as the PE's line has before it, the shorter way round; and blocks of the matrix go round the
// rings of the other axis of the mesh.
#include "fft/s3dft/stage.hpp"
#include "fft/s3dft/vectors.hpp"

namespace weft::s3dft {

/// The streams of the factors, and the ring by which the PE's line is aligned.
void StageWriter::choose_way() {
  const int words = static_cast<int>(factors(0).bytes / 4);
  for (const int parity : {0, 1})
    name_vector(p, kFactors[parity], factors(parity), 0, {{static_cast<std::uint16_t>(words), 1}});
  const RingPorts& factor_ports = ports_of(other());
  p.dfabin(kFactorsIn, factor_ports.input_queue);
  p.dlen(kFactorsIn, words);
  p.lw(kAt, kZero, launch() + 12);
  choose_color(kFactorsOut, factor_ports);

  const Label onwards = p.label(), chosen = p.label();
  const auto name = [&](Around way) {
    const RingPorts& ports = ports_of(stage.ring, way);
    choose_color(kAlignOut, ports);
    p.dfabin(kAlignIn, ports.input_queue);
  };
  p.lw(kAt, kZero, launch() + 8);
  p.li(kScratch, 3);
  p.bge(kAt, kScratch, onwards);
  name(Around::backwards);
  p.jump(chosen);
  p.place(onwards);
  p.addi(kAt, kAt, -3);
  name(Around::onwards);
  p.place(chosen);
  p.dlen(kAlignIn, words_of_step(t, stage));
}

/// One place on, until the block is where the first step wants it.
void StageWriter::align(int parity, Label aligned) {
  using AtEnd = VectorOptions::AtEnd;
  const Task next = tasks.align[static_cast<std::size_t>(1 - parity)];
  p.beq(kLeft, kZero, aligned);
  p.addi(kLeft, kLeft, -1);
  p.block(next);
  p.vmov32(kBuffer[1 - parity], kAlignIn,
           {.async = true, .at_end = AtEnd::activate, .task_id = next.id});
  p.vmov32(kAlignOut, kBuffer[parity],
           {.async = true, .at_end = AtEnd::unblock, .task_id = next.id});
  p.end();
}

}  // namespace weft::s3dft
