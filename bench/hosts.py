#!/usr/bin/env python3
"""How long hosts that share a fabric will take for a transform of 1024^3 numbers on 1024 x 1024 PEs: a prediction.

hosts.py [OPTION ...]

It follows from what was counted and measured of smaller transforms, and from a network that the options describe. A
process on each host; its threads pack and step. Nobody has measured it.
"""

import argparse

SIDE = 1024  # of the mesh, and of the array
CYCLES = 2_540_759  # in FP32 (docs/transforms.md)
LANES, STRIP_HEIGHT = 64, 4
# Of bench-processes "by line" n, for n = 32, 64, 128 and 256: times that PEs go over in a transform, and the bytes of
# each, which grow with its part of the array.
EXCHANGES = 2
COUNTED_BYTES = {32: 2299, 64: 2939, 128: 4220, 256: 6781}
# Of "plain step" 128 with two processes: messages a cycle over a cut, each way.
MESSAGES = 1.326
# PE-cycles/s of a thread (docs/performance.md, A): by line at n = 512, and by the plain step at n = 128, as the time by
# line is to it on another machine (docs/accelerations.md).
BY_LINE = 7.18e9 / 2
PLAIN = 1.98e9 / 6.7
# Bytes/s that a thread packs, while it unpacks as many: of "by line" 128 with two processes on two cores that had
# other work (17,285,376 bytes in 0.078 s, the median of three runs).
PACKS = 17_285_376 / 0.078


def bytes_of_pe(side):
    """By the line through the counted sides that are furthest apart."""
    least, most = min(COUNTED_BYTES), max(COUNTED_BYTES)
    slope = (COUNTED_BYTES[most] - COUNTED_BYTES[least]) / (most - least)
    return COUNTED_BYTES[least] + slope * (side - least)


def by_line(hosts, network):
    """Seconds of each part, by name."""
    bundles = SIDE // LANES
    busy = min(bundles, hosts * network.threads)
    step = "bundles" if busy == bundles else "threads"
    sent = SIDE * SIDE / hosts * (1 - 1 / hosts) * bytes_of_pe(SIDE)
    messages = sent / bytes_of_pe(SIDE) / LANES
    return {
        step: CYCLES * SIDE * SIDE / BY_LINE / busy,
        "packing": EXCHANGES * sent / PACKS / network.threads,
        "network": EXCHANGES * (sent / network.bandwidth + messages * network.latency),
    }


def plain(hosts, network):
    rows = SIDE // STRIP_HEIGHT
    busy = min(rows, hosts * network.threads)
    step = "rows" if busy == rows else "threads"
    return {step: CYCLES * SIDE * SIDE / PLAIN / busy, "messages": CYCLES * MESSAGES * network.latency}


def cells(parts):
    bound = max(parts, key=parts.get)
    step, *others = parts.values()
    return [f"{step:.0f}", f"{sum(others):.1f}", f"{step + sum(others):.0f}", bound]


def table(network):
    lines = ["| Hosts | By line: step | exchanges | all | bound by | Plain step: step | messages | all | bound by |",
             "| ---: | ---: | ---: | ---: | --- | ---: | ---: | ---: | --- |"]
    for hosts in (4, 16, 64):
        row = [str(hosts), *cells(by_line(hosts, network)), *cells(plain(hosts, network))]
        lines.append("| " + " | ".join(row) + " |")
    return "\n".join(lines)


def arguments(given=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--threads", type=int, default=16, help="of a host (default: %(default)s)")
    parser.add_argument("--latency", type=float, default=2e-6, help="seconds of a message (default: %(default)s)")
    parser.add_argument("--bandwidth", type=float, default=12.5e9,
                        help="bytes/s of a host, each way (default: %(default)s)")
    return parser.parse_args(given)


if __name__ == "__main__":
    print(table(arguments()))
