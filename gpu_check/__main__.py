"""Checks and times Weft's CUDA engine. The script `run` starts this."""

import argparse
import os
import pathlib
import sys
import traceback

import command
import programs
import report
import report_text
import session

STEPS = """
Steps, each with a limit of its own: the device; transforms and random fabrics bit for bit
beside the host engine, small ones first; cuFFT; the steps of transforms of 64^3 to 512^3
timed; compute-sanitizer (memcheck, racecheck, synccheck) on small cases. A step that fails
or is killed does not end the others. One that needs a thing the machine lacks is skipped.

The report, written anew after each step: report.txt, report.json; log.txt has all output.

Environment: OUT (where the report goes), WEFT_CUFFT_FOLDERS (where else cuFFT may be; colons
between), COMPUTE_SANITIZER (its path).

Exit codes:
  0    something was checked on a device, and nothing failed
  1    a check failed, or a step was killed at its own limit
  2    invalid arguments, or an incomplete folder
  77   nothing was checked: the machine has no usable device
  124  the time was over before all steps had ended; nothing had failed
  130  interrupted; the report has what was known
"""


class Arguments(argparse.ArgumentParser):
    def error(self, message):
        raise programs.Refused("cannot read the command line", message, "see run --help")


def seconds(text):
    value = float(text)
    if not 1 <= value <= 1e6:
        raise argparse.ArgumentTypeError(f"{text} is not between 1 and 1e6")
    return value


def parse(words):
    arguments = Arguments(
        prog="run", description="Checks and times Weft's CUDA engine on this machine's NVIDIA GPU.",
        epilog=STEPS, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False)
    add = arguments.add_argument
    add("--seconds", type=seconds, metavar="N", default=540.0,
        help="time for all steps (default: 540)")
    add("--step-seconds", type=seconds, metavar="N",
        help="limit of each step (default: each has one of its own)")
    add("--out", metavar="FOLDER", default=os.environ.get("OUT") or "report",
        help="folder for the report (default: $OUT, or else ./report)")
    add("--only", metavar="TEXT", action="append", default=[],
        help="only steps with this in their names, such as 'side 4' or 'sanitizer'; may be given "
             "several times")
    add("--imitation", action="store_true",
        help="try the folder where there is no GPU: small cases, on CPU threads (where it was "
             "built only: the imitation does not travel)")
    return arguments.parse_args(words)


def show(text):
    """The reader may be gone, which is no reason to end."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def check(words):
    options = parse(words)
    folder = pathlib.Path(__file__).absolute().parent.parent
    found = programs.find(folder, "imitation" if options.imitation else "bin")
    out = pathlib.Path(options.out)
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as e:
        raise programs.Refused("cannot write the report", f"{out}: {e.strerror}",
                               "name another folder with --out") from None
    command.heed_interrupts()
    show(f"At most {options.seconds:.0f} s. After each step the report is in {out}/report.txt.\n")
    known = session.run_all(options, found, out, show)
    show("\n" + report_text.text_of(known))
    return report.exit_code(known)


def main(words):
    sys.stdout.reconfigure(errors="replace")
    try:
        return check(words)
    except programs.Refused as refused:
        why = refused
    except Exception as e:  # whatever it is, it is no result of a check
        traceback.print_exc()
        why = programs.Refused("the check cannot go on", e, "see what the report has until then")
    print(f"gpu-check: {why}", file=sys.stderr)
    return report.REFUSED


sys.exit(main(sys.argv[1:]))
