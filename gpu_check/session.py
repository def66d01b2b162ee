"""Runs the steps one after the other, and writes the report after each."""

import os
import shutil
import time

import command
import machine
import readers
import report as reports
import report_text
from steps import RESULTS, steps

LEAST_STEP = 2  # seconds that are worth to begin with
MOST_LOGGED = 256 * 1024  # characters of a step


def end_text(done):
    if done.not_started:
        return "not started"
    if done.killed:
        return "killed"
    if done.exit_code > 128:
        return f"signal {done.exit_code - 128}"
    return f"exit code {done.exit_code}"


class Session:
    def __init__(self, options, programs, out, show):
        self.options, self.programs, self.out, self.show = options, programs, out, show
        self.start = time.monotonic()
        self.out_of_time = False
        # An imitation uses one that is named only.
        self.sanitizer = os.environ.get("COMPUTE_SANITIZER")
        if self.sanitizer is None:
            self.sanitizer = "" if options.imitation else machine.compute_sanitizer()
        self.environment = {"WEFT_CUFFT_FOLDERS": machine.cufft_folders()}
        if options.imitation:  # a real device beside it would only confuse
            self.environment["CUDA_VISIBLE_DEVICES"] = ""
        self.report = reports.begin(options.seconds, options.imitation, {
            **machine.describe(programs.loader),
            "cuFFT found in": self.environment["WEFT_CUFFT_FOLDERS"],
            "compute-sanitizer": self.sanitizer})
        self.log_path().write_text("")

    def run(self):
        for step in steps(self.options.imitation):
            if command.interrupts:
                break
            if not self.is_wanted(step):
                continue
            self.take(step)
            self.save()
            self.show_step(self.report["steps"][-1])
        self.report["state"] = ("interrupted" if command.interrupts else
                                "out of time" if self.out_of_time else "finished")
        self.save()
        return self.report

    def log_path(self):
        return self.out / "log.txt"

    def elapsed(self):
        return time.monotonic() - self.start

    def is_wanted(self, step):
        """The device is always described."""
        only = self.options.only
        return not only or step.read is readers.read_info or any(part in step.name for part in only)

    def save(self):
        self.report["seconds"] = self.elapsed()
        reports.write_file(self.out / "report.txt", report_text.text_of(self.report))
        reports.write_json(self.report, self.out)

    def show_step(self, record):
        checks = reports.counts_text(self.report, record["name"])
        self.show(f"{self.elapsed():6.0f} s  {record['name']:<28}{record['seconds']:6.1f} s  "
                  f"{checks or record['end']}\n")

    def record(self, step, end, words=(), limit_s=None):
        self.report["steps"].append({
            "name": step.name, "command": " ".join(words), "end": end, "seconds": 0.0,
            "limit_seconds": step.limit_s if limit_s is None else limit_s})

    def skip(self, step, why):
        reports.add_check(self.report, step.name, "all", "skipped", 0.0, why)
        self.record(step, "skipped")

    def why_not(self, step):
        """Empty if the step can be run."""
        for need in filter(None, ["cuda" if step.needs else "", step.needs]):
            if why := reports.why_absent(self.report, need):
                return why
        if not step.tool or self.sanitizer:
            return ""
        if self.options.imitation:
            return "it shows nothing on an imitation (COMPUTE_SANITIZER names one all the same)"
        return ("compute-sanitizer was not found, neither in PATH nor in a toolkit "
                "(COMPUTE_SANITIZER names it)")

    def words(self, step, results):
        """The command line; empty if it is a program of the machine that is not there."""
        if step.of_host:
            program = [found] if (found := shutil.which(step.program)) else []
        else:
            program = self.programs.words(step.program)
        if not program:
            return []
        tool = [self.sanitizer, "--tool", step.tool, "--error-exitcode", "99", "--print-limit",
                "20"] if step.tool else []
        return tool + program + [word.replace(RESULTS, str(results)) for word in step.arguments]

    def take(self, step):
        if why := self.why_not(step):
            return self.skip(step, why)
        left = self.options.seconds - self.elapsed()
        if left < LEAST_STEP:
            self.out_of_time = True
            return self.skip(step, f"no time was left of the {self.options.seconds:.0f} s of the "
                                   "run")
        results = self.out / "tests.json"
        words = self.words(step, results)
        if not words:  # there is nothing to check
            return self.record(step, "not found", [step.program])
        own = self.options.step_seconds or step.limit_s
        limit_s = min(own, left)
        self.record(step, "under way", words, limit_s)
        self.save()  # for the reader of a run that is killed now
        results.unlink(missing_ok=True)
        done = command.run(words, limit_s, self.environment)
        if results.exists():
            done.results = results.read_text(encoding="utf-8", errors="replace")
            results.unlink()
        self.log(step, done)
        try:
            step.read(step, done, self.report)
        except (AttributeError, LookupError, TypeError, ValueError) as e:  # of unexpected JSON
            reports.add_check(self.report, step.name, "can be read", "failed", 0.0, repr(e))
        self.judge_end(step, done, own, limit_s)
        self.report["steps"][-1].update(end=end_text(done), seconds=done.seconds)
        return None

    def judge_end(self, step, done, own, limit_s):
        """Adds a check for a step that did not end as it should, unless one says so already."""
        def add(result, reason):
            reports.add_check(self.report, step.name, "ends as it should", result, done.seconds,
                              reason)

        if done.killed and command.interrupts:
            return add("skipped", f"interrupted after {done.seconds:.0f} s")
        if done.killed and limit_s < own:
            self.out_of_time = True
            return add("skipped", f"the run's {self.options.seconds:.0f} s were over: killed after "
                                  f"{done.seconds:.0f} s of its {own:.0f}")
        # The machine's own programs are no part of what is checked.
        bad = "skipped" if step.of_host else "failed"
        if done.not_started:
            return add(bad, done.not_started)
        if done.killed:
            return add(bad, f"killed at its limit of {own:.0f} s")
        counts = reports.counts(self.report, step.name)
        said = "\n" + reports.shortened(done.err) if done.err else ""
        explained = counts["failed"] or (counts["skipped"] and done.exit_code < 128)
        if done.exit_code != 0 and not explained:
            return add(bad, end_text(done) + said)
        gives_checks = step.needs or (step.read is readers.read_info
                                      and self.report["absent"] is None)
        if gives_checks and not any(counts.values()):
            add(bad, "it gave no result" + said)
        return None

    def log(self, step, done):
        with self.log_path().open("a", encoding="utf-8", errors="replace") as log:
            log.write(f"==== {step.name}\n$ {self.report['steps'][-1]['command']}\n")
            for text in done.out, done.err:
                if len(text) > MOST_LOGGED:
                    half = MOST_LOGGED // 2
                    text = f"{text[:half]}\n[...]\n{text[-half:]}"
                log.write(text)
            log.write(f"==== {end_text(done)} after {done.seconds:.1f} s\n\n")


def run_all(options, programs, out, show):
    """Returns the report of all steps."""
    return Session(options, programs, out, show).run()
