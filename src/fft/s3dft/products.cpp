// The products of a step.
#include <bit>

#include "fft/s3dft/stage.hpp"
#include "fft/wsfft/part_vectors.hpp"

namespace weft::s3dft {

Products StageWriter::products() const {
  const Division& d = t.division;
  const int n0 = d.sides[0], bx = numbers_along_x(d), by = numbers_along_y(d);
  const int pencil = n0 * part(), block = bx * by * pencil;
  const auto dimension = [](int extent, int stride) {
    return Dimension{static_cast<std::uint16_t>(extent), static_cast<std::int16_t>(stride)};
  };
  switch (stage.summed) {
    case 2:
      return {bx, bx, by * pencil, by * pencil, {dimension(by * n0, 1)}, block, block};
    case 1:
      return {by, by, pencil, pencil, {dimension(bx, by * n0), dimension(n0, 1)}, block, block};
    default:
      return {most_rows(n0, pes()), bx * by, 2 * pencil, pencil, {dimension(n0, 1)}, pencil, block};
  }
}

/// r modulo `below`, which is above -below and less than it.
void StageWriter::wrap(Reg r, int below) {
  if (std::has_single_bit(static_cast<unsigned>(below))) {
    p.bandi(r, r, below - 1);
    return;
  }
  p.sari(kScratch, r, 31);
  p.bandi(kScratch, kScratch, below);
  p.add(r, r, kScratch);
}

void StageWriter::lower(Reg r, Reg by, int below) {
  p.sub(r, r, by);
  wrap(r, below);
}

void StageWriter::raise(Reg r, int by, int below) {
  p.addi(r, r, by - below);
  wrap(r, below);
}

/// wr, wi and -wi of a number in memory, whose imaginary part is so many bytes behind.
void StageWriter::load_factor(Reg at, std::int32_t base, int imaginary) {
  wsfft::load_factor(p, {t.precision}, {kRe, kIm, kMinusIm}, at, base, imaginary);
}

/// The result += the source times a complex number.
void StageWriter::multiply_add(int parity) {
  const wsfft::PartVectors v{p, {t.precision}};
  v.multiply_add(kResultRe, kSourceRe[parity], kRe);
  v.multiply_add(kResultRe, kSourceIm[parity], kMinusIm);
  v.multiply_add(kResultIm, kSourceRe[parity], kIm);
  v.multiply_add(kResultIm, kSourceIm[parity], kRe);
}

/// All results of one source.
void StageWriter::add_source(int parity, const Products& all) {
  const bool several = all.results > 1, rolls = stage.rolls_array();
  const bool counts = rolls && !rolls_factors();  // roots by their number
  const Reg first = rolls ? kRoot : kNumber, at = several && !rolls_factors() ? kAt : first;
  const Label next = p.label();
  if (several) {
    if (!rolls_factors()) p.mov(kAt, first);
    p.li(kResults, all.results);
    p.place(next);
  }
  if (rolls_factors())
    load_factor(at, address(factors(parity)), part());
  else if (rolls)
    load_factor(at, address(m.roots_of(n()).span), part());
  else
    load_factor(at, address(array), all.imaginary_result);
  multiply_add(parity);
  if (several) {
    p.dadd(kResultRe, kZero, all.result_bytes);
    p.dadd(kResultIm, kZero, all.result_bytes);
    if (counts)
      lower(kAt, kNumber, n() * number_bytes());
    else
      p.addi(at, at, rolls ? number_bytes() : all.result_bytes);
    p.addi(kResults, kResults, -1);
    p.bne(kResults, kZero, next);
    p.dadd(kResultRe, kZero, -all.results * all.result_bytes);
    p.dadd(kResultIm, kZero, -all.results * all.result_bytes);
  }
  if (rolls_factors()) return;
  if (rolls) {
    lower(kRoot, kStep, n() * number_bytes());
    if (several) raise(kNumber, number_bytes(), n() * number_bytes());
  } else {
    raise(kNumber, part(), n() * part());
  }
}

/// All sources of a block.
void StageWriter::add_block(int parity) {
  const Products all = products();
  if (rolls_factors()) p.li(kRoot, 0);  // through the block, row by row
  if (all.sources == 1 && !uneven()) return add_source(parity, all);
  const Label next = p.label(), none = p.label();
  const MemorySpan& source = parity == 0 ? full : room;
  if (uneven()) {
    p.dbase(kSourceRe[parity], address(source));
    p.dbase(kSourceIm[parity], address(source) + all.imaginary_source);
  }
  p.li(kSources, uneven() ? n() / pes() : all.sources);
  if (uneven()) {  // one more row of the first places
    p.sari(kScratch, kStep, 31);
    p.sub(kSources, kSources, kScratch);
    const Label goes_on = p.label();
    p.addi(kStep, kStep, 1);
    p.li(kScratch, pes() - n() % pes());
    p.bne(kStep, kScratch, goes_on);
    p.li(kStep, -(n() % pes()));
    p.place(goes_on);
    p.beq(kSources, kZero, none);
  }
  p.place(next);
  add_source(parity, all);
  p.dadd(kSourceRe[parity], kZero, all.source_bytes);
  p.dadd(kSourceIm[parity], kZero, all.source_bytes);
  p.addi(kSources, kSources, -1);
  p.bne(kSources, kZero, next);
  p.place(none);
  if (uneven()) return;  // not all PEs have moved it as far
  p.dadd(kSourceRe[parity], kZero, -all.sources * all.source_bytes);
  p.dadd(kSourceIm[parity], kZero, -all.sources * all.source_bytes);
}

}  // namespace weft::s3dft
