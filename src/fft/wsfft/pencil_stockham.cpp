// Radix 2, self-sorting. An even number of passes ends where it began: if there would be an odd
// one, the first two, which have no roots but 1 and I, become one of radix 4.

#include "fft/wsfft/pencil_algorithms.hpp"
#include "fft/wsfft/pencil_passes.hpp"

namespace weft::wsfft {

void emit_stockham(ProgramBuilder& p, const PencilCall& call, const PencilTransform& t,
                   const PencilRoots& roots) {
  VectorWriter v(p, t.numbers, call.zero);
  PencilPass pass{v, call, t};
  const RootTable table{roots, roots.n / 2, 1};
  int levels = 0;
  while (1 << levels < t.n) ++levels;
  if (levels % 2 == 1) emit_radix4_pass(pass, {});
  while (pass.K < t.n) emit_radix2_pass(pass, table, 0);
  emit_scale(pass);
}

std::vector<std::uint32_t> stockham_roots(Numbers numbers, int n, FftDirection /*direction*/,
                                          bool least) {
  return lifting_pairs(numbers, n, n / 2, {1}, least);
}

}  // namespace weft::wsfft
