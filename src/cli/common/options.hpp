#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/words.hpp"
#include "weft/fft.hpp"

namespace CLI {
class App;
}

/// Options that several sub-commands have, and the words that they take.
namespace weft::cli {

/// In place of a file name.
inline constexpr const char* kStandardOutput = "-";

inline constexpr std::size_t kOptionColumns = 24;  ///< of --help, before descriptions

void add_seed(CLI::App& command, std::optional<std::uint64_t>& seed, const std::string& group);
void add_machine(CLI::App& command, std::optional<std::string>& machine);
void add_threads(CLI::App& command, std::optional<int>& threads);
void add_report_options(CLI::App& command, std::optional<std::string>& json, bool& quiet);

/// The algorithm that is asked for, and the form of S3DFT. Throws Error(usage), also for a form of
/// another algorithm.
void choose_algorithm(FftOptions& options, const std::optional<std::string>& algorithm,
                      const std::optional<std::string>& s3dft_form);

/// Throws Error(usage) unless it is a count of arrays.
void check_batch(int batch);

/// The threads asked for, or one per core that this process may use. Throws Error(usage).
int choose_threads(const std::optional<int>& asked);

/// A table that is made as the command runs.
template <typename T>
using Words = std::vector<base::Word<T>>;

/// The switches of accelerations.
inline constexpr base::Word<bool Accelerations::*> kAccelerations[] = {
    {"by-line", &Accelerations::by_line},
    {"delay-lines", &Accelerations::delay_lines},
    {"shared-execution", &Accelerations::shared_execution},
    {"equal-lines", &Accelerations::equal_lines},
    {"run-ahead", &Accelerations::run_ahead},
    {"dry-run", &Accelerations::dry_run},
    {"element-rows", &Accelerations::element_rows},
    {"shortcuts", &Accelerations::shortcuts}};

/// The meaning of `word`; throws Error(usage) that lists the words known.
template <typename Table>
auto choose(std::string_view option, std::string_view word, const Table& known) {
  return base::value_of(word, known, fmt::format("{} {} is unknown", option, word),
                        &std::ranges::range_value_t<Table>::in_command);
}

/// Sets a value of an enumeration, if a word is given.
template <typename Enum>
void choose(Enum& value, std::string_view option, const std::optional<std::string>& word) {
  if (word) value = choose(option, *word, base::kWords<Enum>);
}

/// The rows of a table of engines or references, by name.
template <typename Row>
Words<const Row*> words_of(std::span<const Row> table) {
  Words<const Row*> words;
  for (const Row& row : table) words.push_back({row.name, &row});
  return words;
}

/// The same rows as --help lists them: "host (CPU threads), cuda (an NVIDIA GPU)".
template <typename Row>
std::string explained(std::span<const Row> table) {
  std::vector<std::string> words;
  for (const Row& row : table) words.push_back(fmt::format("{} ({})", row.name, row.meaning));
  return fmt::format("{}", fmt::join(words, ", "));
}

/// A description of an option, with line breaks where 100 columns of --help end.
std::string description(std::string_view text);

/// Appends a value that is not there yet.
template <typename T>
void add_once(std::vector<T>& values, const T& value) {
  if (std::ranges::find(values, value) == values.end()) values.push_back(value);
}

/// The items of lists with commas between, such as "8,16,32". Throws Error(usage) for empty ones.
std::vector<std::string> split_lists(std::string_view option,
                                     const std::vector<std::string>& lists);

}  // namespace weft::cli
