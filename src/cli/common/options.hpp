#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/nearest.hpp"
#include "weft/error.hpp"
#include "weft/fft.hpp"

namespace CLI {
class App;
}

/// Options that several sub-commands have, and the words that they take.
namespace weft::cli {

/// In place of a file name.
inline constexpr const char* kStandardOutput = "-";

void add_seed(CLI::App& command, std::optional<std::uint64_t>& seed, const std::string& group);
void add_machine(CLI::App& command, std::optional<std::string>& machine);
void add_threads(CLI::App& command, std::optional<int>& threads);
void add_report_options(CLI::App& command, std::optional<std::string>& json, bool& quiet);

/// Throws Error(usage) unless it is a count of arrays.
void check_batch(int batch);

/// The threads asked for, or one per core that this process may use. Throws Error(usage).
int choose_threads(const std::optional<int>& asked);

/// A word of the command line and what it stands for.
template <typename T>
struct Named {
  std::string_view name;
  T value;
};

template <typename T>
using Words = std::vector<Named<T>>;

inline const Words<FftPrecision> kPrecisions = {{"fp16", FftPrecision::fp16},
                                                {"fp32", FftPrecision::fp32}};
inline const Words<FftDirection> kDirections = {{"forward", FftDirection::forward},
                                                {"inverse", FftDirection::inverse}};
inline const Words<FftKind> kKinds = {{"complex", FftKind::complex}, {"real", FftKind::real}};
inline const Words<FftNorm> kNorms = {
    {"backward", FftNorm::backward}, {"ortho", FftNorm::ortho}, {"forward", FftNorm::forward}};
inline const Words<FftTranspose> kTransposes = {{"auto", FftTranspose::automatic},
                                                {"published", FftTranspose::published},
                                                {"interlocked", FftTranspose::interlocked}};
inline const Words<FftPencil> kPencils = {{"radix2", FftPencil::radix2},
                                          {"radix4", FftPencil::radix4},
                                          {"split-radix", FftPencil::split_radix},
                                          {"stockham", FftPencil::stockham}};

/// The switches of accelerations.
inline const Words<bool Accelerations::*> kAccelerations = {
    {"by-line", &Accelerations::by_line},
    {"delay-lines", &Accelerations::delay_lines},
    {"shared-execution", &Accelerations::shared_execution},
    {"run-ahead", &Accelerations::run_ahead},
    {"dry-run", &Accelerations::dry_run},
    {"shortcuts", &Accelerations::shortcuts}};

/// The meaning of `word`; throws Error(usage) that lists the words known.
template <typename T>
T choose(std::string_view option, std::string_view word, const Words<T>& known) {
  const auto found = std::ranges::find(known, word, &Named<T>::name);
  if (found != known.end()) return found->value;
  std::vector<std::string_view> names;
  for (const Named<T>& entry : known) names.push_back(entry.name);
  const auto meant = base::nearest(word, names);
  throw Error(ErrorCategory::usage, fmt::format("{} {} is unknown", option, word),
              fmt::format("known: {}", fmt::join(names, ", ")),
              meant ? fmt::format("the nearest is {}", *meant) : "use one of these");
}

/// The rows of a table of engines or references, by name.
template <typename Row>
Words<const Row*> words_of(std::span<const Row> table) {
  Words<const Row*> words;
  for (const Row& row : table) words.push_back({row.name, &row});
  return words;
}

/// Appends a value that is not there yet.
template <typename T>
void add_once(std::vector<T>& values, const T& value) {
  if (std::ranges::find(values, value) == values.end()) values.push_back(value);
}

/// The items of lists with commas between, such as "8,16,32". Throws Error(usage) for empty ones.
std::vector<std::string> split_lists(std::string_view option,
                                     const std::vector<std::string>& lists);

}  // namespace weft::cli
