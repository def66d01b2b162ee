#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>

#include "cli/pages/pages.hpp"

namespace weft::cli {
namespace {

std::vector<std::string> option_words(const CLI::App& command, bool (*wanted)(const CLI::Option&)) {
  std::vector<std::string> words;
  for (const CLI::Option* option : command.get_options()) {
    if (!wanted(*option)) continue;
    for (const std::string& name : spellings(*option)) words.push_back(name);
  }
  return words;
}

/// The words that arguments may be that go by their place.
std::vector<std::string_view> words_by_place(const CLI::App& command) {
  std::vector<std::string_view> words;
  for (const CLI::Option* option : command.get_options())
    for (const std::string_view word : words_of(*option)) words.push_back(word);
  return words;
}

bool has_files_by_place(const CLI::App& command) {
  return !command.get_options([](const CLI::Option* o) { return has_place(*o) && takes_file(*o); })
              .empty();
}

std::vector<const CLI::App*> subcommands(const CLI::App& app) {
  std::vector<const CLI::App*> commands = commands_of(app);
  commands.erase(commands.begin());
  return commands;
}

std::string names_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : subcommands(app)) names.push_back(command->get_name());
  return fmt::format("{}", fmt::join(names, " "));
}

// The first clause of its first line: there is not much room beside an offer.
std::string summary(const std::string& text) {
  std::string line = text.substr(0, text.find_first_of("\n;(:"));
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

/// For single quotes of zsh, where `special` characters have a meaning of their own.
std::string in_zsh(const std::string& text, std::string_view special) {
  std::string quoted;
  for (const char c : text) {
    if (special.find(c) != std::string_view::npos) quoted += '\\';
    quoted += c == '\'' ? "'\\''" : std::string(1, c);
  }
  return quoted;
}

/// For single quotes of fish.
std::string in_fish(const std::string& text) {
  std::string quoted;
  for (const char c : text) {
    if (c == '\'' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted;
}

}  // namespace

std::string bash_completion(const CLI::App& app) {
  std::string cases;
  for (const CLI::App* command : subcommands(app)) {
    const auto files = option_words(*command, takes_file);
    const auto others = option_words(
        *command, [](const CLI::Option& o) { return takes_value(o) && !takes_file(o); });
    cases += fmt::format(
        "    {})\n      options='{}'\n      files='{}'\n      values='{}'\n      words='{}'\n"
        "{}      ;;\n",
        command->get_name(),
        fmt::join(option_words(*command, [](const CLI::Option&) { return true; }), " "),
        fmt::join(files, " "), fmt::join(others, " "), fmt::join(words_by_place(*command), " "),
        has_files_by_place(*command) ? "      places=-f\n" : "");
  }
  const auto of_weft = option_words(app, [](const CLI::Option&) { return true; });
  return fmt::format(R"(# bash completion of weft
_weft() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before='' options files values words places=''
  COMPREPLY=()
  if [ "$COMP_CWORD" -le 1 ]; then
    mapfile -t COMPREPLY < <(compgen -W '{} {}' -- "$word")
    return
  fi
  before=${{COMP_WORDS[COMP_CWORD-1]}}
  case ${{COMP_WORDS[1]}} in
{}    *) return ;;
  esac
  case " $files " in
    *" $before "*)
      compopt -o filenames 2>/dev/null
      mapfile -t COMPREPLY < <(compgen -f -- "$word")
      return
      ;;
  esac
  case " $values " in
    *" $before "*) return ;;
  esac
  mapfile -t COMPREPLY < <(compgen -W "$options $words" $places -- "$word")
}}
complete -F _weft weft
)",
                     names_of(app), fmt::join(of_weft, " "), cases);
}

std::string zsh_completion(const CLI::App& app) {
  std::string commands, cases;
  for (const CLI::App* command : subcommands(app)) {
    commands += fmt::format(" \\\n    '{}:{}'", command->get_name(),
                            in_zsh(summary(command->get_description()), ":\\"));
    cases += fmt::format("    {}) _arguments", command->get_name());
    for (const CLI::Option* option : command->get_options()) {
      if (has_place(*option))
        cases += fmt::format(" \\\n      ':{}:{}'", option->get_name(true),
                             takes_file(*option)
                                 ? "_files"
                                 : fmt::format("({})", fmt::join(words_of(*option), " ")));
      const std::string value = takes_file(*option)    ? ":file:_files"
                                : takes_value(*option) ? ":" + option->get_type_name() + ":"
                                                       : "";
      for (const std::string& name : spellings(*option)) {
        cases += fmt::format(" \\\n      '{}[{}]{}'", name,
                             in_zsh(summary(option->get_description()), "[]:\\"), value);
      }
    }
    cases += " ;;\n";
  }
  return fmt::format(R"(#compdef weft
# zsh completion of weft
local -a commands
commands=({})
if (( CURRENT == 2 )); then
  _describe command commands
else
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
{}  esac
fi
)",
                     commands, cases);
}

std::string fish_completion(const CLI::App& app) {
  const auto line = [](const std::string& condition, const CLI::Option& option) {
    std::string text = fmt::format("complete -c weft -n '{}'", condition);
    if (has_place(option))
      return text + (takes_file(option)
                         ? std::string(" -F\n")
                         : fmt::format(" -a '{}'\n", fmt::join(words_of(option), " ")));
    for (const std::string& name : option.get_snames()) text += " -s " + name;
    for (const std::string& name : option.get_lnames()) text += " -l " + name;
    if (takes_file(option)) {
      text += " -r -F";
    } else if (takes_value(option)) {
      text += " -x";
    }
    return fmt::format("{} -d '{}'\n", text, in_fish(summary(option.get_description())));
  };
  std::string text = "# fish completion of weft\ncomplete -c weft -f\n";
  for (const CLI::Option* option : app.get_options())
    text += line("__fish_use_subcommand", *option);
  for (const CLI::App* command : subcommands(app)) {
    text += fmt::format("complete -c weft -n __fish_use_subcommand -a {} -d '{}'\n",
                        command->get_name(), in_fish(summary(command->get_description())));
    for (const CLI::Option* option : command->get_options())
      text += line("__fish_seen_subcommand_from " + command->get_name(), *option);
  }
  return text;
}

}  // namespace weft::cli
