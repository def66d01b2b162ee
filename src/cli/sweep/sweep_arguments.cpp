#include <CLI/CLI.hpp>

#include "cli/sweep/sweep.hpp"

namespace weft::cli {

CLI::App* add_sweep(CLI::App& app, SweepArguments& arguments) {
  CLI::App* sweep =
      app.add_subcommand("sweep", "Run a sub-command for each point of a grid, side by side");
  sweep
      ->add_option(
          "--set", arguments.set,
          "A dimension of the grid: a constant of the machine ('weft info' lists them) or\n"
          "an option of the sub-command, and its values: 1,2,4 or 1..7, or with steps\n"
          "16..64..16. Values that have commas stand between semicolons:\n"
          "'shape=16,16,16;32,32,32'. Of an option without a value: true,false. Given\n"
          "several times, all combinations are run, the last dimension fastest")
      ->required()
      ->allow_extra_args(false)
      ->type_name("NAME=VALUES")
      ->group("Grid");
  sweep
      ->add_option("COMMAND", arguments.command,
                   "After --: fft or compare, with the arguments that all runs share")
      ->required()
      ->type_name("...");
  sweep
      ->add_option("--jobs", arguments.jobs,
                   "So many runs side by side, as far as the host's free memory holds them; each\n"
                   "has its share of the threads (default: the cores available). Where mpirun\n"
                   "starts several processes, they share the runs, and each has so many")
      ->type_name("N")
      ->group("Run");
  sweep
      ->add_flag("--again", arguments.again,
                 "Run anew what is kept already: also to try again what failed")
      ->group("Run");
  sweep->add_flag("--list", arguments.list, "List the command lines of all runs, and run nothing")
      ->group("Run");
  sweep
      ->add_option("--metric", arguments.metric,
                   "The number of a report that is printed and drawn, as the header of sweep.csv\n"
                   "names it (default: cycles.total; of compare rows.0.cycles)")
      ->type_name("NAME")
      ->group("Output");
  sweep
      ->add_option("--output", arguments.output,
                   "Folder for sweep.csv (a row for each run, a column for each number of its\n"
                   "report), sweep.json, and sweep.png and .svg (the metric over the first\n"
                   "dimension of numbers). runs.jsonl in it keeps each run as it ends: a sweep\n"
                   "that was stopped goes on there (default: sweep)")
      ->type_name("FOLDER")
      ->group("Output");
  sweep->add_flag("--quiet", arguments.quiet, "No readable table and no progress bar")
      ->group("Output");
  sweep->footer(
      "Examples:\n"
      "  weft sweep --set ramp_cycles=1..7 --set precision=fp16,fp32 -- fft --shape 32,32,32\n"
      "  weft sweep --set 'shape=16,16,16;32,32,32;64,64,64' --set transpose=auto,ring -- fft\n"
      "  weft sweep --set task_start_cycles=4..64..4 --list -- fft --no-data\n"
      "  mpirun -n 4 weft sweep --set seed=1..1000 -- fft --shape 64,64,64\n"
      "\n"
      "Exit codes:\n"
      "  0  all runs ended well, or are kept from before\n"
      "  1  an unexpected failure of Weft itself; please report it\n"
      "  2  invalid arguments, machine profile or folder, an unsuitable host, a picture that\n"
      "     could not be drawn, or all runs failed\n"
      "  4  some runs failed: the table names them; the others are written\n"
      "  130  interrupted (Ctrl-C); runs until then are kept");
  return sweep;
}

}  // namespace weft::cli
