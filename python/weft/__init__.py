"""Weft emulates wafer-scale fabrics: meshes of small cores (PEs) with routers between them.

A short tour
------------
Transform an array on an emulated wafer, with NumPy's conventions::

    y, report = weft.fft(x)
    print(report.cycles, report.time_us)

Write a program of your own: one function for all PEs. Here each PE sends four numbers to its
neighbour in the east::

    design = weft.Design(4, 1)
    east = weft.NeighborShift(design, design.all, weft.Port.east)

    def program(pe):
        u, v = pe.array("u", 4), pe.array("v", 4)
        pe.fill(u, 1.5)
        east.shift(pe, u, v)

    design.program(design.all, "shift", program)
    fabric = design.fabric()
    fabric.run_until_idle()
    print(fabric.read(design.all, "v"), fabric.report)

All names
---------
- Transforms: fft, ifft, rfft, irfft; FftPlan for many of one shape; FftResult, FftTrips,
  FftReport, FftEstimate and FftFastest are what they give, and FftPart is what one of several
  processes has of the arrays
- Machines: Machine, machine
- Programs: Design, PeProgram; in a program PeVector, PeScalar, PeOperation, Condition, Task, Fifo,
  Subroutine
- Patterns of communication: NeighborShift, HaloExchange, Broadcast, MovingBroadcast,
  ReduceChain, ReduceTree, AllReduce, RingShift, RingTranspose, Scatter, Gather, AllToAll; their
  arguments Along and ReduceOperation
- Routers: Rect, Port, Color, ColorPair, Route, SwitchPosition, PopMode, CounterFilter,
  SparseCounterFilter, RangeFilter, control_payload
- Runs: Fabric; Report, Phase, Counters and Printed are what happened; Observe asks for a Profile,
  which load_profile reads from its file, and for Events, which go to a Trace; a Profile's
  Explanation has a PhaseExplanation for each phase (with a Least for links, cores and ramps) and
  each Finding
- Studies: sweep calls a function for each point of a grid
- Errors: Error; UsageError (an argument), CallError (one of another type), FaultError (the emulated
  program), DeadlockError, LimitError
- __version__

Reports, machines, rectangles and the like are values: they can be compared, copied and pickled.
A Design, a Fabric and what belongs to them stay in their process.

Where to read on
----------------
``help(weft.Design)``, ``help(weft.PeProgram)`` and so on have shapes, dtypes, cycles and errors.
In the repository: docs/tutorial.md begins with one PE, docs/examples/README.md is a gallery,
docs/model.md defines each cycle, docs/isa.md lists the instructions, docs/transforms.md the
transforms, docs/machine-profile.md the constants.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple
from warnings import warn as _warn

try:
    import numpy as np

    from . import _weft
except ImportError as error:
    from ._built_for import advice
    if not advice(error):
        raise
    raise ImportError(advice(error), name=error.name) from None
from ._calls import checked as _checked
from ._calls import usage_error as _usage
from ._parts import FftPart
from ._sweeps import sweep
from ._weft import *  # noqa: F403
from ._weft import DeadlockError, Error, FaultError, LimitError, UsageError  # noqa: F401
from ._weft import FftEstimate, FftFastest, FftPlan, FftReport, Machine, Observe, Report, __version__  # noqa: F401

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, DTypeLike, NDArray

__all__ = [name for name in vars(_weft) if not name.startswith("_")]
__all__ += ["FftPart", "FftResult", "FftTrips", "fft", "ifft", "rfft", "irfft", "sweep", "__version__"]


def __dir__() -> list[str]:
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})


class _LikeItsArray(np.lib.mixins.NDArrayOperatorsMixin):
    """A pair that NumPy and all operators take as the array that is its first part."""

    __slots__ = ()

    def __array__(self, dtype=None, copy=None):
        if dtype is not None and dtype != self.output.dtype:
            return self.output.astype(dtype)
        return self.output.copy() if copy else self.output

    def __array_ufunc__(self, ufunc, method, *inputs, **options):
        def array(x):
            return x.output if isinstance(x, _LikeItsArray) else x

        if "out" in options:
            options["out"] = tuple(array(x) for x in options["out"])
        return getattr(ufunc, method)(*(array(x) for x in inputs), **options)

    def __bool__(self):
        return bool(self.output)

    def __getitem__(self, index):
        if isinstance(index, (int, np.integer)) and -len(self) <= index < len(self):
            return super().__getitem__(index)
        raise _usage(f"invalid index: {index}",
                     f"{type(self).__name__} has the parts {', '.join(self._fields)}",
                     "index the array: .output[...]")


class _Transform(NamedTuple):
    output: NDArray[np.complex64]  # float32 of irfft
    report: FftReport


class FftResult(_LikeItsArray, _Transform):
    """A transform and its report: ``y, report = weft.fft(x)``.

    It has the length 2 and the parts output and report. NumPy and all operators, == too, take it
    as the array: ``2 * weft.fft(x)`` is an array. It can be copied and pickled.

    Attributes
    ----------
    output : ndarray
        The transform, complex64; of irfft float32.
    report : FftReport
        Cycles, phases and traffic.
    """

    __slots__ = ()


class _Trips(NamedTuple):
    output: NDArray[np.complex64]
    cycles: list[int]
    report: Report


class FftTrips(_LikeItsArray, _Trips):
    """The array after FftPlan.round_trips, the cycles of each trip, and a report of all.

    Else as FftResult: ``y, cycles, report = plan.round_trips(x, 10)``.

    Attributes
    ----------
    output : ndarray
        The numbers after the last trip, complex64.
    cycles : list of int
        Of each trip.
    report : Report
        Of all trips. ``peak_share`` is that of the transforms, without the products.
    """

    __slots__ = ()


class _Bar:
    """A progress bar of tqdm's, for terminals and notebooks; nothing where tqdm is not there."""

    def __init__(self, wanted):
        self._bar = None
        self._tqdm = None
        if wanted:
            try:
                from tqdm.auto import tqdm
                self._tqdm = tqdm
            except ImportError:
                pass

    def __call__(self, cycle, expected=None):
        if self._tqdm is None:
            return
        if self._bar is None:
            self._bar = self._tqdm(total=expected or None, unit="cycle", unit_scale=True)
        self._bar.update(cycle - self._bar.n)

    def close(self):
        if self._bar is not None:
            self._bar.close()
            self._bar = None


