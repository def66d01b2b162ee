"""Weft emulates wafer-scale fabrics: meshes of small cores with routers between them.

``weft.fft(x)`` transforms an array on an emulated wafer. ``Design`` and its patterns describe
programs of your own; ``Design.fabric()`` runs them, cycle by cycle.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

try:
    import numpy as np

    from . import _weft
except ImportError as error:
    from ._built_for import advice
    if not advice(error):
        raise
    raise ImportError(advice(error), name=error.name) from None
from ._weft import *  # noqa: F403
from ._weft import DeadlockError, Error, FaultError, LimitError, UsageError  # noqa: F401
from ._weft import FftEstimate, FftPlan, FftReport, Machine, __version__  # noqa: F401

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

__all__ = [name for name in vars(_weft) if not name.startswith("_")]
__all__ += ["FftResult", "FftTrips", "fft", "ifft", "rfft", "irfft", "__version__"]


def _usage(problem, reason, remedy):
    """An error as the compiled part raises it."""
    error = UsageError(f"{problem} ({reason}); {remedy}")
    error.category, error.problem, error.reason, error.remedy = "usage", problem, reason, remedy
    return error


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
        if isinstance(index, (int, np.integer)) and -2 <= index < 2:
            return super().__getitem__(index)
        raise _usage(f"invalid index: {index}",
                     f"{type(self).__name__} is a pair: {', '.join(self._fields)}",
                     "index the array: .output[...]")


class _Transform(NamedTuple):
    output: NDArray[np.complex64]  # float32 of irfft
    report: FftReport


class FftResult(_LikeItsArray, _Transform):
    """A transform and its report: ``y, report = weft.fft(x)``.

    It has the length 2 and the parts output and report. NumPy and all operators take it as the
    array: ``2 * weft.fft(x)`` is an array.
    """

    __slots__ = ()


class _Trips(NamedTuple):
    output: NDArray[np.complex64]
    cycles: list[int]


class FftTrips(_LikeItsArray, _Trips):
    """The array after FftPlan.round_trips, and the cycles of each trip. Else as FftResult."""

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
    with np.errstate(all="ignore"):  # the result tells
        given = np.asarray(x, np.complex64).astype(np.complex128)
        if (kind, direction) == ("real", "forward"):
            given = given.real
        expected = reference[kind, direction](given, axes=axes, norm=norm)
        size = np.sqrt(np.sum(np.abs(expected)**2, axis=axes))
        off = np.sqrt(np.sum(np.abs(y - expected)**2, axis=axes))
        error = np.where(off == 0, 0, off / size)
    return float(np.max(error)) if np.all(np.isfinite(off)) else float("nan")


def _check_half(sides, shape):
    """The sides of half a spectrum. The plan would tell of those of the whole array."""
    sides = [*sides[:-1], 2 * (sides[-1] - 1)]
    if not all(4 <= n <= 4096 and n & (n - 1) == 0 for n in sides):
        raise _usage(f"no plan for half a spectrum of shape {shape}",
                     "of its last axis it has n/2 + 1 numbers, of each other axis n, and n is a "
                     "power of two from 4 to 4096",
                     "give what rfft returns, or take ifft for a whole spectrum")


def _transform(x, direction, precision, norm, machine, mesh, batch, threads, engine, transpose,
               pencil, compare, progress, kind="complex"):
    bar = _Bar(progress)
    shape = np.shape(x)
    count = shape[0] if batch and shape else 1
    sides = shape[1:] if batch else shape
    if kind == "real" and direction == "inverse" and 1 <= len(sides) <= 3:
        _check_half(sides, shape)
        sides = (*sides[:-1], 2 * (sides[-1] - 1))
    plan = FftPlan(sides, precision, norm=norm or "backward", kind=kind,
                   machine=machine or Machine(), mesh=mesh, batch=count,
                   threads=_weft._available_cores() if threads is None else threads,
                   engine=engine, transpose=transpose, pencil=pencil,
                   progress=bar if progress else None)
    try:
        output, report = plan.run(x if count > 1 or not batch else np.asarray(x)[0], direction)
    finally:
        bar.close()
    if batch and count == 1:
        output = output[np.newaxis]
    if compare:
        axes = tuple(range(1 if batch else 0, len(shape)))
        report.error = _error(output, x, direction, kind, norm or "backward", axes)
    return FftResult(output, report)


def fft(x: ArrayLike, precision: str = "fp32", norm: str | None = "backward", *,
        machine: Machine | None = None, mesh: tuple[int, int] | None = None, batch: bool = False,
        threads: int | None = None, engine: str = "auto", transpose: str = "automatic",
        pencil: str = "radix2", compare: bool = False, progress: bool = False) -> FftResult:
    """The Fourier transform of an array on emulated PEs, as ``numpy.fft.fftn``.

    x: array of one to three axes, whose sides are powers of two from 4 to 4096; a single axis may
    have up to 2**24 numbers. precision: "fp32" or "fp16". norm: as NumPy's. machine: a Machine.
    mesh: PEs along x and y, as many as can be by default; fewer have several pencils each. batch:
    the first axis of x counts arrays, which are transformed each alone, side by side as far as the
    mesh has room. threads: CPU threads, all cores that the process may use by default. pencil:
    the algorithm for an axis in a PE: "radix2" as published, "radix4" (the fewest cycles),
    "split-radix" or "stockham". compare: find the relative L2 error against numpy.fft, for
    report.error (of a batch that of the worst array; NaN if there are numbers that are not
    finite). progress: show a bar (of tqdm, if it is there). Returns FftResult(output, report):
    complex64, and cycles, phases and traffic. Raises UsageError for an array that cannot be
    transformed.
    """
    return _transform(x, "forward", precision, norm, machine, mesh, batch, threads, engine,
                      transpose, pencil, compare, progress)


def ifft(x: ArrayLike, precision: str = "fp32", norm: str | None = "backward", *,
         machine: Machine | None = None, mesh: tuple[int, int] | None = None, batch: bool = False,
         threads: int | None = None, engine: str = "auto", transpose: str = "automatic",
         pencil: str = "radix2", compare: bool = False, progress: bool = False) -> FftResult:
    """The inverse transform, as ``numpy.fft.ifftn``; see fft."""
    return _transform(x, "inverse", precision, norm, machine, mesh, batch, threads, engine,
                      transpose, pencil, compare, progress)


def rfft(x: ArrayLike, precision: str = "fp32", norm: str | None = "backward", *,
         machine: Machine | None = None, mesh: tuple[int, int] | None = None, batch: bool = False,
         threads: int | None = None, engine: str = "auto", transpose: str = "automatic",
         pencil: str = "radix2", compare: bool = False, progress: bool = False) -> FftResult:
    """The transform of a real array, as ``numpy.fft.rfftn``: half of the spectrum.

    The last axis of the output has n // 2 + 1 numbers. mesh: up to so many PEs along x, and as
    many as axis 0 has. Raises UsageError for numbers that are not real. Else as fft.
    """
    return _transform(x, "forward", precision, norm, machine, mesh, batch, threads, engine,
                      transpose, pencil, compare, progress, "real")


def irfft(x: ArrayLike, precision: str = "fp32", norm: str | None = "backward", *,
          machine: Machine | None = None, mesh: tuple[int, int] | None = None, batch: bool = False,
          threads: int | None = None, engine: str = "auto", transpose: str = "automatic",
          pencil: str = "radix2", compare: bool = False, progress: bool = False) -> FftResult:
    """The inverse of rfft, as ``numpy.fft.irfftn``: a real array, whose last axis is even."""
    return _transform(x, "inverse", precision, norm, machine, mesh, batch, threads, engine,
                      transpose, pencil, compare, progress, "real")
