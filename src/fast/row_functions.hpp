#pragma once

#include "isa/elements.hpp"
#include "model/lanes/loops.hpp"

/// The column `function` of instructions.def for all lanes at once.
namespace weft::fast {

using namespace model;

template <class F>
WEFT_INLINE void apply_all(F f, isa::Word* __restrict__ result, const isa::Word* d,
                           const isa::Word* a, const isa::Word* b) {
#if defined(WEFT_WORD_VECTORS)
  if constexpr (TakesVectors<F>) {
    for (int i = 0; i < kLanes; i += isa::kVectorWords)
      put_vector(result + i, f(vector_at(d + i), vector_at(a + i), vector_at(b + i)));
    return;
  }
#endif
  for (int i = 0; i < kLanes; ++i) result[i] = f(d[i], a[i], b[i]);
}

/// An element of a vector instruction in each lane of a strip: f(d, a, b). (Not only in those that
/// want it: loops without a mask are what the compiler turns into vector instructions.)
WEFT_OWN void apply(Op op, isa::Word* __restrict__ result, const isa::Word* d, const isa::Word* a,
                    const isa::Word* b) {
  switch (op) {
#define WEFT_INSTRUCTION(name, format, function, ...)                    \
  case Op::name:                                                         \
    if constexpr (isa::is_vector(isa::Format::format))                   \
      apply_all(WEFT_FUNCTION_OF_WORDS(isa::function), result, d, a, b); \
    return;
#include "isa/instructions.def"
  }
}

}  // namespace weft::fast
