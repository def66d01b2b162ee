"""python3 -m weft: what the command `weft` does with runs, where only the Python module is."""

import argparse
import os
import re
import sys

from . import Error, __version__, load_profile
from ._calls import usage_error as _usage_error


def _bytes(text):
    """64M as a number; K, M, G and T are powers of 1024."""
    found = re.fullmatch(r"(\d+)([KMGT]?)", text)
    if not found or not int(found[1]):
        raise argparse.ArgumentTypeError(f"{text!r} is no number of bytes, such as 64M")
    return int(found[1]) << 10 * " KMGT".index(found[2] or " ")


def _view(given):
    page = given.output or os.path.splitext(given.run)[0] + ".html"
    if not page.endswith(".html"):
        raise _usage_error(f"cannot write {page!r}", "a page is an .html file", "name one")
    against = load_profile(given.against) if given.against else None
    load_profile(given.run).page(page, against, given.page_limit)
    print(f"{page}: open it in a browser")


def _heatmap(given):
    load_profile(given.run).heatmap(given.metric, given.picture, given.window)


def _explain(given):
    print(load_profile(given.run).explain())


def main(given=None):
    parser = argparse.ArgumentParser("python3 -m weft", description="Shows runs of Weft.")
    parser.add_argument("--version", action="version", version=f"weft {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    view = commands.add_parser("view", help="write a run as a page that any browser shows")
    view.add_argument("run", metavar="RUN", help="a file of Profile.save, such as run.weft")
    view.add_argument("-o", "--output", metavar="FILE", help="the page; by default beside RUN")
    view.add_argument("--against", metavar="FILE", help="another run of the same mesh")
    view.add_argument("--page-limit", metavar="BYTES", type=_bytes, default=_bytes("64M"),
                      help="a longer page gets fewer windows of time (64M)")
    view.set_defaults(call=_view)
    explain = commands.add_parser("explain", help="tell where its cycles went, and what to do")
    explain.add_argument("run", metavar="RUN", help="a file of Profile.save, such as run.weft")
    explain.set_defaults(call=_explain)
    heatmap = commands.add_parser("heatmap", help="draw a count of a run by PE, as a picture")
    heatmap.add_argument("run", metavar="RUN", help="a file of Profile.save, such as run.weft")
    heatmap.add_argument("metric", metavar="METRIC", help="busiest_link, or a count")
    heatmap.add_argument("picture", metavar="PICTURE", help="a .png file; .apng: all windows")
    heatmap.add_argument("--window", metavar="N", type=int, help="only this window of time")
    heatmap.set_defaults(call=_heatmap)
    arguments = parser.parse_args(given)
    try:
        arguments.call(arguments)
    except (Error, OSError) as error:
        print(f"weft: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
