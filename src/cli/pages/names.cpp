#include <CLI/CLI.hpp>

#include "cli/pages/pages.hpp"

namespace weft::cli {

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

}  // namespace weft::cli
