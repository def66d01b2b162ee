"""Results read from the output of programs, also of those that fail, crash or are killed."""

import json
from types import SimpleNamespace

import estimate
import pytest
import readers
import report as reports
from command import Done

STEP = SimpleNamespace(name="a step")
TESTS = """\
[----------] 3 tests from A
[ RUN      ] A.Fits
[       OK ] A.Fits (1234 ms)
[ RUN      ] A.Differs/4
a_test.cpp:12: Failure
Expected equality of these values:
[  FAILED  ] A.Differs/4, where GetParam() = (4, 8-byte object <01-00>) (20 ms)
[ RUN      ] A.CannotRun
a_test.cpp:20: Skipped
no CUDA device

[  SKIPPED ] A.CannotRun (0 ms)
"""
FITS = "[ RUN      ] A.Fits\n[       OK ] A.Fits (1 ms)\n"


def read(reader, out, exit_code=0, **more):
    report = reports.begin(1, False, {})
    reader(STEP, Done(exit_code=exit_code, seconds=3.0, out=out, **more), report)
    assert all(check["step"] == "a step" for check in report["checks"])
    return report


def checks(reader, out, exit_code=0, **more):
    return [(check["name"], check["result"], check["reason"])
            for check in read(reader, out, exit_code, **more)["checks"]]


def test_tests_end_in_three_ways():
    summary = "[  FAILED  ] 1 test, listed below:\n[  FAILED  ] A.Differs/4\n"
    assert checks(readers.read_tests, TESTS + summary, 1) == [
        ("A.Fits", "passed", ""),
        ("A.Differs/4", "failed",
         "a_test.cpp:12: Failure\nExpected equality of these values:"),
        ("A.CannotRun", "skipped", "no CUDA device")]
    assert read(readers.read_tests, TESTS)["checks"][0]["seconds"] == 1.234


def test_json_has_the_word_where_it_was_written():
    tests = [{"name": "Fits", "result": "COMPLETED", "time": "2.5s"},
             {"name": "Differs/4", "result": "COMPLETED", "time": "0.02s",
              "failures": [{"failure": "a_test.cpp:12\nOf JSON", "type": ""}]},
             {"name": "Mumbles", "result": "COMPLETED", "time": "0s"},
             {"name": "CannotRun", "result": "SKIPPED", "time": "0s"}]
    results = json.dumps({"testsuites": [{"name": "A", "testsuite": tests}]})
    mumbled = "[ RUN      ] A.Mumbles\nno end of line[       OK ] A.Mumbles (0 ms)\n"
    assert checks(readers.read_tests, TESTS + mumbled, 1, results=results) == [
        ("A.Fits", "passed", ""),
        ("A.Differs/4", "failed", "a_test.cpp:12\nOf JSON"),
        ("A.CannotRun", "skipped", "no CUDA device"),
        ("A.Mumbles", "passed", "")]


def test_a_test_that_does_not_end_fails_unless_its_step_was_killed():
    out = TESTS + "[ RUN      ] A.Crashes\nsome words\n"
    assert checks(readers.read_tests, out, 139)[3:] == [
        ("A.Crashes", "failed", "it did not end\nsome words")]
    assert checks(readers.read_tests, out, 139, killed=True)[3:] == [
        ("A.Crashes", "skipped", "under way when killed\nsome words")]


def test_long_words_are_cut():
    out = f"[ RUN      ] A.B\n{'x' * 500}\n[  FAILED  ] A.B (0 ms)\n"
    reason = checks(readers.read_tests, out, 1)[0][2]
    assert reason == "x" * 400 + " ... (see log.txt)"


@pytest.mark.parametrize("said, exit_code, result, reason", [
    ("ERROR SUMMARY: 0 errors", 0, "passed", ""),
    ("RACECHECK SUMMARY: 0 hazards displayed (0 errors, 0 warnings)", 0, "passed", ""),
    ("ERROR SUMMARY: 2 errors", 99, "failed", "exit code 99; ERROR SUMMARY: 2 errors"),
    ("RACECHECK SUMMARY: 1 hazard displayed (1 error, 0 warnings)", 99, "failed",
     "exit code 99; it printed no summary"),
    ("", 0, "failed", "exit code 0; it printed no summary")])
def test_a_sanitizer_finds_errors_or_none(said, exit_code, result, reason):
    assert checks(readers.read_sanitizer, f"{FITS}========= {said}\n", exit_code) == [
        ("A.Fits", "passed", ""), ("no errors", result, reason)]


