#include "cli/view.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>

#include "cli/common/exit_code.hpp"
#include "cli/common/outputs.hpp"
#include "cli/common/size.hpp"
#include "cli/text/terminal.hpp"
#include "weft/page.hpp"

namespace weft::cli {
namespace {

constexpr const char* kViewFooter =
    "The page is one file, which any browser opens and which needs no network: a map of the mesh,\n"
    "windows of time, links, lines of the program. '?' on the page shows its keys.\n"
    "\n"
    "Examples:\n"
    "  weft view run.weft                        writes run.html\n"
    "  weft view new.weft --against old.weft     also what differs from another run\n"
    "\n"
    "Exit codes:\n"
    "  0  the page is written\n"
    "  1  an unexpected failure of Weft itself; please report it\n"
    "  2  invalid arguments or runs, or a page that could not be written";

std::string file_name(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

}  // namespace

std::string page_of(const ViewArguments& arguments) {
  if (arguments.page) return *arguments.page;
  return std::filesystem::path(arguments.run).replace_extension(".html").string();
}

CLI::App* add_view(CLI::App& app, ViewArguments& arguments) {
  CLI::App* view = app.add_subcommand("view", "Write a run as a page that any browser shows");
  view->add_option("RUN", arguments.run,
                   "A run's file, such as run.weft, that a profile was saved to")
      ->type_name("FILE")
      ->required();
  view->add_option("-o,--output", arguments.page,
                   "The page, an .html file; by default beside RUN, under its name")
      ->type_name("FILE");
  view->add_option("--against", arguments.against,
                   "Another run of the same mesh, to show what differs")
      ->type_name("FILE");
  view->add_option("--page-limit", arguments.limit,
                   "A longer page gets fewer windows of time, and says so")
      ->type_name("BYTES")
      ->capture_default_str();
  view->footer(kViewFooter);
  return view;
}

int run_view(const ViewArguments& arguments) {
  const std::string page = page_of(arguments);
  std::vector<NamedPath> inputs{{"RUN", arguments.run}};
  if (arguments.against) inputs.push_back({"--against", *arguments.against});
  check_outputs(inputs, {{"--output", page, ".html"}});
  PageOptions options{.name = file_name(arguments.run),
                      .limit = parse_size("--page-limit", arguments.limit)};
  const Profile profile = Profile::load(arguments.run);
  std::optional<Profile> other;
  if (arguments.against) {
    other = Profile::load(*arguments.against);
    options.against = &*other;
    options.against_name = file_name(*arguments.against);
  }
  write_page(page, profile, options);
  write_stdout(fmt::format("{}: open it in a browser\n", page));
  return kOk;
}

}  // namespace weft::cli
