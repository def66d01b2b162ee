#include <CLI/CLI.hpp>
#include <string>

#include "cli/common/engines.hpp"
#include "cli/common/options.hpp"
#include "cli/fft/fft.hpp"
#include "reference/reference.hpp"

namespace weft::cli {

CLI::App* add_fft(CLI::App& app, FftArguments& arguments) {
  CLI::App* fft =
      app.add_subcommand("fft", "FFT of an array of one to four dimensions on an emulated wafer");

  const auto add = [&](const char* group, const char* option, const char* type, auto& value,
                       const std::string& text) {
    return fft->add_option(option, value, text)->type_name(type)->group(group);
  };
  // The formatter does not fold lines, so descriptions break where 100 columns end.
  add("Input", "--shape", "N0,N1,N2", arguments.shape,
      "Sides of the array, one to four: 2^a 3^b 5^c from 2 to 4096; an only\n"
      "side up to 16777216 (default: the input's shape, or 64,64,64)");
  add("Input", "--input", "FILE", arguments.input,
      "Array to transform: .npy, .nii or .nii.gz, of integers, floats or complex\n"
      "numbers, which become float32 (default: a random complex field). Of --plan\n"
      "only its header is read");
  add_seed(*fft, arguments.seed, "Input");
  add("Input", "--fit", "HOW", arguments.fit,
      "How an input of another shape is made to fit --shape, or without it the\n"
      "nearest sides 2^a 3^b 5^c: crop (its centre), pad (zeros around it) or\n"
      "resample (trilinear); default: that is an error");

  add("Run", "--mesh", "PX,PY", arguments.mesh,
      "PEs along x and y, any numbers: PX up to N0 and N2 (N2/2+1 with r2c and\n"
      "c2r), PY up to N0 and N1. Fewer have several pencils each, and padding\n"
      "where they do not divide a side. A batch may have more, for arrays side by\n"
      "side. Several PEs share an array of one axis, if they are asked or it does\n"
      "not fit in one, by digits of its index (default: of powers of two as\n"
      "many as fit, else those with the fewest cycles of all arrays, by estimate)");
  add("Run", "--batch", "COUNT", arguments.batch,
      "Transform so many arrays, as many at once as the mesh has room for. Files\n"
      "have a first axis of them: COUNT,N0,N1,N2 (default: one, without it)");
  add("Run", "--kind", "KIND", arguments.kind,
      "c2c (the default), r2c (a real array to half of its spectrum, N0 x N1 x\n"
      "(N2/2+1) as FFTW and NumPy lay it out) or c2r (the inverse of that)");
  fft->add_flag("--inverse", arguments.inverse, "The inverse transform")->group("Run");
  fft->add_flag("--no-data", arguments.no_data,
                "Cycles only: no input is placed, nothing is computed or compared; the cycles\n"
                "are the same, in less time and memory")
      ->group("Run");
  fft->add_flag("--plan", arguments.plan,
                "Tell what a run will take, and run nothing: PEs, memory of each and of this\n"
                "host, colors, filters, and about how many cycles")
      ->group("Run");
  add("Run", "--norm", "KIND", arguments.norm,
      "Which direction is divided, as NumPy's norm: backward (the default; the\n"
      "inverse by the count of numbers), ortho (both by its root) or forward");
  add("Run", "--precision", "KIND", arguments.precision,
      "Arithmetic of the PEs: fp32 (the default) or fp16");
  add("Run", "--algorithm", "NAME", arguments.algorithm,
      "wsfft (the default: pencil FFTs, and exchanges of all with all) or s3dft\n"
      "(matrix products, blocks going round rings: complex numbers, three axes of\n"
      "any length from 2 to 4096; each side of the mesh divides one of the array)");
  add("Run", "--s3dft-form", "FORM", arguments.s3dft_form,
      "Of s3dft: held (the default: coefficients from a table in each PE), cannon\n"
      "(as published: the array aligned, blocks of coefficients roll too; as many\n"
      "PEs along x as along y) or cubes (the same by p^3 nodes in tiles, for an\n"
      "array of three equal sides: 4,2, 8,8, 32,16 or 64,64 PEs and so on)");
  add("Run", "--transpose", "KIND", arguments.transpose,
      "Of wsfft, how PEs exchange numbers: published (filters are set while streams\n"
      "go on; a deadlock on machines where that is too late), interlocked (streams\n"
      "wait for it), auto (the default: published where that ends), ring (from PE\n"
      "to PE, the shorter way round: half of the cycles from 16 PEs on), halves (of\n"
      "a line, then of each half: mostly the quickest; up to 64 PEs a\n"
      "line), butterflies (none: PEs of a line transform an axis together; one\n"
      "pencil in a PE, up to 64 PEs a line) or fastest (auto, ring or halves, by\n"
      "estimate, each on the mesh that it takes where none is given)");
  fft->add_flag("--back", arguments.back,
                "Of wsfft: a last transpose, back to where the numbers were (two axes of one\n"
                "length, on a line of PEs)")
      ->group("Run");
  add("Run", "--pencil", "NAME", arguments.pencil,
      "Of wsfft, the algorithm for the numbers of an axis in a PE: radix2 (as\n"
      "published; powers of two), radix4 (fewest cycles: a third to a fifth),\n"
      "split-radix, stockham, fastest (by runs) or auto (the default: radix2, or\n"
      "radix4 where a side is no power of two, or 2); each right within its bound");
  add("Run", "--reference", "NAME", arguments.reference,
      description(fmt::format("What the result is compared with, in double precision: {} or none "
                              "(default: {})",
                              explained(reference::references()),
                              reference::references().front().name)));
  add("Run", "--engine", "NAME", arguments.engine,
      description(fmt::format("What steps the fabric: {} or auto (the default: host); all give the "
                              "same bits",
                              explained(engines()))));
  add("Run", "--without", "ACCELERATION", arguments.without,
      "Leave out an acceleration: by-line, delay-lines, shared-execution,\n"
      "equal-lines, run-ahead, dry-run, element-rows or shortcuts; the result and\n"
      "its cycles are the same, later; may be given several times")
      ->allow_extra_args(false);
  add_machine(*fft, arguments.machine);
  add_threads(*fft, arguments.threads);

  add("Output", "--output", "FILE.npy", arguments.output,
      "Write the result: .npy, complex64, natural order, with the axes of --shape\n"
      "or of the input, as NumPy: 128,128 gives an array (128, 128)");
  add("Output", "--png", "FILE.png", arguments.png,
      "Write a picture: a slice of the field, and beside it the spectrum's plane\n"
      "of zero third frequency, log(1 + |F|), frequency 0 in the middle");
  add_report_options(*fft, arguments.json, arguments.quiet);
  add("Output", "--explain", "FILE", arguments.explain,
      "If the emulated program ends in a deadlock, write why: as JSON if the name\n"
      "ends in .json, else as text; - is standard output. Else nothing is written");

  add("Output", "--profile", "FILE.weft", arguments.profile,
      "Count what PEs, links and lines of the program do, and write it, for weft\n"
      "explain, weft view and weft heatmap; of a batch in several rounds, the last\n"
      "one");
  add("Output", "--windows", "N", arguments.windows,
      "Of --profile: windows of time, a power of two from 16 to 1024, or 0 for\n"
      "totals alone (default: 128)");

  fft->add_flag("--path", arguments.path,
                "Find the critical path: what the end of the run waited for, back to cycle\n"
                "0. The report ends with it, and --profile has it for weft explain and\n"
                "weft view. The run takes longer: some rows and columns are stepped once\n"
                "more, and all PEs without accelerations where rows and columns meet. The\n"
                "engine cuda refuses it")
      ->group("Output");

  add("Trace", "--trace", "FILE", arguments.trace.path,
      "Write what happens while the program runs: .pftrace (for ui.perfetto.dev),\n"
      ".json (Chrome's form), .npy (an array) or .log (lines); all but .npy also\n"
      "compressed, .gz; after a fault too. The run takes longer: it has no\n"
      "accelerations then");
  add("Trace", "--trace-pes", "X,Y,W,H", arguments.trace.pes,
      "Of these PEs: x, y, width and height (default: of all)");
  add("Trace", "--trace-kinds", "KIND,...", arguments.trace.kinds,
      "Of these kinds: wavelet (or sent, hop, delivered, refused, held), switch,\n"
      "task, microthread, instruction, fault (default: all)");
  add("Trace", "--trace-colors", "NAME,...", arguments.trace.colors,
      "Of wavelets and switches, those of these colors, by name or number\n"
      "(default: all)");
  add("Trace", "--trace-cycles", "A:B", arguments.trace.cycles,
      "From cycle A on, to the one before B; either may be left out");
  add("Trace", "--trace-limit", "SIZE", arguments.trace.limit,
      "The file's size, such as 64M (default: 256M): then the run goes on, and a\n"
      "line says from which cycle on events lack");

  fft->footer(
      "Examples:\n"
      "  weft fft                                          64 x 64 x 64 random field\n"
      "  weft fft --shape 128,128,128 --json run.json\n"
      "  weft fft --shape 256,128,64 --mesh 64,32          a box, 4 x 4 pencils a PE\n"
      "  weft fft --shape 32,32,32 --batch 256 --mesh 512,512\n"
      "  weft fft --input brain.nii.gz --shape 256,256,256 --fit pad --kind r2c\n"
      "  weft fft --shape 1048576 --mesh 64,64             one axis over 4096 PEs\n"
      "  weft fft --shape 16,16,16,16                      four axes, two of them in a PE\n"
      "  weft fft --shape 512,512,512 --plan               what would it take?\n"
      "  weft fft --algorithm s3dft --shape 20,12,30       any sides\n"
      "  weft fft --input field.npy --output transform.npy --png transform.png\n"
      "  weft fft --input brain.nii.gz --shape 256,256,256 --fit pad\n"
      "  weft fft --machine slow_ramp.json --json - | jq .cycles\n"
      "  weft fft --shape 16,16,16 --profile run.weft      then: weft explain run.weft\n"
      "  weft fft --shape 32,32,32 --path                  what decided the end?\n"
      "  weft fft --shape 16,16,16 --trace run.pftrace.gz --trace-pes 0,0,8,1\n"
      "\n"
      "Exit codes:\n"
      "  0  it ran, and the result, if compared, is within the error bound\n"
      "  1  an unexpected failure of Weft itself; please report it\n"
      "  2  invalid arguments, input or machine profile, or an unsuitable host\n"
      "  3  the emulated program faulted; nothing is written but --explain's file\n"
      "  4  the result differs from the reference by more than the bound;\n"
      "     what was asked for is still written\n"
      "  130  interrupted (Ctrl-C); nothing is written");
  return fft;
}

}  // namespace weft::cli
