"""All that is known so far, in the shape of report.json."""

import json
import time

MOST_REASON = 400  # characters

# Exit codes; run --help lists them.
PASSED_ALL, FAILED_SOME, REFUSED, NOTHING_CHECKED, OUT_OF_TIME, INTERRUPTED = 0, 1, 2, 77, 124, 130

# What is added to the result of a run in this state.
STATES = {"running": "; the run had not ended",
          "finished": "",
          "out of time": "; the time was over before all steps had ended",
          "interrupted": "; interrupted"}


def begin(seconds, imitation, host):
    return {"version": None, "imitation": imitation, "state": "running",
            "begun": time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime()), "seconds": 0.0,
            "allowed_seconds": seconds, "counts": {}, "result": "", "exit_code": None,
            "devices": None, "cuda": None, "absent": None, "nvidia_smi": [], "host": host,
            "timings": [], "estimated_for": "H200, estimated from counted instructions",
            "steps": [], "checks": []}


def add_check(report, step, name, result, seconds=0.0, reason=""):
    """`result` is passed, failed or skipped; the reason says why it did not pass."""
    report["checks"].append({"step": step, "name": name, "result": result, "seconds": seconds,
                             "reason": reason})


def add_timing(report, what, unit, measured, estimated=None):
    ratio = None if estimated is None else measured / estimated
    report["timings"].append({"what": what, "unit": unit, "measured": measured,
                              "estimated": estimated, "ratio": ratio})


def counts(report, step=None):
    """Of all checks, or of a step's."""
    results = [check["result"] for check in report["checks"] if step in (None, check["step"])]
    return {result: results.count(result) for result in ("passed", "failed", "skipped")}


def counts_text(report, step):
    """Those that are not 0, such as "12 passed, 1 failed"."""
    return ", ".join(f"{n} {result}" for result, n in counts(report, step).items() if n)


def why_absent(report, name):
    """Why the engine or reference of this name is absent; empty if it is not."""
    if report["absent"] is None:
        return "weft info gave no answer"
    return report["absent"].get(name, "")


def shortened(words):
    """A program's words, cut where they are too many for a reason."""
    words = words.rstrip(" \n")
    return words if len(words) <= MOST_REASON else words[:MOST_REASON] + " ... (see log.txt)"


def exit_code(report):
    """Of a run that has ended."""
    all_counts = counts(report)
    if report["state"] == "interrupted":
        return INTERRUPTED
    if all_counts["failed"]:
        return FAILED_SOME
    if report["state"] == "out of time":
        return OUT_OF_TIME
    return PASSED_ALL if all_counts["passed"] else NOTHING_CHECKED


def result_text(report):
    """The run's result, in a line."""
    text = ", ".join(f"{n} {result}" for result, n in counts(report).items())
    text += STATES[report["state"]]
    if report["state"] != "finished" or exit_code(report) != NOTHING_CHECKED:
        return text
    why = why_absent(report, "cuda")
    if not why:
        return text + "; nothing was checked"
    return text + f"; there is no CUDA device to check ({why}): only this machine is described"


def json_of(report):
    ended = report["state"] != "running"
    return {**report, "counts": counts(report), "result": result_text(report),
            "exit_code": exit_code(report) if ended else None}


def write_file(path, text):
    """In one piece."""
    beside = path.with_name(path.name + ".new")
    beside.write_text(text, encoding="utf-8", errors="replace")
    beside.replace(path)


def write_json(report, folder):
    write_file(folder / "report.json",
               json.dumps(json_of(report), indent=2, ensure_ascii=False) + "\n")
