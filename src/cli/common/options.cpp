#include "cli/common/options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "base/threads.hpp"
#include "cli/common/algorithm_words.hpp"
#include "cli/common/number_in.hpp"
#include "cli/text/text_table.hpp"
#include "weft/error.hpp"
#include "weft/fabric.hpp"

namespace weft::cli {
namespace {

// CLI11 itself would take -1, and any number too large, as the largest number.
std::string whole_number(const std::string& text) {
  return number_in<std::uint64_t>(text) ? "" : text + " is no whole number from 0 to 2^64 - 1";
}

}  // namespace

std::string description(std::string_view text) {
  constexpr std::size_t kColumns = 100 - kOptionColumns;
  return folded(text, 0, kColumns);
}

void add_seed(CLI::App& command, std::optional<std::uint64_t>& seed, const std::string& group) {
  command.add_option("--seed", seed, "Seed of the random field (default: 1)")
      ->type_name("N")
      ->check(whole_number)
      ->group(group);
}

void add_machine(CLI::App& command, std::optional<std::string>& machine) {
  command
      .add_option("--machine", machine,
                  "Machine profile: wse2 (the default), wse2-simfab (hops take two cycles),\n"
                  "wse2-pencils (pencils as quick as the authors measured them),\n"
                  "or a JSON file of constants to change;\n"
                  "'weft info' lists them")
      ->type_name("FILE")
      ->group("Run");
}

void add_threads(CLI::App& command, std::optional<int>& threads) {
  command
      .add_option("--threads", threads,
                  "CPU threads; the result does not depend on them\n"
                  "(default: the cores available)")
      ->type_name("N")
      ->group("Run");
}

void add_report_options(CLI::App& command, std::optional<std::string>& json, bool& quiet) {
  command
      .add_option("--json", json,
                  "Write the report as JSON; - is standard output, and then the readable\n"
                  "report is left out")
      ->type_name("FILE")
      ->group("Output");
  command.add_flag("--quiet", quiet, "No readable report and no progress bar")->group("Output");
}

void choose_algorithm(FftOptions& options, const std::optional<std::string>& algorithm,
                      const std::optional<std::string>& s3dft_form) {
  choose(options.algorithm, "--algorithm", algorithm);
  choose(options.s3dft_form, "--s3dft-form", s3dft_form);
  if (s3dft_form && !words_about(options.algorithm).forms)
    throw Error(ErrorCategory::usage,
                fmt::format("invalid combination: --s3dft-form with --algorithm {}",
                            to_string(options.algorithm)),
                "the option is of s3dft",
                algorithm ? "leave one of them out" : "add --algorithm s3dft, or leave it out");
}

void check_batch(int batch) {
  if (batch < 1)
    throw Error(ErrorCategory::usage, fmt::format("invalid --batch: {}", batch),
                "allowed: 1 or more", "give the count of arrays");
}

int choose_threads(const std::optional<int>& asked) {
  if (!asked) return std::min(available_cores(), base::kMostThreads);
  base::check_threads(*asked, "--threads");
  return *asked;
}

std::vector<std::string> split_lists(std::string_view option,
                                     const std::vector<std::string>& lists) {
  std::vector<std::string> items;
  for (const std::string& list : lists) {
    for (std::size_t at = 0; at <= list.size();) {
      const std::size_t end = std::min(list.find(',', at), list.size());
      items.push_back(list.substr(at, end - at));
      if (items.back().empty()) {
        throw Error(ErrorCategory::usage, fmt::format("invalid {}: {}", option, list),
                    "an item of the list is empty", "put single commas between the items");
      }
      at = end + 1;
    }
  }
  return items;
}

}  // namespace weft::cli
