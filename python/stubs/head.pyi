"""Types and documentation of the compiled part: the files of python/stubs/, one after the other."""

from typing import Any, Callable, Iterable, Literal, Sequence, TypeAlias, overload

import os

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from . import FftPart, FftResult, FftTrips

__version__: str

Where: TypeAlias = "Rect | tuple[int, int, int, int] | list[int]"
