#include "fft/wsfft/pencil.hpp"

#include "fft/wsfft/pencil_algorithms.hpp"
#include "isa/alu.hpp"

namespace weft::wsfft {
namespace {

int half_of(int n) { return n / 2; }
int three_quarters_of(int n) { return 3 * n / 4; }

constexpr PencilAlgorithm kAlgorithms[] = {
    {FftPencil::radix2, emit_radix2, half_of, radix2_roots, 4096, 4096, 2048},
    {FftPencil::radix4, emit_radix4, three_quarters_of, radix4_roots, 4096, 4096, 2048},
    {FftPencil::split_radix, emit_split_radix, half_of, split_radix_roots, 1024, 1024, 1024},
    {FftPencil::stockham, emit_stockham, half_of, stockham_roots, 4096, 4096, 2048},
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
                 const PencilTransform& transform, std::uint32_t roots) {
  p.place(entry);
  algorithm_of(pencil).emit(p, call, transform, roots);
  p.ret(call.link);
}

}  // namespace weft::wsfft
