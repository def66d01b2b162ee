// Radix 4, self-sorting, after none to three passes of radix 2: so many that an even number of
// passes ends where it began. The first two have no roots but 1 and I, and the three take no more
// operations than one of radix 2 and one of radix 4.

#include "fft/wsfft/pencil_algorithms.hpp"
#include "fft/wsfft/pencil_passes.hpp"

namespace weft::wsfft {

void emit_radix4(ProgramBuilder& p, const PencilCall& call, const PencilTransform& t,
                 const PencilRoots& roots) {
  VectorWriter v(p, t.numbers, call.zero);
  PencilPass pass{v, call, t};
  const RootTable table{roots, roots.n / 4, 3};
  constexpr int kSquare = 1;  // the second power of the roots for radix 4 is the one for radix 2
  int levels = 0;
  while (1 << levels < t.n) ++levels;
  for (int left = (4 - levels % 4) % 4; left > 0; --left) emit_radix2_pass(pass, table, kSquare);
  while (pass.K < t.n) emit_radix4_pass(pass, table);
  emit_scale(pass);
}

std::vector<std::uint32_t> radix4_roots(Numbers numbers, int n, FftDirection /*direction*/,
                                        bool least) {
  return lifting_pairs(numbers, n, n / 4, {1, 2, 3}, least);
}

}  // namespace weft::wsfft
