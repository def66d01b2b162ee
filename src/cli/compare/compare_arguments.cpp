#include <CLI/CLI.hpp>
#include <string>

#include "cli/common/engines.hpp"
#include "cli/common/options.hpp"
#include "cli/compare/compare.hpp"
#include "reference/reference.hpp"

namespace weft::cli {
namespace {

void add_list(CLI::App& command, const char* option, const char* type,
              std::vector<std::string>& words, const std::string& text) {
  command.add_option(option, words, text)
      ->type_name(type)
      ->allow_extra_args(false)  // one word, with commas; a second word is no part of it
      ->group("What is compared");
}

}  // namespace

CLI::App* add_compare(CLI::App& app, CompareArguments& arguments) {
  CLI::App* compare = app.add_subcommand(
      "compare", "Transforms of many kinds, each compared with FFTW and cuFFT, in one table");

  add_list(*compare, "--shapes", "N", arguments.shapes,
           "Sides of cubes, with commas between: 2^a 3^b 5^c from 2 to 4096\n"
           "(default: 8,16,32)");
  add_list(*compare, "--shape", "N,N,N", arguments.shape,
           "One shape, in the form that 'weft fft' takes; may be given several times");
  add_list(*compare, "--precisions", "KIND", arguments.precisions,
           "Arithmetic of the PEs: fp16, fp32 (default: both)");
  add_list(*compare, "--kinds", "KIND", arguments.kinds,
           "Numbers in space: complex, real (r2c and c2r, as 'weft fft --kind'; default:\n"
           "complex)");
  add_list(*compare, "--directions", "KIND", arguments.directions,
           "forward, inverse (default: both)");
  std::vector<std::string_view> defaults;
  for (const EngineRow& row : engines())
    if (row.by_default) defaults.push_back(row.name);
  add_list(*compare, "--engines", "NAME", arguments.engines,
           description(fmt::format("What emulates: {} (default: those of {} that can run)",
                                   explained(engines()), fmt::join(defaults, " and "))));
  add_list(*compare, "--references", "NAME", arguments.references,
           description(fmt::format("What the results are compared with, in double precision: {} "
                                   "(default: all that can run)",
                                   explained(reference::references()))));

  compare
      ->add_option("--batch", arguments.batch,
                   "Transform so many arrays at a time; the worst one counts (default 1)")
      ->type_name("COUNT")
      ->group("Run");
  compare
      ->add_option("--mesh", arguments.mesh,
                   "PEs along x and y for all shapes, as 'weft fft' takes them (default: as many\n"
                   "as each shape allows)")
      ->type_name("PX,PY")
      ->group("Run");
  compare
      ->add_option("--algorithm", arguments.algorithm,
                   "wsfft (the default) or s3dft, as 'weft fft' takes them")
      ->type_name("NAME")
      ->group("Run");
  compare->add_option("--s3dft-form", arguments.s3dft_form, "As 'weft fft' takes it")
      ->type_name("FORM")
      ->group("Run");
  add_seed(*compare, arguments.seed, "Run");
  add_machine(*compare, arguments.machine);
  add_threads(*compare, arguments.threads);
  add_report_options(*compare, arguments.json, arguments.quiet);

  compare->footer(
      "Examples:\n"
      "  weft compare                                      a few seconds\n"
      "  weft compare --shapes 64,128 --precisions fp16    lists have commas between\n"
      "  weft compare --shape 64,32,16 --shape 64,64 --kinds complex,real\n"
      "  weft compare --shapes 16 --batch 9 --mesh 48,48\n"
      "  weft compare --shape 64,64,64 --references cufft --json compare.json\n"
      "  weft compare --json - | jq -r '.rows[] | [.shape[0], .cycles] | @tsv'\n"
      "\n"
      "Exit codes:\n"
      "  0  every comparison that could be made is within the error bound; at least one was made\n"
      "  1  an unexpected failure of Weft itself; please report it\n"
      "  2  invalid arguments or machine profile, an unsuitable host, or nothing to compare with\n"
      "  3  the emulated program faulted; nothing is written\n"
      "  4  a result differs from its reference by more than the bound;\n"
      "     what was asked for is still written\n"
      "  130  interrupted (Ctrl-C); the comparisons made until then are still reported");
  return compare;
}

}  // namespace weft::cli
