#include "weft/words.hpp"

#include <fmt/format.h>

#include "base/words.hpp"

namespace weft::inline v0 {
namespace {

template <class Enum>
std::string_view word_of(Enum value) noexcept {
  const auto* const found = std::ranges::find(base::kWords<Enum>, value, &base::Word<Enum>::value);
  return found == std::end(base::kWords<Enum>) ? "" : found->word;
}

}  // namespace

template <class Enum>
Enum from_word(std::string_view subject, std::string_view word) {
  return base::value_of(word, base::kWords<Enum>, fmt::format("invalid {}: {}", subject, word));
}

#define WEFT_WORDS(Enum)                                                     \
  std::string_view to_string(Enum value) noexcept { return word_of(value); } \
  template Enum from_word<Enum>(std::string_view subject, std::string_view word);
WEFT_WORDS(Engine)
WEFT_WORDS(FftAlgorithm)
WEFT_WORDS(S3dftForm)
WEFT_WORDS(FftPrecision)
WEFT_WORDS(FftDirection)
WEFT_WORDS(FftKind)
WEFT_WORDS(FftNorm)
WEFT_WORDS(FftTranspose)
WEFT_WORDS(FftPencil)
#undef WEFT_WORDS

}  // namespace weft::inline v0
