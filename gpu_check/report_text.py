"""The report as a text."""

import itertools
import json

import report as reports


def plain(value):
    return value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))


def line(key, value, indent=2):
    return f"{'':{indent}}{key:<{30 - indent}}{value}\n"


def member_line(key, value):
    """A line for what has such a key in JSON; none if it is not known."""
    text = plain(value)
    if text in ("", "0"):
        return ""
    if key.endswith("_bytes"):
        key = key[:-len("_bytes")]
        text = f"{value / 2**10:.1f} KiB" if value < 2**30 else f"{value / 2**30:.1f} GiB"
    elif key.endswith("_mhz"):
        key = key[:-len("_mhz")]
        text += " MHz"
    return line(key.replace("_", " "), text)


def members(values):
    return "".join(member_line(key, value) for key, value in values.items())


def device_text(report):
    if report["absent"] is None:
        return f"  not known: {reports.why_absent(report, 'cuda')}\n"
    devices = report["devices"] or []
    text = "".join(map(members, devices))
    if not devices:
        text += f"  none: {reports.why_absent(report, 'cuda')}\n"
    for key, value in (report["cuda"] or {}).items():
        text += line("CUDA, " + key, plain(value) or "none")
    for reading in report["nvidia_smi"]:
        text += f"  {reading['step']}\n"
        text += "".join(line(key, value, 4) for key, value in reading["values"].items())
    return text


def steps_text(report):
    text = f"  {'':<28}{'took s':>8}{'limit s':>8}  {'end':<24}checks\n"
    for step in report["steps"]:
        text += (f"  {step['name']:<28}{step['seconds']:>8.1f}{step['limit_seconds']:>8.0f}"
                 f"  {step['end']:<24}{reports.counts_text(report, step['name'])}\n")
    return text


def timings_text(report):
    if not report["timings"]:
        return "  none\n"
    text = f"  {'':<52}{'measured':>12}{'estimated':>12}{'ratio':>8}  unit\n"
    for timing in report["timings"]:
        estimated, ratio = "-", "-"
        if timing["estimated"] is not None:
            estimated, ratio = f"{timing['estimated']:.4g}", f"{timing['ratio']:.2f}"
        text += (f"  {timing['what']:<52}{timing['measured']:>12.4g}{estimated:>12}{ratio:>8}"
                 f"  {timing['unit']}\n")
    text += "  Estimated for an H200, by the latency of dependent instructions.\n"
    text += "  Of PE-cycles/s, more is better.\n"
    if report["imitation"]:
        text += "  Measured on an imitation, which has no speed of a device.\n"
    return text


def reason_text(reason):
    return "".join(f"{'':13}{one}\n" for one in reason.split("\n") if reason)


def checks_text(checks):
    return "".join(f"  {check['seconds']:>7.2f} s  {check['step']}: {check['name']}\n"
                   + reason_text(check["reason"]) for check in checks)


def skipped_text(checks):
    """Each reason once, as most checks that follow each other have the same."""
    text = ""
    for reason, alike in itertools.groupby(checks, lambda check: check["reason"]):
        text += "".join(f"  {check['step']}: {check['name']}\n" for check in alike)
        text += reason_text(reason)
    return text


def text_of(report):
    result = reports.result_text(report)
    checks = {name: [check for check in report["checks"] if check["result"] == name]
              for name in ("passed", "skipped", "failed")}
    sections = {"Device": device_text(report), "Host": members(report["host"]),
                "Steps": steps_text(report), "Timings": timings_text(report),
                "Passed": checks_text(checks["passed"]), "Skipped": skipped_text(checks["skipped"]),
                "Failed": checks_text(checks["failed"])}
    kind = " on an imitation of a device" if report["imitation"] else ""
    text = (f"Check of Weft's CUDA engine{kind}\n  {result}\n"
            f"  begun {report['begun']}; took {report['seconds']:.0f} s of "
            f"{report['allowed_seconds']:.0f}\n")
    text += "".join(f"\n{title}\n{section}" for title, section in sections.items() if section)
    return f"{text}\n{result}\n"