def _error(y, x, direction, kind, norm, axes):
    """The relative L2 error against NumPy's transform in double precision, of the worst array. NaN
    if either has numbers that are not finite."""
    reference = {("complex", "forward"): np.fft.fftn, ("complex", "inverse"): np.fft.ifftn,
                 ("real", "forward"): np.fft.rfftn, ("real", "inverse"): np.fft.irfftn}
    with np.errstate(all="ignore"):  # the result shows it
        given = np.asarray(x, np.complex64).astype(np.complex128)
        if (kind, direction) == ("real", "forward"):
            given = given.real
        expected = reference[kind, direction](given, axes=axes, norm=norm)
        size = np.sqrt(np.sum(np.abs(expected)**2, axis=axes))
        off = np.sqrt(np.sum(np.abs(y - expected)**2, axis=axes))
        error = np.where(off == 0, 0, off / size)
    return float(np.max(error)) if np.all(np.isfinite(off)) else float("nan")


def _whole(sides, shape):
    """The sides of the array that half a spectrum is of. The plan would name these alone."""
    whole = (*sides[:-1], 2 * max(sides[-1] - 1, 0))
    why = _weft._why_no_fft(whole, "real")
    if why:
        raise _usage(f"invalid half spectrum: shape {shape}",
                     f"its last axis has n/2 + 1 numbers, so its array would be {whole}: {why}",
                     "give what rfft returns, or take ifft for a whole spectrum")
    return whole


