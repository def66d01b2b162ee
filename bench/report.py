#!/usr/bin/env python3
"""One table and one plot of what the benchmarks wrote. Usage: bench/report.py FOLDER"""

import json
import os
import pathlib
import re
import subprocess
import sys


def read(file):
    """The benchmarks of one file that ran, each with the numbers of its name: fft/n:64 has n."""
    text = file.read_text()
    runs = json.loads(text)["benchmarks"] if text else []  # empty if a filter left nothing
    for run in runs:
        run.update((key, int(value)) for key, value in re.findall(r"/(\w+):(\d+)", run["name"]))
    return [run for run in runs if not run.get("error_occurred")]


def time_text(seconds):
    for unit, size in ("s", 1), ("ms", 1e-3), ("us", 1e-6):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


def rate_text(run):
    return f"{run['PE-cycles/s']:.2e}"


def program_rows(runs):
    alone, plain = {}, {}
    for run in sorted(runs, key=lambda run: run["windows"]):
        name, side, threads = run["name"].split("/")[0], run["side"], run["threads"]
        windows = run["windows"]
        notes = []
        if windows == 0:
            plain[name, side, threads] = run["seconds"]
        elif (name, side, threads) in plain:
            ratio = run["seconds"] / plain[name, side, threads]
            notes.append(f"counted with {windows} windows, {ratio:.2f} times the time without")
        if run["hops"] > run["cycles"] * side:  # it streams
            notes.append(f"{run['seconds'] / run['hops'] * 1e9:.3g} ns a hop")
        if threads == 1:
            alone[name, side, windows] = run["seconds"]
        elif (name, side, windows) in alone:
            faster = alone[name, side, windows] / run["seconds"]
            notes.append(f"{faster:.2f} times as fast as one thread")
        yield ("program", f"{name}, {side} x {side}, {threads} thread{'s' * (threads > 1)}",
               time_text(run["seconds"]), rate_text(run), ", ".join(notes))


def fft_rows(runs):
    ways = {"fft": "", "fft_ring": " around a ring", "fft_halves": " by halves"}

    def way(run):
        return ways[run["name"].split("/")[0]]

    alone = {(way(run), run["n"]): run["seconds"] for run in runs if run["threads"] == 1}
    for run in runs:
        n, threads = run["n"], run["threads"]
        ratio = run["ratio"]
        times = f"{ratio:,.0f}" if ratio >= 100 else f"{ratio:.3g}"
        note = f"{times} times FFTW's {time_text(run['fftw_seconds'])}"
        if threads > 1 and (way(run), n) in alone:
            note += f", {alone[way(run), n] / run['seconds']:.2f} times as fast as one thread"
        if run is runs[-1]:
            note += f", {run['peak_bytes'] / 2**30:.2f} GiB"
        yield ("transform", f"{n}^3{way(run)}, {threads} thread{'s' * (threads > 1)}",
               time_text(run["seconds"]), rate_text(run), note)


def s3dft_rows(runs):
    for run in runs:
        yield ("transform", run["label"],
               time_text(run["seconds"]), rate_text(run), f"{run['cycles']:,.0f} cycles")


def mesh_rows(runs):
    for run in runs:
        yield ("cycles only", run["label"],
               time_text(run["seconds"]), rate_text(run), f"{run['cycles']:,.0f} cycles")


def command_rows(runs):
    for run in runs:
        yield ("command", "weft fft --shape 32,32,32", time_text(run["seconds"]), "",
               "from its start to its end")


def step_rows(runs):
    for run in runs:
        colors = f"{run['colors']} color{'s' * (run['colors'] > 1)}"
        load = "dense" if run["dense"] else "sparse"
        yield ("step", f"rows of {run['width']}, {colors}, {load}", time_text(run["seconds"]),
               rate_text(run), f"{run['link_load']:.2f} wavelets per link and cycle")


