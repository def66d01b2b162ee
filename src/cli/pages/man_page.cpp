#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <sstream>

#include "cli/pages/pages.hpp"
#include "weft/version.hpp"

namespace weft::cli {
namespace {

// A line of plain text: roff would take a backslash, a dash, and a dot or quote in front as its
// own.
std::string plain(const std::string& text) {
  std::string line = text.starts_with('.') || text.starts_with('\'') ? "\\&" : "";
  for (const char c : text) {
    if (c == '\\') {
      line += "\\e";
    } else if (c == '-') {
      line += "\\-";
    } else if (c == '\'') {
      line += "\\(aq";
    } else {
      line += c;
    }
  }
  return line;
}

std::string plain_lines(const std::string& text) {
  std::istringstream in(text);
  std::string lines;
  for (std::string line; std::getline(in, line);) lines += plain(line) + "\n";
  return lines;
}

std::string page_name(const CLI::App& command) {
  std::string name = full_name(command);
  std::ranges::replace(name, ' ', '-');
  return name;
}

std::string capitals(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
}

// An argument that goes by its place.
std::string argument(const CLI::Option& option) {
  return fmt::format("\\fI{}\\fR", plain(option.get_name(true)));
}

std::string arguments_of(const CLI::App& command) {
  std::string all;
  for (const CLI::Option* option : command.get_options())
    if (has_place(*option)) all += " " + argument(*option);
  return all;
}

std::string option_text(const CLI::Option& option) {
  if (has_place(option))
    return fmt::format(".TP\n{}\n{}", argument(option), plain_lines(option.get_description()));
  std::string names;
  for (const std::string& name : spellings(option))
    names += fmt::format("{}\\fB{}\\fR", names.empty() ? "" : ", ", plain(name));
  if (takes_value(option)) names += fmt::format(" \\fI{}\\fR", plain(option.get_type_name()));
  return fmt::format(".TP\n{}\n{}", names, plain_lines(option.get_description()));
}

std::string options_text(const CLI::App& command) {
  std::string text = ".SH OPTIONS\n";
  for (const std::string& group : command.get_groups()) {
    const auto options =
        command.get_options([&](const CLI::Option* o) { return o->get_group() == group; });
    if (options.empty()) continue;
    if (group != "Options") text += fmt::format(".SS {}\n", plain(group));
    for (const CLI::Option* option : options) text += option_text(*option);
  }
  return text;
}

std::string commands_text(const CLI::App& command) {
  const std::vector<const CLI::App*> commands = commands_of(command);
  if (commands.size() == 1) return "";
  std::string text = ".SH COMMANDS\n";
  for (const CLI::App* sub : commands) {
    if (sub == &command) continue;
    text += fmt::format(".TP\n\\fB{}\\fR(1)\n{}", plain(page_name(*sub)),
                        plain_lines(sub->get_description()));
  }
  return text;
}

// The footer of --help. A line in the first column with a colon opens a section.
std::string footer_text(const CLI::App& command) {
  std::istringstream in(command.get_footer());
  std::string text;
  bool is_open = false;
  const auto close = [&] {
    if (is_open) text += ".fi\n";
    is_open = false;
  };
  for (std::string line; std::getline(in, line);) {
    const std::size_t colon = line.find(':');
    const std::string title = line.substr(0, colon);
    if (colon != std::string::npos && (title == "Examples" || title == "Exit codes")) {
      close();
      text += fmt::format(".SH {}\n.nf\n", title == "Exit codes" ? "EXIT STATUS" : "EXAMPLES");
      is_open = true;
      line = line.substr(std::min(line.find_first_not_of(' ', colon + 1), line.size()));
      if (line.empty()) continue;
    } else if (!is_open) {
      text += ".SH NOTES\n.nf\n";
      is_open = true;
    }
    if (!line.empty()) text += plain(line) + "\n";
  }
  close();
  return text;
}

std::string see_also(const CLI::App& command) {
  const CLI::App& root = command.get_parent() == nullptr ? command : *command.get_parent();
  std::string text = ".SH SEE ALSO\n";
  std::string end;
  for (const CLI::App* other : commands_of(root)) {
    if (other == &command) continue;
    text += fmt::format("{}\\fB{}\\fR(1)", end, plain(page_name(*other)));
    end = ",\n";
  }
  return text + "\n";
}

}  // namespace

std::string man_page(const CLI::App& command) {
  const std::string name = page_name(command);
  std::string description = command.get_description();
  if (description.ends_with('.')) description.pop_back();
  // A manual's index has "weft - emulates ...".
  const std::string summary =
      description.starts_with("Weft ") ? description.substr(5) : description;
  const bool has_commands = commands_of(command).size() > 1;
  return fmt::format(
             ".TH {} 1 \"\" \"weft {}\" \"User Commands\"\n"
             ".SH NAME\n{} \\- {}\n"
             ".SH SYNOPSIS\n\\fB{}\\fR [\\fIOPTIONS\\fR]{}\n"
             ".SH DESCRIPTION\n{}.\n",
             capitals(plain(name)), version(), plain(name), plain(summary),
             plain(full_name(command)), has_commands ? " [\\fICOMMAND\\fR]" : arguments_of(command),
             plain(description)) +
         commands_text(command) + options_text(command) + footer_text(command) + see_also(command);
}

}  // namespace weft::cli
