#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ranges>
#include <string>
#include <string_view>
#include <vector>

#include "base/nearest.hpp"
#include "weft/engine.hpp"
#include "weft/error.hpp"
#include "weft/fft.hpp"

/// Words of enumerations and of other tables, in both directions.
namespace weft::base {

/// A word and its meaning.
template <typename T>
struct Word {
  std::string_view word;
  T value;
  std::string_view in_command = word;  ///< as options of the command have it
};

/// The words of an enumeration: of to_string, of options, and of arguments in Python.
template <typename Enum>
inline constexpr int kWords = 0;
template <>
inline constexpr Word<Engine> kWords<Engine>[] = {{"auto", Engine::automatic},
                                                  {"host", Engine::host},
                                                  {"cuda", Engine::cuda},
                                                  {"reference", Engine::reference}};
template <>
inline constexpr Word<FftAlgorithm> kWords<FftAlgorithm>[] = {{"wsfft", FftAlgorithm::wsfft},
                                                              {"s3dft", FftAlgorithm::s3dft}};
template <>
inline constexpr Word<S3dftForm> kWords<S3dftForm>[] = {
    {"held", S3dftForm::held}, {"cannon", S3dftForm::cannon}, {"cubes", S3dftForm::cubes}};
template <>
inline constexpr Word<FftPrecision> kWords<FftPrecision>[] = {{"fp16", FftPrecision::fp16},
                                                              {"fp32", FftPrecision::fp32}};
template <>
inline constexpr Word<FftDirection> kWords<FftDirection>[] = {{"forward", FftDirection::forward},
                                                              {"inverse", FftDirection::inverse}};
template <>
inline constexpr Word<FftKind> kWords<FftKind>[] = {{"complex", FftKind::complex},
                                                    {"real", FftKind::real}};
template <>
inline constexpr Word<FftNorm> kWords<FftNorm>[] = {
    {"backward", FftNorm::backward}, {"ortho", FftNorm::ortho}, {"forward", FftNorm::forward}};
template <>
inline constexpr Word<FftTranspose> kWords<FftTranspose>[] = {
    {"automatic", FftTranspose::automatic, "auto"},  // the library has always had the long word
    {"published", FftTranspose::published},
    {"interlocked", FftTranspose::interlocked},
    {"ring", FftTranspose::ring},
    {"halves", FftTranspose::halves},
    {"butterflies", FftTranspose::butterflies},
    {"fastest", FftTranspose::fastest}};
template <>
inline constexpr Word<FftPencil> kWords<FftPencil>[] = {
    {"radix2", FftPencil::radix2},           {"radix4", FftPencil::radix4},
    {"split-radix", FftPencil::split_radix}, {"stockham", FftPencil::stockham},
    {"fastest", FftPencil::fastest},         {"automatic", FftPencil::automatic, "auto"}};

/// The value of a word. Throws Error(usage) with this problem for an unknown one.
template <typename Words, typename W = std::ranges::range_value_t<Words>>
auto value_of(std::string_view word, const Words& known, std::string problem,
              std::string_view W::*spelling = &W::word) {
  const auto found = std::ranges::find(known, word, spelling);
  if (found != std::ranges::end(known)) return found->value;
  std::vector<std::string_view> words;
  words.reserve(std::ranges::size(known));
  for (const W& each : known) words.push_back(each.*spelling);
  const auto meant = nearest(word, words);
  throw Error(ErrorCategory::usage, std::move(problem),
              fmt::format("known: {}", fmt::join(words, ", ")),
              meant ? fmt::format("the nearest is {}", *meant) : "use one of these");
}

}  // namespace weft::base