def _transform(x, direction, precision, norm, machine, mesh, batch, threads, engine, transpose,
               pencil, fastest, compare, observe, progress, processes, kind="complex",
               algorithm="wsfft", s3dft_form="held"):
    if fastest:
        transpose = pencil = "fastest"
    bar = _Bar(progress)
    shape = np.shape(x)
    count = shape[0] if batch and shape else 1
    sides = shape[1:] if batch else shape
    if kind == "real" and direction == "inverse" and 1 <= len(sides) <= 3:
        sides = _whole(sides, shape)
    plan = FftPlan(sides, precision, norm=norm or "backward", kind=kind,
                   machine=machine or Machine(), mesh=mesh, batch=count,
                   threads=_weft._available_cores() if threads is None else threads,
                   engine=engine, transpose=transpose, pencil=pencil, algorithm=algorithm,
                   s3dft_form=s3dft_form, fastest_for=direction, observe=observe,
                   progress=bar if progress else None, processes=processes)
    try:
        output, report = plan.run(x if count > 1 or not batch else np.asarray(x)[0], direction)
    finally:
        bar.close()
    if not np.all(np.isfinite(output)) and np.all(np.isfinite(x)):
        _warn(f"overflow: {np.sum(~np.isfinite(output))} numbers of the result are not finite; "
              "scale the input down, or take norm='forward' or 'ortho'", RuntimeWarning,
              stacklevel=4)
    if batch and count == 1:
        output = output[np.newaxis]
    if compare:
        axes = tuple(range(1 if batch else 0, len(shape)))
        report.error = _error(output, x, direction, kind, norm or "backward", axes)
    return FftResult(output, report)


@_checked
def fft(x: ArrayLike, precision: str | DTypeLike = "fp32", norm: str | None = "backward", *,
        machine: Machine | None = None, mesh: tuple[int, int] | None = None, batch: bool = False,
        threads: int | None = None, engine: str = "auto", transpose: str = "automatic",
        pencil: str = "automatic", algorithm: str = "wsfft", s3dft_form: str = "held",
        fastest: bool = False, compare: bool = False,
        observe: Observe | None = None, progress: bool = False,
        processes: object = None) -> FftResult:
    """The Fourier transform of an array on emulated PEs, as ``numpy.fft.fftn``.

    Parameters
    ----------
    x : array_like
        Integers, floats or complex numbers, with one to four axes, whose sides are 2^a 3^b 5^c
        from 2 to 4096; a single axis may have up to 2**24 numbers. (Of s3dft: see algorithm.)
    precision : str or dtype, default "fp32"
        "fp32" or numpy.float32, "fp16" or numpy.float16: of the arithmetic. The output is complex64.
    norm : str or None, default "backward"
        "backward", "ortho" or "forward", as NumPy's.
    machine : Machine, optional
        By default the profile "wse2".
    mesh : tuple of int, optional
        PEs along x and y, as many as can be by default (as are quickest by estimate where a side is
        no power of two); fewer have several pencils each.
    batch : bool, default False
        The first axis of x counts arrays, which are transformed each alone, side by side as far as
        the mesh has room.
    threads : int, optional
        CPU threads, all cores that the process may use by default. The result does not depend on it.
    engine : str, default "auto"
        "auto", "host", "cuda" or "reference".
    transpose : str, default "automatic"
        "automatic", "published", "interlocked", "ring", "halves", "butterflies" (without transposes)
        or "fastest" (by estimate: the first, ring or halves).
    pencil : str, default "automatic"
        The algorithm for an axis in a PE: "radix2" as published, of powers of two, "radix4" (the
        fewest cycles), "split-radix", "stockham", "fastest" or "automatic": "radix2", or "radix4"
        where a side is no power of two, or 2.
    algorithm : str, default "wsfft"
        "wsfft", or "s3dft": products with matrices of Fourier coefficients, for three axes of any
        sides from 2 to 4096. transpose, pencil and fastest are of wsfft.
    s3dft_form : str, default "held"
        Of s3dft: "held", where a PE takes the coefficients from a table, "cannon", where blocks
        of them go round rings too, or "cubes", the same by p^3 nodes in tiles, for three equal
        sides.
    fastest : bool, default False
        transpose="fastest" and pencil="fastest": the fewest cycles, where the default is the
        published transform.
    compare : bool, default False
        Find the relative L2 error against numpy.fft, for report.error (of a batch that of the worst
        array; NaN if there are numbers that are not finite).
    observe : Observe, optional
        Count what PEs, links and lines do, for report.profile.
    progress : bool, default False
        Show a bar (of tqdm, if it is there).
    processes : mpi4py.MPI.Comm, optional
        Processes that share the fabric, by rows of PEs: all call this alike with all of x, and all
        get the whole result. For parts, make an FftPlan with ``parts``.

    Returns
    -------
    FftResult
        The transform, complex64 of x's shape, and a report with cycles, phases and traffic.

    Raises
    ------
    UsageError
        An array that cannot be transformed, or another argument that does not fit.
    FaultError
        The emulated program faults; on the default machine it does not.
    Error
        The program does not fit on the machine, or this host has too little memory.

    Notes
    -----
    Cycles: report.cycles; FftPlan.estimate gives them before a run, and docs/transforms.md has them
    for many shapes. A RuntimeWarning tells of numbers of the result that are not finite, where those
    of x are: they passed the precision's range.
    """
    return _transform(x, "forward", precision, norm, machine, mesh, batch, threads, engine,
                      transpose, pencil, fastest, compare, observe, progress, processes, "complex",
                      algorithm, s3dft_form)


