"""Sweeps: a function for each point of a grid, in processes side by side."""

from __future__ import annotations

import contextlib
import itertools
import json
import multiprocessing
import os
import time
from collections.abc import Callable, Iterable, Mapping
from multiprocessing.connection import wait
from typing import Any

from ._calls import usage_error as _usage
from ._weft import UsageError

_POLL = 0.02  # seconds; chosen: a process that asks for a point waits so long at most


def sweep(function: Callable[..., Any], grid: Mapping[str, Iterable[Any]], *, jobs: int | None = None,
          keep: str | os.PathLike[str] | None = None, again: bool = False,
          processes: Any = None) -> list[dict[str, Any]]:
    """Calls a function for each point of a grid, in processes side by side.

    Parameters
    ----------
    function : callable
        Called by name with a value of each dimension, ``function(ramp_cycles=2, n=32)``, in a process
        of its own. It gives back a dictionary of results, or one result; they are pickled.
    grid : mapping
        The dimensions: a name, and its values. All combinations are called, the last dimension fastest.
    jobs : int, optional
        So many processes at a time, each with its share of the cores that this process may use.
        Default: one for each core.
    keep : path, optional
        A file that keeps each result as it ends, a line of JSON. A sweep that was stopped, or has more
        values now, calls only what the file does not have. Delete it when the function changes.
        Results must be what JSON holds, or NumPy's numbers and arrays; tuples and arrays come back as
        lists.
    again : bool
        Calls all points anew, whatever ``keep`` has: also to try again what failed.
    processes : mpi4py.MPI.Comm, optional
        Processes, perhaps on many hosts, that share the calls: all call this function alike, and each
        takes its next point when it has room for it. ``jobs`` counts for each, ``keep`` is a file of
        the first one. Start them by ``mpirun -n 4 python3 -m mpi4py script.py``, so that an exception
        of one process, such as a full disk, ends all.

    Returns
    -------
    list of dict
        A row for each point, in order: its values, and the results (or "result"). Where the function
        raised, or its process died, "error" says so, and the other points go on. All of several
        ``processes`` get all rows.

    Raises
    ------
    UsageError
        An empty grid, a name that is no word, a file that holds something else, or ``processes`` that
        are no communicator.

    Examples
    --------
    >>> def cycles(ramp_cycles, n):
    ...     machine = weft.Machine(ramp_cycles=ramp_cycles)
    ...     return {"cycles": weft.fft(numpy.ones((n, n, n)), machine=machine).report.cycles}
    >>> rows = weft.sweep(cycles, {"ramp_cycles": range(1, 8), "n": [16, 32]}, keep="ramps.jsonl")
    """
    dimensions = {name: list(values) for name, values in grid.items()}
    if not dimensions:
        raise _usage("invalid grid: it is empty", "there would be nothing to vary",
                     "give it at least one dimension")
    for name, values in dimensions.items():
        if not isinstance(name, str) or not name.isidentifier():
            raise _usage(f"invalid grid: {name!r}", "a dimension is an argument of the function",
                         "name it as the argument")
        if not values:
            raise _usage(f"invalid grid: {name!r} is empty", "there would be no point",
                         "give it at least one value")
    if jobs is not None and jobs < 1:
        raise _usage(f"invalid jobs: {jobs}", "there is at least one", "give 1 or more, or leave it out")
    points = [dict(zip(dimensions, values)) for values in itertools.product(*dimensions.values())]
    if processes is None:
        kept, found, left = _kept_and_left(points, keep, again)
        points_left = iter(left)
        _make(_calls(function, points, lambda: next(points_left, None), len(left), jobs), points, found, kept)
    else:
        points, found = _share(function, points, jobs, keep, again, processes)
    return [_row(point, outcome) for point, outcome in zip(points, found)]


def _kept_and_left(points, keep, again):
    """The file, the outcomes that it has, and the numbers of the other points."""
    kept = _Kept(keep)
    found = [None if again else kept.find(point) for point in points]
    return kept, found, [k for k, outcome in enumerate(found) if outcome is None]


def _make(calls, points, found, kept, meanwhile=lambda: None):
    """Notes outcomes as they end; now and then calls meanwhile()."""
    with contextlib.closing(calls):  # ends them on errors, too
        for ended in calls:
            if ended is not None:
                _note(*ended, points, found, kept)
            meanwhile()


def _note(k, outcome, points, found, kept):
    found[k] = outcome
    kept.add(points[k], outcome)


def _share(function, points, jobs, keep, again, processes):
    """The points and outcomes of all processes."""
    if not hasattr(processes, "Dup"):
        raise _usage(f"invalid processes: {processes!r}", "they are a communicator of mpi4py",
                     "give one, such as mpi4py.MPI.COMM_WORLD")
    comm = processes.Dup()  # its messages meet no others
    try:
        error = kept = found = left = None
        if comm.rank == 0:
            try:
                kept, found, left = _kept_and_left(points, keep, again)
            except (UsageError, OSError) as thrown:
                error = thrown
        error, points, left = comm.bcast((error, points, left))
        if error is not None:
            raise error
        if comm.rank == 0:
            _deal(function, points, left, jobs, found, kept, comm)
        else:
            _take(function, points, len(left), jobs, comm)
        return points, comm.bcast(found)
    finally:
        comm.Free()