def strip_rows(variant, runs):
    alone = None
    for run in runs:
        if run["name"].startswith("busy_strip"):
            yield (variant, "one color through a strip", time_text(run["ns_per_step"] * 1e-9), "",
                   "Route and Deliver, 64 PEs")
        elif run["name"].startswith("busy_bundle"):
            yield (variant, "the same, by line", time_text(run["ns_per_step"] * 1e-9), "",
                   "64 PEs, one of each of 64 rows")
        elif run["rows"] == 1:
            alone = run["ns_per_cycle"]
            yield (variant, "512 x 1, busy", time_text(alone * 1e-9), "", "a cycle")
        else:
            ratio = f": {run['ns_per_cycle'] / alone:.2f} times the row alone" if alone else ""
            yield (variant, f"512 x {run['rows']}, one row busy",
                   time_text(run["ns_per_cycle"] * 1e-9), "", "a cycle" + ratio)


def device_rows(runs):
    for run in runs:
        case = (f"{run['n']}^3" if "n" in run else
                f"{run['name'].split('/')[1]}, {run['side']}^2 PEs")
        yield ("device", case, time_text(run["seconds"]), rate_text(run),
               f"{time_text(run['seconds_per_cycle'])} a cycle that was not skipped")


def print_table(rows):
    rows = [("what", "case", "time", "PE-cycles/s", "")] + rows
    widths = [max(map(len, column)) for column in zip(*rows)]
    for what, case, time, rate, note in rows:
        print(f"{what:<{widths[0]}}  {case:<{widths[1]}}  {time:>{widths[2]}}  "
              f"{rate:>{widths[3]}}  {note}".rstrip())


def cpu_name():
    found = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())
    return re.sub(r"\((R|TM)\)", "", found[1]) if found else "this CPU"


def caches():
    """The second- and third-level cache, as the system reports for the first CPU."""
    sizes = {}
    for cache in pathlib.Path("/sys/devices/system/cpu/cpu0/cache").glob("index*"):
        sizes[(cache / "level").read_text().strip()] = (cache / "size").read_text().strip()
    return ", ".join(f"L{level} {sizes[level]}" for level in sorted(sizes) if level != "1")


def machine():
    return ", ".join(filter(None, [cpu_name(), f"{os.cpu_count()} CPUs", caches()]))


def draw(folder, fft):
    """Data sets for gnuplot, one for each number of threads: n, seconds, FFTW's, PE-cycles/s.

    Of the published transform."""
    fft = [run for run in fft if run["name"].startswith("fft/")]
    counts = sorted({run["threads"] for run in fft})
    if not counts:
        print("no plot: it needs the benchmark fft")
        return
    sets = [[(run["n"], run["seconds"], run["fftw_seconds"], run["PE-cycles/s"]) for run in fft
             if run["threads"] == count] for count in counts]
    data = folder / "plot.dat"
    data.write_text("\n\n".join("".join(" ".join(map(str, row)) + "\n" for row in one)
                                for one in sets))
    picture = folder / "bench.png"
    title = f"n × n × n transforms on n × n emulated PEs  ({cpu_name()})"
    settings = (f"data='{data}'; picture='{picture}'; title='{title}'; "
                f"counts='{' '.join(map(str, counts))}'")
    subprocess.run(["gnuplot", "-e", settings, pathlib.Path(__file__).with_name("plot.gp")],
                   check=True)
    print(f"The plot is {picture}")


def main(folder):
    runs = {file.stem: read(file) for file in sorted(folder.glob("*.json"))}
    fft = runs.get("fft", [])
    rows = [*program_rows(runs.get("programs", [])), *fft_rows(fft),
            *s3dft_rows(runs.get("s3dft", [])), *mesh_rows(runs.get("mesh", [])),
            *command_rows(runs.get("command", [])), *step_rows(runs.get("step", []))]
    rows += device_rows(runs.get("device", []))
    for variant in "avx512", "avx2", "baseline":
        rows += strip_rows(variant, runs.get(f"strip-{variant}", []))
    print(f"\nMedians, on {machine()}:\n")
    print_table(rows)
    print()
    draw(folder, fft)


main(pathlib.Path(sys.argv[1]))