@_checked
def ifft(x: ArrayLike, precision: str | DTypeLike = "fp32", norm: str | None = "backward", *,
         machine: Machine | None = None, mesh: tuple[int, int] | None = None, batch: bool = False,
         threads: int | None = None, engine: str = "auto", transpose: str = "automatic",
         pencil: str = "automatic", algorithm: str = "wsfft", s3dft_form: str = "held",
         fastest: bool = False, compare: bool = False,
         observe: Observe | None = None, progress: bool = False,
         processes: object = None) -> FftResult:
    """The inverse transform, as ``numpy.fft.ifftn``.

    Parameters
    ----------
    x : array_like
        As fft.
    precision, norm, machine, mesh, batch, threads, engine, transpose, pencil
        As fft.
    algorithm, s3dft_form, fastest, compare, observe, progress, processes
        As fft.

    Returns
    -------
    FftResult
        The transform, complex64 of x's shape, and its report.

    Raises
    ------
    UsageError
        As fft.
    FaultError, Error
        As fft.
    """
    return _transform(x, "inverse", precision, norm, machine, mesh, batch, threads, engine,
                      transpose, pencil, fastest, compare, observe, progress, processes, "complex",
                      algorithm, s3dft_form)


@_checked
def rfft(x: ArrayLike, precision: str | DTypeLike = "fp32", norm: str | None = "backward", *,
         machine: Machine | None = None, mesh: tuple[int, int] | None = None, batch: bool = False,
         threads: int | None = None, engine: str = "auto", transpose: str = "automatic",
         pencil: str = "automatic", fastest: bool = False, compare: bool = False,
         observe: Observe | None = None, progress: bool = False,
         processes: object = None) -> FftResult:
    """The transform of a real array, as ``numpy.fft.rfftn``: half of the spectrum.

    Parameters
    ----------
    x : array_like
        Integers or floats, of a shape as fft.
    precision, norm, machine, mesh, batch, threads, engine, transpose, pencil, fastest
        As fft; mesh: up to n // 2 + 1 PEs along x, and as many as axis 0 has.
    compare, observe, progress, processes
        As fft.

    Returns
    -------
    FftResult
        The transform, complex64, whose last axis has n // 2 + 1 numbers, and its report.

    Raises
    ------
    UsageError
        As fft, and for numbers that are not real.
    FaultError, Error
        As fft.
    """
    return _transform(x, "forward", precision, norm, machine, mesh, batch, threads, engine,
                      transpose, pencil, fastest, compare, observe, progress, processes, "real")


@_checked
def irfft(x: ArrayLike, precision: str | DTypeLike = "fp32", norm: str | None = "backward", *,
          machine: Machine | None = None, mesh: tuple[int, int] | None = None, batch: bool = False,
          threads: int | None = None, engine: str = "auto", transpose: str = "automatic",
          pencil: str = "automatic", fastest: bool = False, compare: bool = False,
          observe: Observe | None = None, progress: bool = False,
          processes: object = None) -> FftResult:
    """The inverse of rfft, as ``numpy.fft.irfftn``.

    Parameters
    ----------
    x : array_like
        Half of a spectrum, of a shape that rfft gives.
    precision, norm, machine, mesh, batch, threads, engine, transpose, pencil, fastest
        As fft; mesh as rfft.
    compare, observe, progress, processes
        As fft.

    Returns
    -------
    FftResult
        A real array, float32, whose last axis is even, and its report.

    Raises
    ------
    UsageError
        As fft, of the shape of the result.
    FaultError, Error
        As fft.
    """
    return _transform(x, "inverse", precision, norm, machine, mesh, batch, threads, engine,
                      transpose, pencil, fastest, compare, observe, progress, processes, "real")
