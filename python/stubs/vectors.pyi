class Condition:
    """The question of a branch about two registers, or a register and a number, for PeProgram.when,
    repeat_while and check. With ``<``, ``<=``, ``>`` and ``>=`` a NaN compares false. ``==`` and
    ``!=`` compare bits: -0.0 differs from 0.0, and NaNs with the same bits are equal. It is neither
    true nor false while the program is written: the PE evaluates it when it runs. Several are
    joined by ``&`` (all hold), ``|`` (one or more do) and ``~`` (it does not), each in parentheses:
    ``(i > 2) & (i < 7)``. It belongs to its program, and cannot be copied or pickled.

    Notes
    -----
    Cycles: a branch, ``branch_taken_cycles`` if it is taken, else ``scalar_cycles``. Before it, of
    floating-point numbers by their order, a comparison: ``scalar_f32_cycles`` of float32,
    ``scalar_cycles`` of float16. Of conditions that are joined one each, until the answer is known.
    """
    def __and__(self, other: Condition) -> Condition: ...
    def __or__(self, other: Condition) -> Condition: ...
    def __invert__(self) -> Condition: ...
    def __bool__(self) -> bool: ...

class Task:
    """A task, from PeProgram.task, on_data and on_control. It belongs to its program, and
    cannot be copied or pickled."""
    id: int
    """Its number: of local tasks 0 to 30, of data tasks the color, of control tasks the entry."""

class PeScalar:
    """A register of a PE, of 32 bits, and the type of the value in it.

    Comparisons with registers or numbers (==, !=, <, <=, >, >=) are a Condition. It belongs to its
    program, and cannot be copied or pickled.
    """
    register: int
    """Its number, from 0 to 15."""
    def __eq__(self, other: PeScalar | float) -> Condition: ...  # type: ignore[override]
    def __ne__(self, other: PeScalar | float) -> Condition: ...  # type: ignore[override]
    def __lt__(self, other: PeScalar | float) -> Condition: ...
    def __ge__(self, other: PeScalar | float) -> Condition: ...
    def __gt__(self, other: PeScalar | float) -> Condition: ...
    def __le__(self, other: PeScalar | float) -> Condition: ...

