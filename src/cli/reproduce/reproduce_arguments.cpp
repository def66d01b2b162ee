#include <CLI/CLI.hpp>

#include "cli/common/options.hpp"
#include "cli/reproduce/reproduce.hpp"

namespace weft::cli {

CLI::App* add_reproduce(CLI::App& app, ReproduceArguments& arguments) {
  CLI::App* reproduce = app.add_subcommand(
      "reproduce", "A paper's evaluation, run on the fabric beside the authors' numbers");
  reproduce
      ->add_option("PAPER", arguments.paper,
                   "wsfft: the wafer-scale FFT; s3dft; ape: rings of\ncells; algorithms: all of "
                   "them compared (see --list)")
      ->type_name("")
      ->group("Run");
  reproduce->add_flag("--list", arguments.list, "Tell the papers and their tables and figures")
      ->group("Run");
  reproduce
      ->add_flag("--quick", arguments.quick,
                 "Cubes up to 128^3 only (S3DFT: 64^3): a minute or two on two cores. All of\n"
                 "wsfft takes somewhat less than two hours; all of algorithms some three hours\n"
                 "of CPU time by estimate, nine tenths of it for 512^3; the others less")
      ->group("Run");
  reproduce
      ->add_option("--only", arguments.only,
                   "Of the paper these only, with commas between, such as table-1,figure-7")
      ->allow_extra_args(false)
      ->type_name("NAME")
      ->group("Run");
  reproduce
      ->add_flag("--again", arguments.again,
                 "Measure anew, though results of this machine and version are kept: after\n"
                 "a change of Weft's own sources they may be out of date")
      ->group("Run");
  add_machine(*reproduce, arguments.machine);
  add_threads(*reproduce, arguments.threads);
  reproduce
      ->add_option("--output", arguments.output,
                   "Folder for report.txt, report.json, a .csv for each table, and .png and .svg\n"
                   "for each figure that was asked for (default: reproduce-PAPER). results.json\n"
                   "in it keeps each result: an evaluation that was stopped goes on there")
      ->type_name("FOLDER")
      ->group("Output");
  reproduce->add_flag("--quiet", arguments.quiet, "No readable report and no progress bar")
      ->group("Output");
  reproduce->footer(
      "Examples:\n"
      "  weft reproduce --list\n"
      "  weft reproduce wsfft --quick\n"
      "  weft reproduce wsfft --only figure-3,claims --output findings\n"
      "  weft reproduce algorithms --only latency\n"
      "\n"
      "Exit codes:\n"
      "  0  all that this host can run is written; the report names runs that it cannot\n"
      "  1  an unexpected failure of Weft itself; please report it\n"
      "  2  invalid arguments, machine profile or folder, an unsuitable host, or a picture that\n"
      "     could not be drawn\n"
      "  3  an emulated program faulted\n"
      "  130  interrupted (Ctrl-C); results until then are kept");
  return reproduce;
}

}  // namespace weft::cli
