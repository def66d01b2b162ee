#!/usr/bin/env python3
"""Machine instructions of a warp for 64 PEs and a cycle: report.py KERNEL.cubin BLOCKS.json WEFT-GPU-COUNT [OPTION ...]
"""

import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys

import sass

# Parts of a cycle, by the function that an instruction is of, or that calls that function: the innermost counts.
PARTS = {
    "take_in": "exchange", "put_out": "exchange",
    "is_due": "due", "set_wake": "due", "note_steps": "due", "note_polled": "due",
    "read_inbox": "inbox", "find_requests": "requests", "decide": "decide",
    "send_on_links": "links", "tap": "tap",
    "count_filtered": "filters", "obey_all": "control", "forward": "forward", "route": "route",
    "room_for_core": "room", "arrive": "arrive", "deliver": "deliver",
    "step_microthreads": "microthreads", "pick_task": "tasks", "issue": "issue", "step_core": "core",
    "run_stretches": "stretches", "step": "step",
    "settle": "block of cycles", "add_counts": "block of cycles", "facts_of": "block of cycles",
    "step_set": "loop", "step_cycles": "loop", "step_tiles": "launch",
}
# Functions that are called, not inlined: parts of their callers.
CALLED = {
    "read_notes": "inbox", "look_at_payloads": "requests", "collisions": "requests", "arbitrate": "decide",
    "take_queue": "tap",
    "acts": "microthreads", "step_any": "microthreads", "finish": "microthreads", "end_starts": "microthreads",
    "do_element": "microthreads", "tell_torn_down": "tasks", "take_task": "tasks",
    "write_router": "issue", "write_filter": "issue",
    "execute": "instructions", "start_microthread": "instructions", "run_vector": "instructions",
    "run_in_memory": "instructions", "run_with_fifos": "instructions", "element": "instructions",
    "compute": "instructions", "execute_simple": "instructions", "run_stretch": "stretches", "run_any": "stretches",
    "shape_offset": "shapes",
}
# What was counted, by load: all instructions, those of each part, and the cycles that divide them.
COUNTED = pathlib.Path(__file__).with_name("counted.json")
MORE = 1.03  # a load may take so many times what was counted


def plain_name(mangled):
    """The last name that is no template's argument."""
    names, at = [], re.match(r"_ZN?K?|_ZZN?", mangled)
    at = at.end() if at else 0
    while m := re.match(r"(?:N|K)?(\d+)", mangled[at:]):
        begin = at + m.end()
        at = begin + int(m[1])
        names.append(mangled[begin:at])
    return names[-1] if names else mangled


class Parts:
    def __init__(self):
        self.known = {}

    def part(self, mangled):
        if mangled not in self.known:
            name = plain_name(mangled)
            self.known[mangled] = PARTS.get(name) or CALLED.get(name)
        return self.known[mangled]

    def of(self, functions):
        return next((p for f in reversed(functions) if (p := self.part(f))), plain_name(functions[0]))


def count(line, blocks, weights, group):
    """Instructions by group, for 64 PEs and a cycle."""
    of_kernel = next(counts for section, counts in weights.items() if line["shape"] in section)
    found = collections.Counter()
    for block, times in line["blocks"].items():
        for i in blocks[int(block)]:
            found[group(i["in"])] += times * of_kernel[i["line"]]
    scale = line["pes"] / 64 * line["cycles"]
    return {name: n / scale for name, n in found.items()}


def write(known):
    """A line for each load."""
    rows = ",\n".join(f"  {json.dumps(load)}: {json.dumps(row)}" for load, row in known.items())
    COUNTED.write_text(f"{{\n{rows}\n}}\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("cubin")
    parser.add_argument("blocks")
    parser.add_argument("program", help="weft-gpu-count")
    parser.add_argument("--load", action="append", default=[], help="only this load; may be given several times")
    parser.add_argument("--check", action="store_true", help="fail where a load takes more than counted.json says")
    parser.add_argument("--write", action="store_true", help="write what is counted into counted.json")
    parser.add_argument("--by-function", action="store_true", help="by innermost function, not by part")
    given = parser.parse_args()
    weights = sass.instructions_by_line(given.cubin)
    blocks = json.loads(pathlib.Path(given.blocks).read_text())
    known = json.loads(COUNTED.read_text())
    parts, over, not_run = Parts(), False, set(given.load or known)
    group = (lambda functions: plain_name(functions[-1])) if given.by_function else parts.of
    for text in subprocess.run([given.program, *given.load], check=True, text=True,
                               stdout=subprocess.PIPE).stdout.splitlines():
        line = json.loads(text)
        found = count(line, blocks, weights, group)
        total, at_most = sum(found.values()), known.get(line["load"], {"all": 0})["all"] * MORE
        over |= given.check and total > at_most
        not_run.discard(line["load"])
        print(f"{line['load']}: {total:.0f} of at most {at_most:.0f} ({line['cycles']} cycles)")
        most = {name: round(n) for name, n in sorted(found.items(), key=lambda item: -item[1]) if n >= 0.5}
        print("  " + ", ".join(f"{name} {n}" for name, n in most.items()))
        known[line["load"]] = {"all": round(total), "cycles": line["cycles"], "parts": most}
    if not_run:
        sys.exit(f"no such load: {', '.join(sorted(not_run))}; weft-gpu-count has none of this name")
    if given.write and not given.by_function:
        write(known)
    sys.exit(1 if over else 0)


if __name__ == "__main__":
    main()
