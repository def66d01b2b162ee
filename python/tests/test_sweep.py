"""weft.sweep calls a function for each point of a grid, and keeps what it has."""

import contextlib
import io
import json
import os
import pathlib
import re
import signal

import numpy as np
import pytest

import weft


def cycles(ramp_cycles, n):
    x = np.ones((n, n, n), np.complex64)
    return {"cycles": weft.fft(x, machine=weft.Machine(ramp_cycles=ramp_cycles)).report.cycles}


def test_rows_are_the_calls_in_order():
    rows = weft.sweep(cycles, {"ramp_cycles": [1, 4], "n": (8, 16)}, jobs=3)
    assert rows == [{"ramp_cycles": ramp, "n": n, **cycles(ramp, n)} for ramp in (1, 4) for n in (8, 16)]


def test_functions_within_functions_and_results_of_any_kind():
    base = 10
    rows = weft.sweep(lambda k: np.arange(base + k), {"k": range(3)})
    assert [row["result"].size for row in rows] == [10, 11, 12]


def test_each_process_has_its_share_of_the_cores():
    rows = weft.sweep(lambda k: sorted(os.sched_getaffinity(0)), {"k": range(4)}, jobs=2)
    cores = os.sched_getaffinity(0)
    for row in rows:
        assert 1 <= len(row["result"]) <= max(1, (len(cores) + 1) // 2)
        assert set(row["result"]) <= cores


def test_what_is_kept_is_not_called_again(tmp_path):
    keep, called = tmp_path / "kept.jsonl", tmp_path / "called"

    def square(k):
        with open(called, "a") as file:
            file.write(f"{k}\n")
        return np.int64(k * k)

    def calls():
        return sorted(called.read_text().split())

    assert [row["result"] for row in weft.sweep(square, {"k": [1, 2]}, keep=keep)] == [1, 4]
    with open(keep, "a") as file:
        file.write('{"point": {"k": 3}, "resu')  # of a sweep that was stopped while it wrote
    assert [row["result"] for row in weft.sweep(square, {"k": [1, 2, 3]}, keep=keep)] == [1, 4, 9]
    assert calls() == ["1", "2", "3"]
    assert len(keep.read_text().splitlines()) == 3
    weft.sweep(square, {"k": [2]}, keep=keep, again=True)
    assert calls() == ["1", "2", "2", "3"]


def test_what_fails_is_named_and_the_others_go_on(tmp_path):
    keep = tmp_path / "kept.jsonl"

    def call(k):
        if k == 1:
            raise ValueError("no such k")
        if k == 2:
            os.kill(os.getpid(), signal.SIGKILL)
        if k == 3:
            os._exit(5)
        if k == 4:
            return lambda: 0  # cannot be pickled
        return k

    rows = weft.sweep(call, {"k": range(6)}, keep=keep)
    assert rows[0] == {"k": 0, "result": 0} and rows[5] == {"k": 5, "result": 5}
    assert rows[1]["error"] == "ValueError: no such k"
    assert "signal 9" in rows[2]["error"]
    assert "ended with 5" in rows[3]["error"]
    assert "pickle" in rows[4]["error"]
    assert sum("error" in json.loads(line) for line in keep.read_text().splitlines()) == 4


def test_refusals(tmp_path):
    for grid in {"n": []}, {}:
        with pytest.raises(weft.UsageError, match="empty"):
            weft.sweep(cycles, grid)
    with pytest.raises(weft.UsageError, match="an argument of the function"):
        weft.sweep(cycles, {"ramp cycles": [1]})
    with pytest.raises(weft.UsageError, match="invalid jobs"):
        weft.sweep(cycles, {"n": [8]}, jobs=0)
    foreign = tmp_path / "foreign"
    for text in "precious\n", "precious", '{"machine": 1}':
        foreign.write_text(text)
        with pytest.raises(weft.UsageError, match="no results of a sweep"):
            weft.sweep(cycles, {"n": [8]}, keep=foreign)
        assert foreign.read_text() == text


def test_the_page_prints_what_it_says(tmp_path, monkeypatch):
    page = (pathlib.Path(__file__).parents[2] / "docs/sweeps.md").read_text()
    code, text = re.search(r"```python\n(.*?)```\n\n```text\n(.*?)```", page, re.S).groups()
    monkeypatch.chdir(tmp_path)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, "sweep.py", "exec"), {})
    assert printed.getvalue() == text
