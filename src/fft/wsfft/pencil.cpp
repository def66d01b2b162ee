#include "fft/wsfft/pencil.hpp"

#include <bit>

#include "fft/wsfft/pencil_algorithms.hpp"
#include "isa/alu.hpp"

namespace weft::wsfft {
namespace {

int half_of(int n, bool /*least*/) { return n / 2; }
/// Of lifting_pairs, with two powers in each of n / 4 rows.
int split_radix_pairs(int n, bool least) { return n / 4 / (least ? 2 : 1) * 2; }
bool is_power_of_two(int n) { return n >= 4 && std::has_single_bit(static_cast<unsigned>(n)); }

constexpr std::string_view kPowersOfTwo = "powers of two from 4", kSmooth = "2^a 3^b 5^c from 2";

constexpr PencilAlgorithm kAlgorithms[] = {
    {FftPencil::radix2, is_power_of_two, kPowersOfTwo, emit_radix2, half_of, radix2_roots, 4096,
     4096, 2048},
    {FftPencil::radix4, is_smooth, kSmooth, emit_radix4, radix4_pairs, radix4_roots, 4096, 4096,
     2048},
    {FftPencil::split_radix, is_power_of_two, kPowersOfTwo, emit_split_radix, split_radix_pairs,
     split_radix_roots, 1024, 1024, 1024},
    {FftPencil::stockham, is_smooth, kSmooth, emit_stockham, stockham_pairs, stockham_roots, 4096,
     4096, 2048},
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
