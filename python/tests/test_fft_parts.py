"""Processes of mpi4py give and get parts of arrays; without processes a part is all."""

import numpy as np
import pytest
from test_processes import run

import weft

# Arguments of FftPlan. Three processes divide a batch so that some have more of an array than of
# another, or nothing of it.
TRANSFORMS = """
import tempfile, os
import numpy as np, weft
from mpi4py import MPI
comm = MPI.COMM_WORLD
CASES = [
    dict(shape=(16, 16, 16), mesh=(16, 16)),
    dict(shape=(16, 12, 8), mesh=(8, 12), precision="fp16"),
    dict(shape=(16, 16, 16), mesh=(8, 16), kind="real"),
    dict(shape=(8, 8, 8), mesh=(16, 16), batch=3),
    dict(shape=(8, 8, 8), mesh=(8, 16), batch=5),
    dict(shape=(8, 8), mesh=(8, 16), batch=13),
    dict(shape=(16,), mesh=(4, 16), batch=60),
    dict(shape=(16, 16, 4, 6), mesh=(16, 16)),
    dict(shape=(40, 36), mesh=(2, 16)),
    dict(shape=(1, 16, 18), mesh=(1, 16)),
    dict(shape=(1024,), mesh=(4, 16)),
    dict(shape=(8192,), mesh=(8, 32), batch=3),
    dict(shape=(16, 16, 16), mesh=(16, 16), algorithm="s3dft"),
    dict(shape=(16, 16, 16), mesh=(32, 16), algorithm="s3dft", s3dft_form="cubes"),
]
random = np.random.default_rng(comm.size)
for case in CASES:
    if comm.size > 2 and not case.get("batch"):
        continue
    alone = weft.FftPlan(**case)
    plan = weft.FftPlan(**case, processes=comm, parts=True)
    assert plan.parts and not alone.parts and plan != alone, case
    for direction in ("forward", "inverse"):
        whole = alone.input_part(direction).whole
        x = random.standard_normal(whole).astype(np.float32)
        if (case.get("kind"), direction) != ("real", "forward"):
            x = x + 1j * random.standard_normal(whole).astype(np.float32)
        expected, report = alone.run(x, direction)
        given, got = plan.input_part(direction), plan.output_part(direction)
        y = plan.run(given.take(x), direction)
        assert y.output.shape == got.shape and y.output.dtype == expected.dtype, (case, direction)
        assert np.array_equal(y.output, got.take(expected)), (case, direction)
        assert y.report.cycles == report.cycles
        owners = np.zeros(x.shape, int)
        for rank in range(comm.size):
            part = plan.input_part(direction, rank)
            part.put(part.take(owners) + 1, owners)
        assert np.all(owners == 1), (case, direction)
        assert given == plan.input_part(direction, comm.rank)
print("as one", flush=True)
"""

FILES = """
import numpy as np, weft
from mpi4py import MPI
comm = MPI.COMM_WORLD
x = np.load(FOLDER + "/x.npy", mmap_mode="r")
plan = weft.FftPlan(x.shape, mesh=(16, 16), processes=comm, parts=True)
y = plan.run(plan.input_part().take(x)).output
plan.output_part().put(y, np.load(FOLDER + "/y.npy", mmap_mode="r+"))
print("axes", plan.input_part().axis, plan.output_part().axis, flush=True)
"""

WRONG = """
import numpy as np, weft
from mpi4py import MPI
plan = weft.FftPlan((16, 16, 16), mesh=(16, 16), processes=MPI.COMM_WORLD, parts=True)
for call in (lambda: plan.run(np.ones((16, 16, 16))), lambda: plan.round_trips(np.ones((16, 16, 16)), 2),
             lambda: plan.input_part(rank=2)):
    try:
        call()
    except weft.UsageError as error:
        print("told:", error, flush=True)
"""


@pytest.mark.parametrize("processes", [2, 3])
def test_parts_are_those_of_one_process(processes):
    assert run(processes, TRANSFORMS) == ["as one"] * processes


def test_parts_of_files(tmp_path):
    x = (np.arange(16**3) % 13).astype(np.complex64).reshape(16, 16, 16)
    np.save(tmp_path / "x.npy", x)
    np.save(tmp_path / "y.npy", np.zeros_like(x))
    assert run(2, FILES.replace("FOLDER", repr(str(tmp_path)))) == ["axes 1 0"] * 2
    expected = weft.FftPlan(x.shape, mesh=(16, 16)).run(x).output
    assert np.array_equal(np.load(tmp_path / "y.npy"), expected)


def test_what_is_no_part_is_refused():
    lines = run(2, WRONG)
    assert len(lines) == 6
    assert sum("this process's part has (16, 8, 16)" in line for line in lines) == 2
    assert sum("no round trips by parts" in line for line in lines) == 2
    assert sum("there is no process 2" in line for line in lines) == 2


@pytest.mark.parametrize("arguments", [{}, {"batch": 3}])
def test_one_process_has_all(arguments):
    plan = weft.FftPlan((4, 8, 16), parts=True, **arguments)
    assert not plan.parts
    part = plan.input_part()
    whole = (3, 4, 8, 16) if arguments else (4, 8, 16)
    assert (part.shape, part.whole, part.axis) == (whole, whole, 0)
    assert part.ranges == (((0, 4),),) * (3 if arguments else 1)
    x = np.arange(np.prod(whole)).reshape(whole)
    assert np.array_equal(part.take(x), x)
    y = np.zeros_like(x)
    part.put(x, y)
    assert np.array_equal(x, y)


def test_a_part_is_its_ranges():
    part = weft.FftPart((2, 3, 5, 2), 1, (((0, 2), (4, 5)), ((1, 2),)))
    assert part.shape == (3, 4, 2)
    x = np.arange(60).reshape(2, 3, 5, 2)
    mine = part.take(x)
    assert np.array_equal(mine, np.concatenate([x[0][:, 0:2], x[0][:, 4:5], x[1][:, 1:2]], 1))
    y = np.full_like(x, -1)
    part.put(mine, y)
    there = np.zeros(x.shape, bool)
    there[0][:, [0, 1, 4]] = there[1][:, 1] = True
    assert np.array_equal(y, np.where(there, x, -1))


def test_arrays_of_another_shape_are_refused():
    part = weft.FftPart((4, 6), 0, (((1, 3),),))
    for call in (lambda: part.take(np.ones((6, 4))), lambda: part.put(np.ones((4, 6)), np.ones((4, 6))),
                 lambda: part.put(np.ones((2, 6)), np.ones((2, 6)))):
        with pytest.raises(weft.UsageError, match="invalid array: shape"):
            call()
    with pytest.raises(weft.UsageError, match="no array to write to: a list"):
        part.put(np.ones((2, 6)), [[1]])


def test_arrays_that_hold_no_part_are_refused():
    part = weft.FftPart((4, 6), 0, (((1, 3),),))
    fixed = np.zeros((4, 6))
    fixed.flags.writeable = False
    with pytest.raises(weft.UsageError, match="it is read-only"):
        part.put(np.ones((2, 6)), fixed)
    real = np.zeros((4, 6), np.float32)
    with pytest.raises(weft.UsageError, match="its type is float32"):
        part.put(np.ones((2, 6), np.complex64), real)
    assert not real.any()
    part.put(np.ones((2, 6)), real)  # of fewer digits
    assert np.array_equal(real[1:3], np.ones((2, 6)))
