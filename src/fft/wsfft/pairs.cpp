#include "fft/wsfft/pairs.hpp"

#include "fft/wsfft/part_vectors.hpp"

namespace weft::wsfft {
namespace {

constexpr Reg kPair{6}, kSpectra{7}, kPairsEnd{8};  // addresses

/// A part, real or imaginary, of some numbers.
struct Part {
  Dsr descriptor;
  Reg base;
  int first;  ///< the part's offset in bytes from `base`
};

void name(ProgramBuilder& p, const Part& part, int step, int count) {
  p.dbaser(part.descriptor, part.base, part.first);
  p.dstride(part.descriptor, step);
  p.dlen(part.descriptor, count);
}

constexpr Dsr kZRe{0}, kZIm{1}, kMirrorRe{2}, kMirrorIm{3}, kARe{4}, kAIm{5}, kBRe{6}, kBIm{7};

/// Names both parts of Z from k on, of Z mirrored from n - k down, and of A and B from k on.
void name_all(ProgramBuilder& p, Numbers numbers, const Pairs& pairs, int k, int mirrored,
              int count) {
  const int bytes = numbers.bytes(), part = bytes / 2;
  for (const Part& z : {Part{kZRe, kPair, k * bytes}, Part{kZIm, kPair, k * bytes + part}})
    name(p, z, 2, count);
  for (const Part& mirror :
       {Part{kMirrorRe, kPair, mirrored * bytes}, Part{kMirrorIm, kPair, mirrored * bytes + part}})
    name(p, mirror, -2, count);
  const int b = pairs.pitch * bytes;
  for (const Part& spectrum :
       {Part{kARe, kSpectra, k * bytes}, Part{kAIm, kSpectra, k * bytes + part},
        Part{kBRe, kSpectra, b + k * bytes}, Part{kBIm, kSpectra, b + k * bytes + part}})
    name(p, spectrum, 2, count);
}

/// body() for each pair, with kPair and kSpectra at its numbers.
template <class Body>
void for_pairs(ProgramBuilder& p, Numbers numbers, const Pairs& pairs, const MemorySpan& pair,
               const MemorySpan& spectra, Body body) {
  const int step = pairs.n * numbers.bytes();
  const auto first = static_cast<std::int32_t>(pair.address);
  const Label again = p.label();
  p.li(kPair, first);
  p.li(kSpectra, static_cast<std::int32_t>(spectra.address));
  p.li(kPairsEnd, first + pairs.count * step);
  p.place(again);
  body();
  p.addi(kPair, kPair, step);
  p.addi(kSpectra, kSpectra, 2 * pairs.pitch * numbers.bytes());
  p.bne(kPair, kPairsEnd, again);
}

}  // namespace

Pairs pairs_of(const Division& division) {
  const Pencils pencils = pencils_of(division, kSpace);
  return {pencils.n, pencils.count, division.pitch(2)};
}

void emit_separation(ProgramBuilder& p, Numbers numbers, const Pairs& pairs, const MemorySpan& from,
                     const MemorySpan& to) {
  const PartVectors v{p, numbers};
  for_pairs(p, numbers, pairs, from, to, [&] {
    const auto part = [&](int k, int mirrored, int count) {
      name_all(p, numbers, pairs, k, mirrored, count);
      v.add(kARe, kZRe, kMirrorRe);
      v.subtract(kAIm, kZIm, kMirrorIm);
      v.add(kBRe, kZIm, kMirrorIm);
      v.subtract(kBIm, kMirrorRe, kZRe);
    };
    part(0, 0, 1);  // number n is number 0
    part(1, pairs.n - 1, pairs.n / 2);
  });
}

void emit_join(ProgramBuilder& p, Numbers numbers, const Pairs& pairs, const MemorySpan& from,
               const MemorySpan& to) {
  const int half = pairs.n / 2;
  const PartVectors v{p, numbers};
  for_pairs(p, numbers, pairs, to, from, [&] {
    name_all(p, numbers, pairs, 1, pairs.n - 1, half - 1);
    v.subtract(kZRe, kARe, kBIm);
    v.add(kZIm, kAIm, kBRe);
    v.add(kMirrorRe, kARe, kBIm);
    v.subtract(kMirrorIm, kBRe, kAIm);
    // Numbers 0 and n / 2, whose mirror images they are themselves.
    name_all(p, numbers, pairs, 0, 0, 2);
    for (const Dsr d : {kZRe, kZIm, kARe, kBRe}) p.dstride(d, pairs.n);
    v.move(kZRe, kARe);
    v.move(kZIm, kBRe);
  });
}

}  // namespace weft::wsfft
