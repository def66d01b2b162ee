"""Takes checks, timings and the like from what a step's program has written.

Each reader has the parameters (step, done, report). What is no JSON gives nothing, and
then the step fails at its end.
"""

import json
import re

from estimate import estimate, pe_cycles_each_second
from report import add_check, add_timing, shortened

# A line of GoogleTest's, such as "[       OK ] Suite.Test (12 ms)"
MARK = re.compile(r"\[ +(RUN|OK|FAILED|SKIPPED) +\] (\S+?)(?:, where .*)?(?: \((\d+) ms\))?$")
RESULTS = {"OK": "passed", "FAILED": "failed", "SKIPPED": "skipped"}


def parse(text):
    """An object of JSON, empty if the text is none."""
    try:
        value = json.loads(text)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def read_info(step, done, report):
    """`weft info --json -`"""
    info = parse(done.out)
    if info:
        report.update({key: info.get(key) for key in ("version", "devices", "cuda")},
                      absent=info.get("absent", {}))


def read_smi(step, done, report):
    """nvidia-smi's table, as CSV"""
    titles, *lines = [[cell.strip() for cell in line.split(",")] for line in done.out.splitlines()
                      ] or [[]]
    for cells in lines:
        report["nvidia_smi"].append({"step": step.name, "values": dict(zip(titles, cells))})


def printed_tests(done):
    """By name, the result, seconds and reason of each test in GoogleTest's output."""
    tests, name, said = {}, None, []
    for line in done.out.split("\n"):
        mark = MARK.match(line)
        if mark and mark[1] == "RUN":
            name, said = mark[2], []
        elif mark and name:
            result = RESULTS[mark[1]]
            if result == "skipped":  # where the test stands in the source is no reason
                said = [one for one in said if not one.endswith(": Skipped")]
            reason = "" if result == "passed" else shortened("\n".join(filter(None, said)))
            tests[name] = result, int(mark[3] or 0) / 1e3, reason
            name = None
        else:
            said.append(line)
    if name:  # that its step was killed is another check's affair
        result, why = (("skipped", "under way when killed") if done.killed else
                       ("failed", "it did not end"))
        tests[name] = result, 0.0, shortened("\n".join(filter(None, [why, *said])))
    return tests


def tests_in_json(results):
    """The same of GoogleTest's JSON, which has no reasons of what was skipped."""
    for suite in parse(results).get("testsuites", []):
        for test in suite["testsuite"]:
            failures = [one["failure"] for one in test.get("failures", [])]
            if failures or test["result"] == "COMPLETED":
                yield (f"{suite['name']}.{test['name']}",
                       ("failed" if failures else "passed", float(test["time"].rstrip("s")),
                        shortened("\n".join(failures))))


def read_tests(step, done, report):
    """GoogleTest's JSON, and its output: the JSON is written at the end only, which a program that
    crashes or is killed does not reach."""
    tests = printed_tests(done)
    tests.update(tests_in_json(done.results))
    for name, test in tests.items():
        add_check(report, step.name, name, *test)


def read_sanitizer(step, done, report):
    """GoogleTest's output under compute-sanitizer"""
    said = done.out + done.err
    if "Device not supported" in said:
        return add_check(report, step.name, "supports the device", "skipped", done.seconds,
                         "compute-sanitizer says: Device not supported")
    before = len(report["checks"])
    read_tests(step, done, report)
    if done.killed:
        return None
    ran = any(check["result"] != "skipped" for check in report["checks"][before:])
    # racecheck has a summary of its own.
    clean = "ERROR SUMMARY: 0 errors" in said or "RACECHECK SUMMARY: 0 hazards" in said
    if done.exit_code != 0 or not clean:
        summary = re.search("ERROR SUMMARY: .*", said)
        result = ("failed", f"exit code {done.exit_code}; "
                            f"{summary[0] if summary else 'it printed no summary'}")
    else:
        result = ("passed", "") if ran else ("skipped", "no test ran: there was nothing to check")
    return add_check(report, step.name, "no errors", result[0], done.seconds, result[1])


def read_compare(step, done, report):
    """`weft compare --json -`. Each engine and each reference has its wall times once."""
    skipped, timed = {}, {}  # by reason: most have the same; by what was timed
    for row in parse(done.out).get("rows", []):
        side, reference = f"{row['shape'][0]}^3", row["reference"]
        case = f"{side} {row['precision']} {row['direction']}"
        if row["verdict"] not in ("ok", "failed"):
            reason = f"{reference}: {row['reason'] or row['verdict']}"
            skipped[reason] = skipped.get(reason, 0) + 1
            continue
        failed = row["verdict"] == "failed"
        add_check(report, step.name, f"{case}, {row['engine']} engine against {reference}",
                  "failed" if failed else "passed", row["wall_seconds"],
                  f"relative L2 error {row['rel_l2']}, bound {row['bound']}" if failed else "")
        if row["precision"] == "fp32" and row["direction"] == "forward":
            timed.setdefault(f"{case} with copies, {row['engine']} engine", row["wall_seconds"])
            timed.setdefault(f"{side} {reference} in double precision",
                             row["reference_wall_seconds"])
    for what, measured in timed.items():
        if measured is not None:
            add_timing(report, what, "s", measured)
    for reason, count in sorted(skipped.items()):
        add_check(report, step.name, f"{count} comparisons", "skipped", 0.0, reason)


def read_benchmark(step, done, report):
    """bench-device's JSON"""
    for run in parse(done.out).get("benchmarks", []):
        name = run["name"]
        if run.get("error_occurred"):
            add_check(report, step.name, name, "failed", 0.0, run.get("error_message", ""))
            continue
        transform = re.match(r"device/n:(\d+)", name)
        program = re.match(r"program/(.+)/side:(\d+)", name)
        if "seconds" not in run or not (transform or program):
            continue
        add_check(report, step.name, name, "passed", run["seconds"])
        if transform:
            n = int(transform[1])
            expected = estimate(n)
            add_timing(report, f"{n}^3 fp32 forward, steps alone", "s", run["seconds"],
                       expected["steps"])
            add_timing(report, f"{n}^3 fp32 forward, a cycle that is stepped", "us",
                       run["seconds_per_cycle"] * 1e6, expected["cycle"] * 1e6)
        else:
            n = int(program[2])
            add_timing(report, f"{program[1]}, {n}^2 PEs", "PE-cycles/s",
                       run["counted_cycles"] * n * n / run["seconds"],
                       pe_cycles_each_second(program[1], n))
