"""Processes of mpi4py share a fabric. Skipped, with the reason, without mpi4py, mpirun or a weft with
MPI."""

import os
import shutil
import subprocess
import sys

import numpy as np
import pytest

import weft

SETTINGS = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
            "OMPI_MCA_rmaps_base_oversubscribe": "1",
            "OMPI_MCA_hwloc_base_binding_policy": "none"}

TRANSFORM = """
import numpy as np, weft
from mpi4py import MPI
x = np.arange(512).reshape(8, 8, 8) % 7
y, report = weft.fft(x, threads=1, mesh=(8, 8), processes=MPI.COMM_WORLD)
assert report.engine == "host"
print("cycles", report.cycles, float(np.abs(y).sum()), flush=True)
"""

DESIGN = """
import numpy as np, weft
from mpi4py import MPI
design = weft.Design(2, 16)
down = weft.NeighborShift(design, design.all, weft.Port.south)
def program(pe):
    u, v = pe.array("u", 4), pe.array("v", 4)
    down.shift(pe, u, v)
design.program(design.all, "shift", program)
fabric = design.fabric(processes=MPI.COMM_WORLD)
u = np.arange(128, dtype=np.float32).reshape(16, 2, 4)
fabric.write(design.all, "u", u)
fabric.run_until_idle()
v = fabric.read(design.all, "v")
assert np.array_equal(v[1:], u[:-1])
again = design.fabric(processes=MPI.COMM_WORLD)
print("shifted", fabric.report.cycles, flush=True)
"""

UNLIKE = """
import weft
from mpi4py import MPI
design = weft.Design(2, 16)
try:
    design.fabric(weft.Machine(ramp_cycles=1 + MPI.COMM_WORLD.rank), processes=MPI.COMM_WORLD)
except weft.UsageError as error:
    print("told:", error, flush=True)
"""

SWEEP = """
import os, time, weft
from mpi4py import MPI
comm = MPI.COMM_WORLD
def call(k):
    if k == 3:
        raise ValueError("three")
    time.sleep(0.05)
    return {"square": k * k, "rank": comm.rank}
rows = weft.sweep(call, {"k": range(8)}, jobs=1, keep=KEEP, processes=comm)
assert [row.get("square") for row in rows] == [0, 1, 4, None, 16, 25, 36, 49], rows
assert rows[3]["error"] == "ValueError: three"
print("ranks", sorted({row["rank"] for row in rows if "rank" in row}), flush=True)
comm.barrier()
few = weft.sweep(lambda k: k + 1, {"k": [5]}, processes=comm)  # fewer points than processes
assert few == [{"k": 5, "result": 6}], few
again = weft.sweep(lambda k: 1 / 0, {"k": range(8)}, keep=KEEP, processes=comm)
assert again == rows
"""

FOREIGN = """
import weft
from mpi4py import MPI
try:
    weft.sweep(abs, {"k": [1]}, keep=KEEP, processes=MPI.COMM_WORLD)
except weft.UsageError as error:
    print("refused:", error, flush=True)
"""


def run(processes, program):
    """The lines that processes print."""
    if shutil.which("mpirun") is None:
        pytest.skip("there is no mpirun here (openmpi-bin)")
    pytest.importorskip("mpi4py", reason="there is no mpi4py here (python3-mpi4py)")
    pytest.importorskip("weft._weft_mpi", reason="this build has no MPI (libopenmpi-dev)")
    done = subprocess.run(["mpirun", "-n", str(processes), sys.executable, "-c", program],
                          env={**os.environ, **SETTINGS, "PYTHONUNBUFFERED": ""}, capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_all_processes_get_the_transform_of_one():
    x = np.arange(512).reshape(8, 8, 8) % 7
    y, report = weft.fft(x, threads=1, mesh=(8, 8))
    words = f"cycles {report.cycles} {float(np.abs(y).sum())}"
    assert run(2, TRANSFORM) == [words] * 2


def test_a_design_is_shared():
    lines = run(2, DESIGN)
    assert len(lines) == 2 and lines[0] == lines[1] and lines[0].startswith("shifted ")


def test_the_error_of_all_names_the_one_that_differs():
    lines = run(2, UNLIKE)
    assert len(lines) == 2
    for line in lines:
        assert "process 1 of 2 makes another fabric" in line
        assert "machine profile" in line


def test_a_sweep_is_shared_and_kept(tmp_path):
    keep = tmp_path / "kept.jsonl"
    assert run(3, SWEEP.replace("KEEP", repr(str(keep)))) == ["ranks [0, 1, 2]"] * 3
    assert len(keep.read_text().splitlines()) == 8


def test_all_refuse_a_foreign_file_of_a_sweep(tmp_path):
    keep = tmp_path / "foreign"
    keep.write_text("precious")
    lines = run(2, FOREIGN.replace("KEEP", repr(str(keep))))
    assert len(lines) == 2 and all("it holds no results of a sweep" in line for line in lines)
    assert keep.read_text() == "precious"


@pytest.mark.parametrize("processes", [4, "mpi", [0, 1]])
def test_what_is_no_communicator_is_refused(processes):
    with pytest.raises(weft.UsageError, match="communicator of mpi4py"):
        weft.fft(np.ones((4, 4, 4)), processes=processes)


def test_a_sweep_refuses_what_is_no_communicator():
    with pytest.raises(weft.UsageError, match="communicator of mpi4py"):
        weft.sweep(abs, {"k": [1]}, processes=4)
