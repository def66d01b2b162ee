#pragma once

#include <string_view>

namespace weft::inline v0 {

/// The value of a word, as to_string has it: of Engine, FftPrecision, FftDirection, FftKind,
/// FftNorm, FftAlgorithm, S3dftForm, FftTranspose or FftPencil. Throws Error(usage) for an unknown
/// word; `subject` is what the word is for, such as "norm".
template <class Enum>
Enum from_word(std::string_view subject, std::string_view word);

}  // namespace weft::inline v0
