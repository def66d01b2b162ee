#include "fft/wsfft/pencil.hpp"

#include "fft/wsfft/pencil_algorithms.hpp"
#include "isa/alu.hpp"

namespace weft::wsfft {
namespace {

int half_of(int n, bool /*least*/) { return n / 2; }
/// Of lifting_pairs, where a row of the table is one of so many.
template <int row, int powers>
int pairs_of(int n, bool least) {
  return n / row / (least ? 2 : 1) * powers;
}

constexpr PencilAlgorithm kAlgorithms[] = {
    {FftPencil::radix2, emit_radix2, half_of, radix2_roots, 4096, 4096, 2048},
    {FftPencil::radix4, emit_radix4, pairs_of<4, 3>, radix4_roots, 4096, 4096, 2048},
    {FftPencil::split_radix, emit_split_radix, pairs_of<4, 2>, split_radix_roots, 1024, 1024, 1024},
    {FftPencil::stockham, emit_stockham, pairs_of<2, 1>, stockham_roots, 4096, 4096, 2048},
};

}  // namespace

void encode(Numbers numbers, std::complex<float> value, std::uint32_t* words) {
  if (numbers.halves()) {
    words[0] = isa::to_half(value.real()) | isa::to_half(value.imag()) << 16U;
  } else {
    words[0] = isa::as_word(value.real());
    words[1] = isa::as_word(value.imag());
  }
}

std::complex<float> decode(Numbers numbers, const std::uint32_t* words) {
  if (numbers.halves())
    return {isa::from_half(words[0] & 0xffffU), isa::from_half(words[0] >> 16U)};
  return {isa::as_float(words[0]), isa::as_float(words[1])};
}

std::span<const PencilAlgorithm> pencil_algorithms() { return kAlgorithms; }

const PencilAlgorithm& algorithm_of(FftPencil pencil) {
  return kAlgorithms[static_cast<std::size_t>(pencil)];
}

void emit_pencil(ProgramBuilder& p, Label entry, const PencilCall& call, FftPencil pencil,
                 const PencilTransform& transform, const PencilRoots& roots) {
  p.place(entry);
  algorithm_of(pencil).emit(p, call, transform, roots);
  p.ret(call.link);
}

}  // namespace weft::wsfft
