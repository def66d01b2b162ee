"""``python3 -m weft explain run.weft``: the command's ways to look at a run, from Python."""

import argparse
import sys

import weft


def explain(arguments):
    print(weft.load_profile(arguments.run).explain())


def main(given=None):
    parser = argparse.ArgumentParser(prog="python3 -m weft", description="Look at a run.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    command = commands.add_parser("explain", help="tell where its cycles went, and what to do")
    command.add_argument("run", metavar="RUN", help="a file that a profile was saved to")
    command.set_defaults(call=explain)
    arguments = parser.parse_args(given)
    try:
        arguments.call(arguments)
    except (weft.Error, OSError) as error:
        sys.stderr.write(f"weft: {error}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
