#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

/// Man pages and completions, written from the options of the command: what --help prints.
namespace weft::cli {

/// "weft", "weft fft".
std::string full_name(const CLI::App& command);

/// The command and its sub-commands.
std::vector<const CLI::App*> commands_of(const CLI::App& app);

/// The option's names with their dashes: "-h", "--help".
std::vector<std::string> spellings(const CLI::Option& option);

/// Whether a word follows the option, and whether that names a file.
bool takes_value(const CLI::Option& option);
bool takes_file(const CLI::Option& option);

/// Whether an argument goes by its place, and the words that it may be, if it is one of some.
bool has_place(const CLI::Option& option);
std::vector<std::string_view> words_of(const CLI::Option& option);

/// The manual page of one command, in the macros of man(7).
std::string man_page(const CLI::App& command);

/// Scripts that complete sub-commands, options and file names.
std::string bash_completion(const CLI::App& app);
std::string zsh_completion(const CLI::App& app);
std::string fish_completion(const CLI::App& app);

}  // namespace weft::cli