def _deal(function, points, left, jobs, found, kept, comm):
    """The first process: it calls too, and serves the others."""
    points_left = iter(left)
    awaited = comm.size - 1  # others that will ask again, and outcomes of theirs

    def serve():
        nonlocal awaited
        while comm.iprobe():
            rank, ended = comm.recv()
            if ended is None:  # it asks for a point
                k = next(points_left, None)
                awaited += -1 if k is None else 1
                comm.send(k, rank)
            else:
                awaited -= 1
                _note(*ended, points, found, kept)

    _make(_calls(function, points, lambda: next(points_left, None), len(left), jobs, _POLL), points, found,
          kept, serve)
    while awaited:
        serve()
        time.sleep(_POLL)


def _take(function, points, count, jobs, comm):
    """Another process: it asks the first for points, and sends it outcomes."""
    asks = True

    def take():
        nonlocal asks
        if not asks:
            return None
        comm.send((comm.rank, None), 0)
        k = comm.recv(source=0)
        asks = k is not None
        return k

    with contextlib.closing(_calls(function, points, take, count, jobs)) as calls:
        for ended in calls:
            comm.send((comm.rank, ended), 0)
    while asks:
        take()


def _row(point, outcome):
    if "error" in outcome:
        return {**point, "error": outcome["error"]}
    result = outcome["result"]
    return {**point, **(result if isinstance(result, dict) else {"result": result})}


def _call(function, point, cores, pipe):
    os.sched_setaffinity(0, cores)
    try:
        outcome = {"result": function(**point)}
    except Exception as error:
        outcome = {"error": f"{type(error).__name__}: {error}"}
    try:
        pipe.send(outcome)
    except Exception as error:  # it cannot be pickled
        pipe.send({"error": f"{type(error).__name__}: {error}"})


def _calls(function, points, take, count, jobs, poll=None):
    """The number of each point, and its outcome, as they end. take() gives the number of the next point,
    or None where none is left; there are at most count. poll: seconds without an end, after which there is
    a None."""
    cores = sorted(os.sched_getaffinity(0))
    jobs = min(jobs or len(cores), max(count, 1))
    shares = [set(cores[k::jobs]) or {cores[k % len(cores)]} for k in range(jobs)]
    # Of the ways to start a process, this one needs no module that has the function.
    context = multiprocessing.get_context("fork")
    under_way = {}
    more = True
    try:
        while more or under_way:
            while more and shares:
                k = take()
                if k is None:
                    more = False
                    break
                share = shares.pop()
                mine, its = context.Pipe(duplex=False)
                process = context.Process(target=_call, args=(function, points[k], share, its))
                process.start()
                its.close()
                under_way[mine] = (k, process, share)
            if not under_way:
                break
            ready = wait(list(under_way), timeout=poll)
            if not ready:
                yield None
            for pipe in ready:
                k, process, share = under_way.pop(pipe)
                try:
                    outcome = pipe.recv()
                except (EOFError, OSError):  # it died, perhaps while it sent
                    process.join()
                    outcome = {"error": _death(process.exitcode)}
                process.join()
                pipe.close()
                shares.append(share)
                yield k, outcome
    finally:
        for _, process, _ in under_way.values():
            process.terminate()
        for _, process, _ in under_way.values():
            process.join()


def _death(code):
    if code == -9:
        return "its process was ended by signal 9 (the host may be out of memory)"
    return f"its process was ended by signal {-code}" if code < 0 else f"its process ended with {code}"


def _plain(value):
    """For json: numbers and arrays of NumPy."""
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"a {type(value).__name__} cannot be kept in a file of JSON")


class _Kept:
    """The outcomes that a file keeps."""

    BEGIN = b'{"point": '  # of a line

    def __init__(self, path):
        self.path = None if path is None else os.fspath(path)
        self.outcomes = {}
        if self.path is None or not os.path.exists(self.path):
            return
        whole = 0
        with open(self.path, "rb") as file:
            for line in file:
                if not line.endswith(b"\n") and self.BEGIN.startswith(line[:len(self.BEGIN)]):
                    break  # of a sweep that was stopped while it wrote
                try:
                    outcome = json.loads(line)
                    self.outcomes[self.key(outcome["point"])] = outcome
                except (ValueError, KeyError, TypeError):
                    raise _usage(f"cannot use {self.path!r}", "it holds no results of a sweep",
                                 "name another file") from None
                whole += len(line)
        os.truncate(self.path, whole)

    @staticmethod
    def key(point):
        return json.dumps(point, sort_keys=True, default=_plain)

    def find(self, point):
        return self.outcomes.get(self.key(point)) if self.outcomes else None

    def add(self, point, outcome):
        if self.path is None:
            return
        line = json.dumps({"point": point, **outcome}, default=_plain) + "\n"
        with open(self.path, "a", encoding="utf-8") as file:
            file.write(line)
