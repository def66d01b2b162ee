#include <CLI/CLI.hpp>

#include "cli/pages/pages.hpp"
#include "evaluation/item.hpp"
#include "weft/heat_map.hpp"

namespace weft::cli {
namespace {

std::vector<std::string_view> paper_names() {
  std::vector<std::string_view> names;
  for (const evaluation::Paper& paper : evaluation::papers()) names.push_back(paper.name);
  return names;
}

struct Argument {
  std::string_view name;
  std::vector<std::string_view> (*words)();
};
constexpr Argument kOfSomeWords[] = {{"METRIC", heat_map_metrics}, {"PAPER", paper_names}};

}  // namespace

std::string full_name(const CLI::App& command) {
  const CLI::App* parent = command.get_parent();
  return (parent == nullptr ? "" : parent->get_name() + " ") + command.get_name();
}

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  std::vector<const CLI::App*> commands = app.get_subcommands([](const CLI::App*) { return true; });
  commands.insert(commands.begin(), &app);
  return commands;
}

std::vector<std::string> spellings(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() > 0; }

bool takes_file(const CLI::Option& option) {
  return takes_value(option) && option.get_type_name().starts_with("FILE");
}

bool has_place(const CLI::Option& option) { return spellings(option).empty(); }

std::vector<std::string_view> words_of(const CLI::Option& option) {
  for (const Argument& argument : kOfSomeWords)
    if (has_place(option) && option.get_name(true) == argument.name) return argument.words();
  return {};
}

}  // namespace weft::cli
