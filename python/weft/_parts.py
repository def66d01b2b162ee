"""The part of arrays that one of several processes has."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Iterator, NamedTuple

import numpy as np

from ._calls import checked, usage_error

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

Index = tuple[Any, ...]  # of an array


class FftPart(NamedTuple):
    """What one process gives, or gets, of the arrays of an FftPlan: some indices of one axis.

    As an array these are its ranges one after the other along that axis, of one array of a batch
    after the other: without a batch ``np.concatenate([whole[:, a:b] for a, b in ranges[0]], 1)``
    for axis 1. Who has all arrays whole, as where ``plan.parts`` is False, gives and gets them with
    the batch as a first axis. A value.

    Attributes
    ----------
    whole : tuple of int
        The shape of all arrays together, a batch as the first axis.
    axis : int
        The axis of an array, without that of a batch, that is divided.
    ranges : tuple
        Of each array: ranges ``(first, last)`` of indices, without the last one, ascending. None
        where the process has nothing of the array.
    """

    whole: tuple[int, ...]
    axis: int
    ranges: tuple[tuple[tuple[int, int], ...], ...]

    @property
    def shape(self) -> tuple[int, ...]:
        """Of the process's array."""
        if self._is_all():
            return self.whole
        sides = self._sides()
        return (*sides[:self.axis], sum(self._counts()), *sides[self.axis + 1:])

    @checked
    def take(self, whole: ArrayLike) -> NDArray[Any]:
        """The part of whole arrays. Of a file's, ``np.load(path, mmap_mode="r")``, nothing else is
        read.

        Parameters
        ----------
        whole : array_like
            All arrays, of the shape ``self.whole``.

        Returns
        -------
        ndarray
            Of the shape ``self.shape`` and of the same type: a copy, unless it is all.

        Raises
        ------
        UsageError
            An array of another shape.
        """
        array = _of_shape(whole, self.whole, "whole arrays have")
        if self._is_all():
            return array
        mine = np.empty(self.shape, array.dtype)
        for there, here in self._places():
            mine[here] = array[there]
        return mine

    @checked
    def put(self, mine: ArrayLike, whole: NDArray[Any]) -> None:
        """Writes the part where it belongs in whole arrays, such as those of a file,
        ``np.load(path, mmap_mode="r+")``, to which each process writes its own.

        Parameters
        ----------
        mine : array_like
            The numbers of the process, of the shape ``self.shape``.
        whole : ndarray
            All arrays, of the shape ``self.whole``. The other numbers stay as they are.

        Raises
        ------
        UsageError
            Arrays of another shape; a whole array that is read-only, or does not hold numbers of
            that kind.
        """
        part = _of_shape(mine, self.shape, "the part has")
        if not isinstance(whole, np.ndarray):
            raise usage_error(f"no array to write to: a {type(whole).__name__}",
                              "numbers are written into an array of NumPy's", "give such an array")
        _of_shape(whole, self.whole, "whole arrays have")
        if not whole.flags.writeable:
            raise usage_error("no array to write to: it is read-only",
                              "as np.load gives one with mmap_mode=\"r\"",
                              "give another one, of a file with mmap_mode=\"r+\"")
        if not np.can_cast(part.dtype, whole.dtype, "same_kind"):
            raise usage_error(f"no array to write to: its type is {whole.dtype}",
                              f"the numbers of the part are {part.dtype}",
                              "give an array that holds such numbers")
        if self._is_all():
            whole[...] = part
            return
        for there, here in self._places():
            whole[there] = part[here]

    def _sides(self) -> tuple[int, ...]:
        """Of one array."""
        return self.whole[1:] if len(self.ranges) > 1 else self.whole

    def _counts(self) -> list[int]:
        """Indices of each array."""
        return [sum(last - first for first, last in ranges) for ranges in self.ranges]

    def _is_all(self) -> bool:
        return all(ranges == ((0, self._sides()[self.axis]),) for ranges in self.ranges)

    def _places(self) -> Iterator[tuple[Index, Index]]:
        """Each range in the whole arrays, and in the part."""
        before, start = (slice(None),) * self.axis, 0
        for number, ranges in enumerate(self.ranges):
            array = (number,) if len(self.ranges) > 1 else ()
            for first, last in ranges:
                yield ((*array, *before, slice(first, last)),
                       (*before, slice(start, start + last - first)))
                start += last - first

    def _numbers(self, mine: ArrayLike) -> NDArray[np.complex64]:
        """Those of a part, array by array in C order, as the compiled module takes them."""
        part = _of_shape(mine, self.shape, "this process's part has")
        if self._is_all() or len(self.ranges) == 1 or self.axis == 0:
            return part.ravel()
        ends = np.cumsum(self._counts())[:-1]
        return np.concatenate([one.ravel() for one in np.split(part, ends, self.axis)])

    def _array(self, numbers: NDArray[Any]) -> NDArray[Any]:
        """The array of a part, of its numbers array by array."""
        if self._is_all() or len(self.ranges) == 1 or self.axis == 0:
            return numbers.reshape(self.shape)
        counts, sides = self._counts(), self._sides()
        of_index = math.prod(sides) // sides[self.axis]
        parts = np.split(numbers, np.cumsum(counts)[:-1] * of_index)
        return np.concatenate([
            part.reshape(*sides[:self.axis], count, *sides[self.axis + 1:])
            for part, count in zip(parts, counts)], self.axis)


FftPart.__module__ = "weft"


def _of_shape(given: Any, shape: tuple[int, ...], why: str) -> NDArray[Any]:
    array = np.asarray(given)
    if array.shape != shape:
        raise usage_error(f"invalid array: shape {array.shape}", f"{why} {shape}",
                          "give an array of that shape")
    return array
