"""What a fabric tells while it runs, as files."""

import gzip
import json
import os

import numpy as np
import pytest

import weft
from weft import Events, Observe, Port

KINDS = ["sent", "hop", "delivered", "refused", "held", "switched", "task_start", "task_end",
         "microthread_end", "microthread_start", "instruction", "fault"]


def fabric_with_events(events=[Events()], words=5, engine="host", counts=False):
    """Each PE of a row of three sends words to its neighbour in the east."""
    design = weft.Design(3, 1)
    east = weft.NeighborShift(design, design.all, Port.east)

    def program(pe):
        u, v = pe.array("u", words), pe.array("v", words)
        pe.fill(u, 1.5)
        east.shift(pe, u, v)

    design.program(design.all, "shift", program)
    return design.fabric(engine=engine, observe=Observe(counts, events=events))


def traced(path, fabric=None, **options):
    fabric = fabric or fabric_with_events()
    with fabric.trace(path, **options) as trace:
        fabric.run_until_idle()
    return trace


def test_an_array_has_the_wavelets_that_the_fabric_counts(tmp_path):
    fabric = fabric_with_events()
    trace = traced(tmp_path / "run.npy", fabric)
    events = np.load(tmp_path / "run.npy")
    assert len(events) == trace.events and trace.bytes == os.path.getsize(tmp_path / "run.npy")
    of_kind = {name: events[events["kind"] == n] for n, name in enumerate(KINDS)}
    assert len(of_kind["hop"]) == fabric.counters.hops == 10
    assert len(of_kind["delivered"]) == fabric.counters.delivered == 10
    assert (of_kind["hop"]["value"] == 1).all()
    assert len(of_kind["task_start"]) == len(of_kind["task_end"]) > 0
    order = np.lexsort((events["kind"], events["x"], events["y"], events["cycle"]))
    assert (order == np.arange(len(events))).all()


def test_engines_tell_the_same(tmp_path):
    for engine in ["host", "reference"]:
        traced(tmp_path / f"{engine}.npy", fabric_with_events(engine=engine))
    host = np.load(tmp_path / "host.npy")
    assert (host == np.load(tmp_path / "reference.npy")).all()
    fabric = fabric_with_events(counts=True)
    traced(tmp_path / "both.npy", fabric)
    assert (host == np.load(tmp_path / "both.npy")).all()
    counted = fabric_with_events(engine="reference", counts=True)
    counted.run_until_idle()
    assert fabric.profile() == counted.profile()


def test_choices_are_a_union(tmp_path):
    fabric = fabric_with_events([Events((0, 0, 1, 1), ["task"]), Events((2, 0, 1, 1), ["delivered"])])
    traced(tmp_path / "run.npy", fabric)
    events = np.load(tmp_path / "run.npy")
    assert {(KINDS[e["kind"]], int(e["x"])) for e in events} == {
        ("task_start", 0), ("task_end", 0), ("delivered", 2)}


def test_compressed_files_have_the_same_text(tmp_path):
    for name in ["run.json", "run.log", "run.pftrace"]:
        traced(tmp_path / name)
        traced(tmp_path / (name + ".gz"))
        assert gzip.open(tmp_path / (name + ".gz")).read() == (tmp_path / name).read_bytes()
    assert json.load(open(tmp_path / "run.json"))["traceEvents"]


def test_at_its_limit_the_run_goes_on(tmp_path):
    fabric = fabric_with_events(words=4000)
    trace = traced(tmp_path / "run.json", fabric, limit=100_000)
    assert 0 < trace.lacks_from < fabric.cycle
    assert trace.bytes < 200_000
    json.load(open(tmp_path / "run.json"))


def test_a_trace_is_written_after_an_error_too(tmp_path):
    fabric = fabric_with_events(words=4000)
    with pytest.raises(weft.LimitError), fabric.trace(tmp_path / "run.npy"):
        fabric.run_until_idle(limit=50)
    assert np.load(tmp_path / "run.npy")["cycle"].max() < 50


def test_without_a_close_there_is_no_file(tmp_path):
    fabric = fabric_with_events()
    trace = fabric.trace(tmp_path / "run.npy")
    fabric.run(20)
    del trace
    fabric.run_until_idle()
    assert not list(tmp_path.iterdir())


def test_mistakes_are_explained(tmp_path):
    with pytest.raises(weft.UsageError, match="did you mean wavelet"):
        Events(kinds=["wavelets"])
    with pytest.raises(weft.UsageError, match="outside the mesh"):
        fabric_with_events([Events((0, 0, 4, 1))])
    with pytest.raises(weft.UsageError, match="unknown color"):
        fabric_with_events([Events(colors=["rows"])])
    with pytest.raises(weft.UsageError, match="pftrace.gz"):
        fabric_with_events().trace(tmp_path / "run.txt")
    with pytest.raises(weft.UsageError, match="observe"):
        weft.Design(1, 1).fabric().trace(tmp_path / "run.npy")
    with pytest.raises(OSError):
        fabric_with_events().trace(tmp_path / "no" / "run.npy")
    assert not list(tmp_path.iterdir())
