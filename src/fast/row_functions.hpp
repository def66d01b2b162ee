#pragma once

#include "isa/elements.hpp"
#include "model/lanes/lanes.hpp"

/// The column `function` of instructions.def for all lanes at once.
namespace weft::fast {

using namespace model;

/// An element of a vector instruction in each lane of a strip: f(d, a, b). (Not only in those that
/// want it: loops without a mask are what the compiler turns into vector instructions.)
WEFT_OWN void apply(Op op, isa::Word* __restrict__ result, const isa::Word* d, const isa::Word* a,
                    const isa::Word* b) {
  switch (op) {
#define WEFT_INSTRUCTION(name, format, function, ...)                        \
  case Op::name:                                                             \
    if constexpr (isa::is_vector(isa::Format::format))                       \
      for (int i = 0; i < kLanes; ++i)                                       \
        result[i] = static_cast<isa::Word>(isa::function(d[i], a[i], b[i])); \
    return;
#include "isa/instructions.def"
  }
}

}  // namespace weft::fast