class PeVector:
    """The operand of a vector instruction: elements in a PE's memory, a stream of wavelets, or a
    FIFO.

    In memory it is a view, as NumPy's: slices of it name the same elements. It has up to four
    dimensions, outermost first. Slicing costs no cycles of its own: it sets the descriptor of the
    instruction that uses the view. It belongs to its program, and cannot be copied or pickled.
    """
    name: str
    """Its symbol, or its color."""
    address: int
    """Of its first element, in bytes."""
    size: int
    """Elements; of a stream or FIFO 0, if it has no count."""
    shape: tuple[int, ...]
    """Elements along each dimension, outermost first."""
    dtype: np.dtype[Any]
    """Of its elements."""
    def slice(self, first: int, count: int, step: int = 1) -> PeVector:
        """Some elements of a vector of one dimension.

        Parameters
        ----------
        first, count : int
            The first element, and how many.
        step : int, default 1
            From one to the next, in elements; may be negative, but not lead out of the vector.

        Returns
        -------
        PeVector
            A view of shape (count,).

        Raises
        ------
        Error
            Elements outside the vector, or a vector of more dimensions.
        """
    def at(self, index: int) -> PeVector:
        """One element of a vector of one dimension.

        Parameters
        ----------
        index : int
            From 0 on.

        Returns
        -------
        PeVector
            A view of shape (1,), for PeProgram.load and store.

        Raises
        ------
        Error
            An index outside the vector, or a vector of more dimensions.
        """
    def row(self, r: int) -> PeVector:
        """A row of a vector of two dimensions.

        Parameters
        ----------
        r : int
            From 0 on.

        Returns
        -------
        PeVector
            A view of shape (columns,).

        Raises
        ------
        Error
            A row outside the vector, or a vector that has not two dimensions.
        """
    def column(self, c: int) -> PeVector:
        """A column of a vector of two dimensions.

        Parameters
        ----------
        c : int
            From 0 on.

        Returns
        -------
        PeVector
            A view of shape (rows,). Its stride is that of a row, which may lower the rate of an
            instruction (docs/model.md).

        Raises
        ------
        Error
            A column outside the vector, or a vector that has not two dimensions.
        """
    def block(self, r: int, c: int, rows: int, columns: int) -> PeVector:
        """A part of a vector of two dimensions.

        Parameters
        ----------
        r, c : int
            Row and column of its first element.
        rows, columns : int
            Its extents.

        Returns
        -------
        PeVector
            A view of shape (rows, columns).

        Raises
        ------
        Error
            A block that goes past the vector, or a vector that has not two dimensions.
        """
    def flat(self) -> PeVector:
        """The same elements in one dimension.

        Returns
        -------
        PeVector
            A view of shape (size,).

        Raises
        ------
        Error
            The elements are not evenly spaced.
        """
    def repeated(self, times: int) -> PeVector:
        """Each element so many times in turn, as numpy.repeat: a source only.

        Parameters
        ----------
        times : int
            How often.

        Returns
        -------
        PeVector
            A view with one more dimension.

        Raises
        ------
        Error
            More than four dimensions, or fewer than one time.
        """
    def tiled(self, times: int) -> PeVector:
        """All elements so many times, as numpy.tile: a source only.

        Parameters
        ----------
        times : int
            How often.

        Returns
        -------
        PeVector
            A view with one more dimension.

        Raises
        ------
        Error
            More than four dimensions, or fewer than one time.
        """
    def counted(self, count: int) -> PeVector:
        """The stream or FIFO with a count of elements, where no other operand has one.

        Parameters
        ----------
        count : int
            1 to 65,535.

        Returns
        -------
        PeVector
            As ``pe.copy(pe.to(color), f.counted(8))``.

        Raises
        ------
        Error
            Elements in memory, which have their own count.
        """
    def counted_by(self, elements: PeScalar) -> PeVector:
        """The first elements of the view, as many as a register holds when an instruction uses it.

        Parameters
        ----------
        elements : PeScalar
            The register: 0 to ``len(self)`` elements.

        Returns
        -------
        PeVector
            A view of the same elements.

        Raises
        ------
        Error
            A stream, a view of several dimensions, or one that is counted already.
        """
    def pairs(self) -> PeVector:
        """Elements of 16 bits, two to a word: what one wavelet carries. The low half comes first.

        Returns
        -------
        PeVector
            A view of half as many elements of uint32.

        Raises
        ------
        Error
            Not an even number of such elements, side by side, from an even one on.
        """
    def moved_by_bytes(self, bytes: PeScalar) -> PeVector:
        """The view moved on by a distance that a register holds when an instruction uses it.

        Parameters
        ----------
        bytes : PeScalar
            The register, in bytes.

        Returns
        -------
        PeVector
            A view of the same shape. Nothing checks that it stays in the vector.

        Raises
        ------
        Error
            A stream, or a view that has been moved before.
        """
    def strided_by(self, elements: PeScalar) -> PeVector:
        """The view with a stride that a register holds when an instruction uses it.

        Parameters
        ----------
        elements : PeScalar
            The register: so many elements from one to the next.

        Returns
        -------
        PeVector
            A view of as many elements. Nothing checks that it stays in the vector.

        Raises
        ------
        Error
            A stream, a view of several dimensions, or one that a register strides already.
        """

class Fifo(PeVector):
    """A circular buffer in a PE's memory, from PeProgram.fifo: as a destination it is pushed to, as
    a source popped. Elements of any dtype of its size go in. It belongs to its program, and cannot
    be copied or pickled."""
    number: int
    """From 0 to 7."""

class Subroutine:
    """Code that is written once and called, from PeProgram.subroutine. It belongs to its program,
    and cannot be copied or pickled."""

class PeOperation:
    """A vector operation that was issued. It belongs to its program, and cannot be copied or
    pickled.

    Notes
    -----
    Cycles: without these methods the core goes on after the operation. With them a microthread does
    it, one element a cycle at most, and the core goes on after ``scalar_cycles``.
    """
    def async_(self) -> PeOperation:
        """The core goes on at once, and the operation runs as a microthread.

        Returns
        -------
        PeOperation
            The same operation.

        Raises
        ------
        UsageError
            The program is complete.
        """
    def then_activate(self, task: Task) -> PeOperation:
        """As async_, and at its end a local task becomes active.

        Parameters
        ----------
        task : Task
            From PeProgram.task.

        Returns
        -------
        PeOperation
            The same operation.

        Raises
        ------
        Error
            A task of another kind, or an operation that has such an end.
        """
    def then_unblock(self, task: Task) -> PeOperation:
        """As async_, and at its end a task is unblocked.

        Parameters
        ----------
        task : Task
            A local task, or a data task (its color is unblocked).

        Returns
        -------
        PeOperation
            The same operation.

        Raises
        ------
        Error
            A task of another kind, or an operation that has such an end.
        """

class _Value:
    def __init__(self, number: float) -> None: ...