def test_a_sanitizer_without_device_or_tests_is_skipped():
    said = "========= Error: Device not supported. Please refer to\n"
    assert [check[1] for check in checks(readers.read_sanitizer, said, 1)] == ["skipped"]
    said = "========= ERROR SUMMARY: 0 errors\n"
    assert checks(readers.read_sanitizer, said) == [
        ("no errors", "skipped", "no test ran: there was nothing to check")]


def test_a_sanitizer_that_was_killed_says_nothing_of_errors():
    assert checks(readers.read_sanitizer, FITS, 137, killed=True) == [("A.Fits", "passed", "")]


def test_comparisons_that_were_skipped_for_one_reason_are_one():
    case = {"shape": [8, 8, 8], "precision": "fp32", "direction": "forward", "engine": "cuda",
            "bound": 1e-6, "wall_seconds": 2, "reference_wall_seconds": 0.5}
    rows = [{"reference": "fftw", "verdict": "ok", "rel_l2": 1e-7, "reason": None},
            {"reference": "fftw", "verdict": "failed", "rel_l2": 2, "reason": None},
            {"reference": "cufft", "verdict": "skipped", "reason": "none"},
            {"reference": "cufft", "verdict": "skipped", "reason": "none"}]
    report = read(readers.read_compare, json.dumps({"rows": [{**case, **row} for row in rows]}))
    name = "8^3 fp32 forward, cuda engine against fftw"
    assert [(check["name"], check["result"], check["reason"]) for check in report["checks"]] == [
        (name, "passed", ""), (name, "failed", "relative L2 error 2, bound 1e-06"),
        ("2 comparisons", "skipped", "cufft: none")]
    assert [(timing["what"], timing["measured"]) for timing in report["timings"]] == [
        ("8^3 fp32 forward with copies, cuda engine", 2), ("8^3 fftw in double precision", 0.5)]


def test_a_benchmark_is_timed_beside_its_estimate():
    runs = [{"name": "device/n:64/iterations:5", "seconds": 2.0, "seconds_per_cycle": 1e-4},
            {"name": "device/n:512", "error_occurred": True, "error_message": "too small"}]
    report = read(readers.read_benchmark, json.dumps({"benchmarks": runs}))
    assert [(check["result"], check["reason"]) for check in report["checks"]] == [
        ("passed", ""), ("failed", "too small")]
    steps, cycle = report["timings"]
    assert steps["measured"] == 2 and steps["ratio"] == 2 / steps["estimated"]
    assert cycle["unit"] == "us" and cycle["measured"] == 1e-4 * 1e6


def test_a_program_is_timed_beside_its_estimate():
    runs = [{"name": "program/streams, 2 directions/side:512/iterations:5/manual_time",
             "seconds": 1e-3, "counted_cycles": 100.0},
            {"name": "program/stencil/side:512", "error_occurred": True, "error_message": "small"}]
    report = read(readers.read_benchmark, json.dumps({"benchmarks": runs}))
    assert [check["result"] for check in report["checks"]] == ["passed", "failed"]
    [rate] = report["timings"]
    assert rate["what"].startswith("streams, 2 directions, 512^2 PEs")
    assert rate["unit"] == "PE-cycles/s" and rate["measured"] == pytest.approx(512 * 512 / 1e-5)
    assert rate["estimated"] == estimate.pe_cycles_each_second("streams, 2 directions", 512)


def test_nvidia_smi_has_a_line_for_each_device():
    out = "name, clocks.current.sm [MHz]\nA GPU, 1980 MHz\nB, 345 MHz\n"
    assert [reading["values"] for reading in read(readers.read_smi, out)["nvidia_smi"]] == [
        {"name": "A GPU", "clocks.current.sm [MHz]": "1980 MHz"},
        {"name": "B", "clocks.current.sm [MHz]": "345 MHz"}]


@pytest.mark.parametrize("reader", [readers.read_info, readers.read_smi, readers.read_tests,
                                    readers.read_compare, readers.read_benchmark])
@pytest.mark.parametrize("out", ["", "{", "[]", "no JSON\nat all"])
def test_no_result_is_none(reader, out):
    report = read(reader, out, results=out)
    assert (report["checks"], report["timings"], report["absent"]) == ([], [], None)
