#include "cli/common/usage_error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

#include "base/nearest.hpp"
#include "io/volume_file.hpp"

namespace weft::cli {
namespace {

struct Advice {
  std::string why, remedy;
};

std::string help_of(const CLI::App& command) {
  const CLI::App* parent = command.get_parent();
  return fmt::format("see '{}{} --help'", parent == nullptr ? "" : parent->get_name() + " ",
                     command.get_name());
}

std::vector<std::string_view> names_of(const std::vector<const CLI::App*>& commands) {
  std::vector<std::string_view> names;
  names.reserve(commands.size());
  for (const CLI::App* command : commands) names.push_back(command->get_name());
  return names;
}

// Long ones, without their dashes: short ones are too short to be slips of one another.
std::vector<std::string_view> option_names(const CLI::App& command) {
  std::vector<std::string_view> names;
  for (const CLI::Option* option : command.get_options())
    names.insert(names.end(), option->get_lnames().begin(), option->get_lnames().end());
  return names;
}

Advice of_option(const CLI::App& command, const std::vector<const CLI::App*>& below,
                 const std::string& word) {
  const std::string option = word.substr(0, word.find('='));
  const std::string_view name =
      std::string_view(option).substr(std::min(option.find_first_not_of('-'), option.size()));
  for (const CLI::App* owner : below) {
    if (const auto names = option_names(*owner); std::ranges::find(names, name) == names.end())
      continue;
    return {
        fmt::format("{} is an option of '{} {}'", option, command.get_name(), owner->get_name()),
        "put it behind the sub-command"};
  }
  const auto meant = base::nearest(name, option_names(command));
  return {fmt::format("unknown option {}{}", option,
                      meant ? fmt::format(", the nearest known one is --{}", *meant) : ""),
          help_of(command)};
}

Advice of_command(const CLI::App& app, const std::vector<const CLI::App*>& known,
                  const std::string& word) {
  const auto names = names_of(known);
  const auto meant = base::nearest(word, names);
  return {fmt::format("unknown sub-command '{}', {}", word,
                      meant ? fmt::format("the nearest known one is {}", *meant)
                            : fmt::format("known are {}", fmt::join(names, ", "))),
          help_of(app)};
}

Advice of_argument(const CLI::App& command, const std::string& word) {
  const std::string why = fmt::format("unexpected argument '{}'", word);
  const CLI::Option* const input = command.get_option_no_throw("--input");
  const bool is_input = input != nullptr && input->count() == 0 && io::names_volume(word);
  return {why, is_input ? fmt::format("give the array with --input {}", word) : help_of(command)};
}

// In place of CLI11's list of leftovers: about the first.
Advice of_leftovers(const CLI::App& app, const CLI::App& command) {
  const bool is_before = !app.remaining().empty();  // before the sub-command, or in its place
  const CLI::App& owner = is_before ? app : command;
  const std::vector<const CLI::App*> below =
      owner.get_subcommands([](const CLI::App*) { return true; });
  const std::vector<std::string> leftovers = owner.remaining();
  const std::string word = leftovers.empty() ? "" : leftovers.front();
  if (word.size() > 1 && word[0] == '-') return of_option(owner, below, word);
  return below.empty() ? of_argument(owner, word) : of_command(owner, below, word);
}

// In place of CLI11's "Could not convert: --batch = x". All options that are converted are numbers.
Advice of_conversion(const CLI::App& command, const std::string& what) {
  const std::size_t option = what.find('-'), value = what.find(" = ");
  if (option == std::string::npos || value == std::string::npos) return {what, help_of(command)};
  return {fmt::format("{} takes a whole number, not '{}'", what.substr(option, value - option),
                      what.substr(value + 3)),
          help_of(command)};
}

}  // namespace

Error usage_error(const CLI::App& app, const CLI::ParseError& error) {
  const auto commands = app.get_subcommands();
  const CLI::App& command = commands.empty() ? app : *commands.front();
  Advice advice{error.what(), help_of(command)};
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    advice = of_leftovers(app, command);
  } else if (dynamic_cast<const CLI::ConversionError*>(&error) != nullptr) {
    advice = of_conversion(command, error.what());
  } else if (advice.why.size() > 1 &&
             std::islower(static_cast<unsigned char>(advice.why[1])) != 0) {
    char& first = advice.why[0];  // of a sentence, not of a name such as RUN
    first = static_cast<char>(std::tolower(static_cast<unsigned char>(first)));
  }
  return Error(ErrorCategory::usage, "cannot read the command line", advice.why, advice.remedy);
}

}  // namespace weft::cli
