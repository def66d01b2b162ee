class _Block:
    """A loop or a condition whose body a ``with`` writes."""
    def __enter__(self) -> _Block: ...
    def __exit__(self, *raised: object) -> bool: ...
    def otherwise(self) -> _Block:
        """Right after the end of a ``when``: its body is done if the condition does not hold.

        Returns
        -------
        _Block
            For ``with then.otherwise(): ...``.

        Raises
        ------
        Error
            It does not stand right after the end of a when.

        Notes
        -----
        Cycles: one jump at the end of the first body, ``branch_taken_cycles``.
        """

class PeProgram:
    """Writes the program of a PE, in a function of Design.program.

    Names of memory are symbols for Fabric.read and write; registers, queues, descriptors and tasks
    are handed out. It lives as long as that function runs, and cannot be copied or pickled.

    Its methods, in groups:

    - Memory: array, values, parameter, at_start
    - Registers: scalar, constant, scope, set, load, store, tsc, x, y
    - Arithmetic, on registers and vectors: add, sub, mul, max, min, negate, absolute, band, bor,
      bxor, shl, shr, sar; on registers: convert, divide, remainder, reciprocal, square_root,
      elapsed; on vectors: copy, fill, multiply_add, dot, sum, max_of
    - Streams: send, receive, from_, to, input_queue, output_queue
    - FIFOs: fifo
    - Control flow: repeat, range, repeat_while, when, leave, wait, pause
    - Subroutines: subroutine, call
    - Tasks: task, declare_task, on_data, on_control, activate, block, unblock, start_unblocked
    - Questions about the PE's place: has_neighbor, where, pick
    - To find mistakes, and where cycles go: check, print, keep_prints, phase
    - Any instruction: instruction, vector

    Notes
    -----
    Cycles. Each method says them by the machine's constants (docs/machine-profile.md has their
    values). A vector operation over n elements in memory takes ``vector_start_cycles`` + n / rate,
    rounded up. The rate depends on the dtype; strides and a second source may lower it
    (docs/model.md, "The cost of instructions"). One with a stream is a microthread: its first
    element comes ``microthread_start_cycles`` later, the others one a cycle at most. The first
    lines of a program set descriptors and constants, ``scalar_cycles`` each.
    """
    x: PeScalar
    """This PE's column, in a register of int32. Cycles: set once, at the start of the program."""
    y: PeScalar
    """This PE's row, in a register of int32. Cycles: set once, at the start of the program."""
    def array(self, name: str, shape: int | Sequence[int], dtype: DTypeLike = "float32") -> PeVector:
        """Elements in each PE's memory, zero at first.

        Parameters
        ----------
        name : str
            The symbol, for Fabric.read and write.
        shape : int or sequence of int
            Elements, in one to four dimensions, outermost first.
        dtype : dtype, default float32
            float32, float16, complex64, or an integer of 16 or 32 bits.

        Returns
        -------
        PeVector
            The elements in memory, as an operand.

        Raises
        ------
        UsageError
            An argument of another type, or a dtype that a PE does not hold.
        Error
            A name that is taken, or more than a PE's memory.

        Notes
        -----
        Cycles: none.
        """
    def values(self, name: str, array: ArrayLike) -> PeVector:
        """Elements with these values at launch, the same in each PE.

        Parameters
        ----------
        name : str
            The symbol, for Fabric.read and write.
        array : array_like
            Real numbers. An array's dtype is kept; lists become float32 or int32.

        Returns
        -------
        PeVector
            The elements in memory, as an operand.

        Raises
        ------
        UsageError
            An argument of another type, or a dtype that a PE does not hold.
        Error
            A name that is taken, or more than a PE's memory.

        Notes
        -----
        Cycles: none: the host writes them before cycle 0.
        """
    def parameter(self, name: str, value: Callable[[int, int], float], dtype: DTypeLike = "float32") -> PeVector:
        """One element with a value of the PE's own at launch.

        Parameters
        ----------
        name : str
            The symbol, for Fabric.read and write.
        value : callable
            ``value(x, y)`` of the PE's column and row: a number.
        dtype : dtype, default float32
            float32, float16, complex64, or an integer of 16 or 32 bits.

        Returns
        -------
        PeVector
            The element, of shape (1,).

        Raises
        ------
        UsageError
            An argument of another type, or a dtype that a PE does not hold.
        Error
            A name that is taken, or a value that the dtype cannot hold.

        Notes
        -----
        Cycles: none: the host writes it before cycle 0.
        """
    def at_start(self, symbol: PeVector, values: Callable[[int, int], ArrayLike]) -> None:
        """The values of a symbol at launch, of each PE's own.

        Parameters
        ----------
        symbol : PeVector
            From array.
        values : callable
            ``values(x, y)``: as many numbers as the symbol has elements.

        Raises
        ------
        Error
            Another number of values (an error of Design.fabric), or a symbol of another program.

        Notes
        -----
        Cycles: none: the host writes them before cycle 0.
        """
    def scalar(self, name: str, dtype: DTypeLike = "int32", number: int | None = None) -> PeScalar:
        """A register of 32 bits.

        Parameters
        ----------
        name : str
            Its name in errors.
        dtype : dtype, default int32
            Of the value in it.
        number : int, optional
            The register, 0 to 15; by default one that nobody has yet.

        Returns
        -------
        PeScalar
            The register. It keeps its value from task to task; at launch it is 0.

        Raises
        ------
        UsageError
            An argument of another type, or a dtype that a PE does not hold.
        Error
            No register is left, or this one is taken.

        Notes
        -----
        Cycles: none.
        """
    def constant(self, value: float, dtype: DTypeLike) -> PeScalar:
        """A register that holds a value in the whole program, or in the whole scope. The same value
        has one register.

        Parameters
        ----------
        value : number
            Of the dtype.
        dtype : dtype
            Of the value.

        Returns
        -------
        PeScalar
            The register.

        Raises
        ------
        UsageError
            An argument of another type, or a dtype that a PE does not hold.
        Error
            The dtype cannot hold the value, or no register is left.

        Notes
        -----
        Cycles: ``scalar_cycles``, once, at the start of the program (of a scope, each time it
        begins). Numbers that are operands, as 2 in ``pe.add(d, a, 2)``, have registers too, as long
        as there are enough. Beyond that, those that are used least are loaded right before each
        use, ``scalar_cycles`` more: together they keep one register.
        """
    def phase(self, name: str) -> _Block:
        """Names the code of its body, with the tasks that are written in it, for a profile, which
        then counts by phase, and for Report.phases. A phase within it has its own code.

        Parameters
        ----------
        name : str
            In words. Code of one name, also of several programs, is one phase.

        Returns
        -------
        _Block
            For ``with pe.phase("halo"): ...``.

        Raises
        ------
        UsageError
            It has no ``with``.

        Notes
        -----
        Cycles: none.
        """
    def scope(self) -> _Block:
        """Registers and constants that its body makes are given back at its end.

        Returns
        -------
        _Block
            For ``with pe.scope(): ...``.

        Raises
        ------
        Error
            A register of the scope is used after its end, or in another task.
        UsageError
            It has no ``with``.

        Notes
        -----
        They go to later scopes and loops of the same task or subroutine. In the main task, before
        its first wait and outside its loops, they go to all later scopes and scalars. (Elsewhere
        other tasks may run in between.) A register that is handed out anew holds what it held.
        Cycles: none, but for its constants.
        """
    @overload
    def set(self, d: PeScalar, value: PeScalar) -> None: ...
    @overload
    def set(self, d: PeScalar, value: PeScalar | float) -> None:
        """d = the value.

        Parameters
        ----------
        d : PeScalar
            The register that is set.
        value : PeScalar or number
            Of the same dtype.

        Raises
        ------
        Error
            Registers of different dtypes, or a number that the dtype cannot hold.

        Notes
        -----
        Cycles: ``scalar_cycles``.
        """
    def load(self, d: PeScalar, element: PeVector) -> None:
        """d = the element.

        Parameters
        ----------
        d : PeScalar
            The register that is set, of the element's dtype.
        element : PeVector
            One element in memory, as ``u.at(3)``.

        Raises
        ------
        Error
            Not one element in memory, or another dtype.

        Notes
        -----
        Cycles: ``scalar_cycles``. Of an int16 three times as many: its sign is set.
        """
    def store(self, element: PeVector, s: PeScalar) -> None:
        """The element = s.

        Parameters
        ----------
        element : PeVector
            One element in memory, as ``u.at(3)``.
        s : PeScalar
            A register of the element's dtype.

        Raises
        ------
        Error
            Not one element in memory, or another dtype.

        Notes
        -----
        Cycles: ``scalar_cycles``.
        """
    def tsc(self, d: PeScalar) -> None:
        """d = the cycle counter, its lower 32 bits.

        Parameters
        ----------
        d : PeScalar
            The register that is set.

        Raises
        ------
        UsageError
            An argument of another type, or a dtype that a PE does not hold.

        Notes
        -----
        Cycles: ``scalar_cycles``.
        """
    @overload
    def shr(self, d: PeScalar, a: PeScalar, bits: PeScalar | int) -> None: ...
    @overload
    def shr(self, d: PeScalar, a: int, bits: PeScalar) -> None: ...
    @overload
    def shr(self, d: PeVector, a: PeVector, bits: PeScalar | int) -> PeOperation:
        """d = a shifted down, zeros from the left.

        Parameters
        ----------
        d : PeScalar or PeVector
            The destination.
        a : PeScalar, PeVector or int
            As d: the register that is shifted, or as many integers, or a stream. Of a
            register also a number.
        bits : PeScalar or int
            By so many, modulo 32; of elements of 16 bits modulo 16.

        Returns
        -------
        PeOperation or None
            The operation on vectors; None on registers.

        Raises
        ------
        Error
            No instruction takes these dtypes together, the sizes differ, or streams are the wrong
            way round.

        Notes
        -----
        Cycles. Registers: ``scalar_cycles``. Vectors: vector_start_cycles + n / rate, rounded up;
        the rate is ``slow_rate``.
        """
    @overload
    def shl(self, d: PeScalar, a: PeScalar, bits: PeScalar | int) -> None: ...
    @overload
    def shl(self, d: PeScalar, a: int, bits: PeScalar) -> None: ...
    @overload
    def shl(self, d: PeVector, a: PeVector, bits: PeScalar | int) -> PeOperation:
        """d = a shifted up.

        Parameters
        ----------
        d : PeScalar or PeVector
            The destination.
        a : PeScalar, PeVector or int
            As d: the register that is shifted, or as many integers, or a stream. Of a
            register also a number.
        bits : PeScalar or int
            By so many, modulo 32; of elements of 16 bits modulo 16.

        Returns
        -------
        PeOperation or None
            The operation on vectors; None on registers.

        Raises
        ------
        Error
            No instruction takes these dtypes together, the sizes differ, or streams are the wrong
            way round.

        Notes
        -----
        Cycles. Registers: ``scalar_cycles``. Vectors: vector_start_cycles + n / rate, rounded up;
        the rate is ``slow_rate``.
        """
    @overload
    def sar(self, d: PeScalar, a: PeScalar, bits: PeScalar | int) -> None: ...
    @overload
    def sar(self, d: PeScalar, a: int, bits: PeScalar) -> None: ...
    @overload
    def sar(self, d: PeVector, a: PeVector, bits: PeScalar | int) -> PeOperation:
        """d = a shifted down, its sign from the left.

        Parameters
        ----------
        d : PeScalar or PeVector
            The destination.
        a : PeScalar, PeVector or int
            As d: the register that is shifted, or as many integers, or a stream. Of a
            register also a number.
        bits : PeScalar or int
            By so many, modulo 32; of elements of 16 bits modulo 16.

        Returns
        -------
        PeOperation or None
            The operation on vectors; None on registers.

        Raises
        ------
        Error
            No instruction takes these dtypes together, the sizes differ, or streams are the wrong
            way round.

        Notes
        -----
        Cycles. Registers: ``scalar_cycles``. Vectors: vector_start_cycles + n / rate, rounded up;
        the rate is ``slow_rate``.
        """
    @overload
    def band(self, d: PeScalar, a: PeScalar, b: PeScalar | int) -> None: ...
    @overload
    def band(self, d: PeVector, a: PeVector, b: PeVector | PeScalar | int) -> PeOperation:
        """d = a and b, bit by bit.

        Parameters
        ----------
        d : PeScalar or PeVector
            The destination.
        a : PeScalar or PeVector
            As d: a register, or as many integers, or a stream.
        b : PeVector, PeScalar or int
            The other operand.

        Returns
        -------
        PeOperation or None
            The operation on vectors; None on registers.

        Raises
        ------
        Error
            No instruction takes these dtypes together, the sizes differ, or streams are the wrong
            way round.

        Notes
        -----
        Cycles. Registers: ``scalar_cycles``. Vectors: vector_start_cycles + n / rate, rounded up;
        the rate is ``f16_rate`` of 16 bits, ``slow_rate`` of 32.
        """
    @overload
    def bor(self, d: PeScalar, a: PeScalar, b: PeScalar | int) -> None: ...
    @overload
    def bor(self, d: PeVector, a: PeVector, b: PeVector | PeScalar | int) -> PeOperation:
        """d = a or b, bit by bit.

        Parameters
        ----------
        d : PeScalar or PeVector
            The destination.
        a : PeScalar or PeVector
            As d: a register, or as many integers, or a stream.
        b : PeVector, PeScalar or int
            The other operand.

        Returns
        -------
        PeOperation or None
            The operation on vectors; None on registers.

        Raises
        ------
        Error
            No instruction takes these dtypes together, the sizes differ, or streams are the wrong
            way round.

        Notes
        -----
        Cycles. Registers: ``scalar_cycles``. Vectors: vector_start_cycles + n / rate, rounded up;
        the rate is ``f16_rate`` of 16 bits, ``slow_rate`` of 32.
        """
    @overload
    def bxor(self, d: PeScalar, a: PeScalar, b: PeScalar | int) -> None: ...
    @overload
    def bxor(self, d: PeVector, a: PeVector, b: PeVector | PeScalar | int) -> PeOperation:
        """d = a xor b, bit by bit.

        Parameters
        ----------
        d : PeScalar or PeVector
            The destination.
        a : PeScalar or PeVector
            As d: a register, or as many integers, or a stream.
        b : PeVector, PeScalar or int
            The other operand.

        Returns
        -------
        PeOperation or None
            The operation on vectors; None on registers.

        Raises
        ------
        Error
            No instruction takes these dtypes together, the sizes differ, or streams are the wrong
            way round.

        Notes
        -----
        Cycles. Registers: ``scalar_cycles``. Vectors: vector_start_cycles + n / rate, rounded up;
        the rate is ``f16_rate`` of 16 bits, ``slow_rate`` of 32.
        """
    @overload
    def add(self, d: PeScalar, a: PeScalar, b: PeScalar | float) -> None: ...
    @overload
    def add(self, d: PeScalar, a: float, b: PeScalar) -> None: ...
    @overload
    def add(self, d: PeVector, a: float, b: PeVector) -> PeOperation: ...
    @overload
    def add(self, d: PeVector, a: PeVector, b: PeVector | PeScalar | float) -> PeOperation:
        """d = a + b, on registers or on vectors.

        Parameters
        ----------
        d : PeScalar or PeVector
            The destination.
        a : PeScalar, PeVector or number
            As d: a register, or as many elements, or a stream. Or a number, where b is none.
        b : PeVector, PeScalar or number
            The other summand.

        Returns
        -------
        PeOperation or None
            The operation on vectors; None on registers.

        Raises
        ------
        Error
            No instruction takes these dtypes together, the sizes differ, or streams are the wrong
            way round.

        Notes
        -----
        Cycles. Registers: ``scalar_cycles``, of float32 ``scalar_f32_cycles``. Vectors:
        vector_start_cycles + n / rate, rounded up; the rate is ``f32_add_rate`` of float32 (and of
        float32 + float16), ``f16_rate`` of float16 and of integers of 16 bits, ``slow_rate`` of
        integers of 32.
        """
    @overload
    def sub(self, d: PeScalar, a: PeScalar, b: PeScalar | float) -> None: ...
    @overload
    def sub(self, d: PeScalar, a: float, b: PeScalar) -> None: ...
    @overload
    def sub(self, d: PeVector, a: PeVector, b: PeVector | PeScalar | float) -> PeOperation: ...
    @overload
    def sub(self, d: PeVector, a: PeScalar | float, b: PeVector) -> PeOperation:
        """d = a - b, on registers or on vectors.

        Parameters
        ----------
        d : PeScalar or PeVector
            The destination.
        a : PeScalar, PeVector or number
            As d: a register, or as many elements, or a stream. Or a number or a register, where b
            is neither.
        b : PeVector, PeScalar or number
            The number that is taken off.

        Returns
        -------
        PeOperation or None
            The operation on vectors; None on registers.

        Raises
        ------
        Error
            No instruction takes these dtypes together, the sizes differ, or streams are the wrong
            way round.

        Notes
        -----
        Cycles. Registers: ``scalar_cycles``, of float32 ``scalar_f32_cycles``. Vectors:
        vector_start_cycles + n / rate, rounded up; the rate is ``f32_add_rate`` of float32,
        ``f16_rate`` of float16 and of integers of 16 bits, ``slow_rate`` of integers of 32.
        """
    @overload
    def mul(self, d: PeScalar, a: PeScalar, b: PeScalar | float) -> None: ...
    @overload
    def mul(self, d: PeScalar, a: float, b: PeScalar) -> None: ...
    @overload
    def mul(self, d: PeVector, a: float, b: PeVector) -> PeOperation: ...
    @overload
    def mul(self, d: PeVector, a: PeVector, b: PeVector | PeScalar | float) -> PeOperation:
        """d = a b, on registers or on vectors.

        Parameters
        ----------
        d : PeScalar or PeVector
            The destination. Vectors are of floating-point numbers.
        a : PeScalar, PeVector or number
            As d: a register, or as many elements, or a stream. Or a number, where b is none.
        b : PeVector, PeScalar or number
            The other factor.

        Returns
        -------
        PeOperation or None
            The operation on vectors; None on registers.

        Raises
        ------
        Error
            No instruction takes these dtypes together, the sizes differ, or streams are the wrong
            way round.

        Notes
        -----
        Cycles. Registers: ``scalar_cycles``, of float32 ``scalar_f32_cycles``. Vectors:
        vector_start_cycles + n / rate, rounded up; the rate is ``f32_multiply_rate`` of float32,
        ``f16_rate`` of float16.
        """
    @overload
    def multiply_add(self, d: PeVector, a: PeVector, b: PeVector | PeScalar | float) -> PeOperation: ...
    @overload
    def multiply_add(self, d: PeVector, a: PeVector, b: PeVector, s: PeScalar | float) -> PeOperation:
        """d = d + a b, or d = a + b s, rounded once.

        Parameters
        ----------
        d : PeVector
            The elements that are set, or a stream (see to).
        a : PeVector
            A factor, of floating-point numbers, as many as d, or a stream (see from_). With s: the
            summand, in memory.
        b : PeVector, PeScalar or number
            The other factor. float16 products may go into float32 sums.
        s : PeScalar or number, optional
            The factor of b.

        Returns
        -------
        PeOperation
            The operation. The core goes on after it, if it is not made asynchronous.

        Raises
        ------
        Error
            No instruction takes these dtypes together, the sizes differ, or streams are the wrong
            way round.

        Notes
        -----
        Cycles: vector_start_cycles + n / rate, rounded up; the rate is ``f32_multiply_rate`` of
        float32, ``f16_rate`` of float16, ``f32_add_rate`` of float16 products into float32. d
        counts as a source. With s and d other than a, a copy of a into d comes first.
        """
    def copy(self, d: PeVector, a: PeVector) -> PeOperation:
        """d = a, also between float16, float32 and int16. To integers toward 0: the nearest one
        beyond their range, and 0 of a NaN.

        Parameters
        ----------
        d : PeVector
            The elements that are set, or a stream (see to).
        a : PeVector
            The source. Of as many elements as d, or a stream (see from_).

        Returns
        -------
        PeOperation
            The operation. The core goes on after it, if it is not made asynchronous.

        Raises
        ------
        Error
            No instruction takes these dtypes together, the sizes differ, or streams are the wrong
            way round.

        Notes
        -----
        Cycles: vector_start_cycles + n / rate, rounded up; the rate is ``move32_rate`` of 32 bits,
        ``f16_rate`` of 16, ``slow_rate`` between dtypes.
        """
    @overload
    def fill(self, d: PeVector, value: PeScalar) -> PeOperation: ...
    @overload
    def fill(self, d: PeVector, value: PeScalar | float) -> PeOperation:
        """Each element = the value.

        Parameters
        ----------
        d : PeVector
            The elements that are set, or a stream (see to).
        value : PeScalar or number
            Of the elements' dtype.

        Returns
        -------
        PeOperation
            The operation. The core goes on after it, if it is not made asynchronous.

        Raises
        ------
        Error
            No instruction takes these dtypes together, the sizes differ, or streams are the wrong
            way round.

        Notes
        -----
        Cycles: vector_start_cycles + n / rate, rounded up; the rate is ``move32_rate`` of 32 bits,
        ``f16_rate`` of 16.
        """
    @overload
    def max(self, d: PeScalar, a: PeScalar, b: PeScalar | float) -> None: ...
    @overload
    def max(self, d: PeScalar, a: float, b: PeScalar) -> None: ...
    @overload
    def max(self, d: PeVector, a: float, b: PeVector) -> PeOperation: ...
    @overload
    def max(self, d: PeVector, a: PeVector, b: PeVector | PeScalar | float) -> PeOperation:
        """d = the larger of a and b, on registers or element by element. A NaN if one is.

        Parameters
        ----------
        d : PeScalar or PeVector
            The destination.
        a : PeScalar, PeVector or number
            As d: a register, or as many elements, or a stream. Or a number, where b is none.
        b : PeVector, PeScalar or number
            The other one.

        Returns
        -------
        PeOperation or None
            The operation on vectors; None on registers.

        Raises
        ------
        Error
            No instruction takes these dtypes together, the sizes differ, or streams are the wrong
            way round.

        Notes
        -----
        Cycles. Registers: ``scalar_cycles``, of float32 ``scalar_f32_cycles``; of integers a copy
        and a branch. Vectors: vector_start_cycles + n / rate, rounded up; the rate is
        ``slow_rate``.
        """
    @overload
    def min(self, d: PeScalar, a: PeScalar, b: PeScalar | float) -> None: ...
    @overload
    def min(self, d: PeScalar, a: float, b: PeScalar) -> None: ...
    @overload
    def min(self, d: PeVector, a: float, b: PeVector) -> PeOperation: ...
    @overload
    def min(self, d: PeVector, a: PeVector, b: PeVector | PeScalar | float) -> PeOperation:
        """d = the smaller of a and b, on registers or element by element. A NaN if one is.

        Parameters
        ----------
        d : PeScalar or PeVector
            The destination.
        a : PeScalar, PeVector or number
            As d: a register, or as many elements, or a stream. Or a number, where b is none.
        b : PeVector, PeScalar or number
            The other one.

        Returns
        -------
        PeOperation or None
            The operation on vectors; None on registers.

        Raises
        ------
        Error
            No instruction takes these dtypes together, the sizes differ, or streams are the wrong
            way round.

        Notes
        -----
        Cycles. Registers: ``scalar_cycles``, of float32 ``scalar_f32_cycles``; of integers a copy
        and a branch. Vectors: vector_start_cycles + n / rate, rounded up; the rate is
        ``slow_rate``.
        """
    def max_of(self, d: PeVector, a: PeVector) -> PeOperation:
        """d = the largest of all elements; a NaN if one is.

        Parameters
        ----------
        d : PeVector
            One element in memory.
        a : PeVector
            The elements, or a stream with a count (see from_).

        Returns
        -------
        PeOperation
            The operation. The core goes on after it, if it is not made asynchronous.

        Raises
        ------
        Error
            No instruction takes these dtypes together, the sizes differ, or streams are the wrong
            way round.

        Notes
        -----
        Cycles: two scalars, which set d first; then vector_start_cycles + n / ``slow_rate``.
        """
    def sum(self, d: PeVector, a: PeVector) -> PeOperation:
        """d = the sum of all elements, one after the other.

        Parameters
        ----------
        d : PeVector
            One element in memory. Of float32 also where a is float16.
        a : PeVector
            The elements, or a stream with a count (see from_).

        Returns
        -------
        PeOperation
            The operation. The core goes on after it, if it is not made asynchronous.

        Raises
        ------
        Error
            No instruction takes these dtypes together, the sizes differ, or streams are the wrong
            way round.

        Notes
        -----
        Cycles: two scalars, which set d first; then those of add, of two vectors.
        """
    def dot(self, d: PeVector, a: PeVector, b: PeVector) -> PeOperation:
        """d = the sum of all a[i] b[i], one after the other, each rounded once.

        Parameters
        ----------
        d : PeVector
            One element in memory. Of float32 also where a and b are float16.
        a, b : PeVector
            As many elements; one may be a stream.

        Returns
        -------
        PeOperation
            The operation. The core goes on after it, if it is not made asynchronous.

        Raises
        ------
        Error
            No instruction takes these dtypes together, the sizes differ, or streams are the wrong
            way round.

        Notes
        -----
        Cycles: two scalars, which set d first; then those of multiply_add, of two vectors.
        """
    @overload
    def negate(self, d: PeScalar, a: PeScalar) -> None: ...
    @overload
    def negate(self, d: PeVector, a: PeVector) -> PeOperation:
        """d = -a, on registers or element by element.

        Parameters
        ----------
        d : PeScalar or PeVector
            The destination.
        a : PeScalar or PeVector
            As d: a register, or as many elements, or a stream (see from_).

        Returns
        -------
        PeOperation or None
            The operation on vectors; None on registers.

        Raises
        ------
        Error
            No instruction takes these dtypes together, the sizes differ, or streams are the wrong
            way round.

        Notes
        -----
        Cycles. Registers: ``scalar_cycles``, of float32 ``scalar_f32_cycles``. Vectors:
        vector_start_cycles + n / rate, rounded up; the rate is ``f32_add_rate`` of float32,
        ``f16_rate`` of float16;
        of integers as sub, with 0.
        """
    @overload
    def absolute(self, d: PeScalar, a: PeScalar) -> None: ...
    @overload
    def absolute(self, d: PeVector, a: PeVector) -> PeOperation:
        """d = |a|, on registers or element by element.

        Parameters
        ----------
        d : PeScalar or PeVector
            The destination.
        a : PeScalar or PeVector
            As d: a register, or as many floating-point numbers, or a stream (see from_).

        Returns
        -------
        PeOperation or None
            The operation on vectors; None on registers.

        Raises
        ------
        Error
            No instruction takes these dtypes together, the sizes differ, or streams are the wrong
            way round.

        Notes
        -----
        Cycles. Registers: ``scalar_cycles``, of float32 ``scalar_f32_cycles``; of integers a copy
        and a branch, and one more. Vectors: vector_start_cycles + n / rate, rounded up; the rate is
        ``f32_add_rate`` of float32, ``f16_rate`` of float16.
        """
    def convert(self, d: PeScalar, a: PeScalar) -> None:
        """d = the number in a, in d's dtype. To integers toward 0: the nearest one of 32 bits
        beyond their range, and 0 of a NaN; of 16 bits it is the low half of that.

        Parameters
        ----------
        d : PeScalar
            The register that is set.
        a : PeScalar
            Of any dtype.

        Raises
        ------
        UsageError
            An argument of another type.

        Notes
        -----
        Cycles: one to four instructions; between float32 and integers of 32 bits
        ``scalar_f32_cycles``.
        """
    @overload
    def divide(self, d: PeScalar, a: PeScalar, b: PeScalar | float) -> None: ...
    @overload
    def divide(self, d: PeScalar, a: float, b: PeScalar) -> None:
        """d = a / b: floating-point numbers correctly rounded, integers toward 0. An integer by 0
        gives all ones.

        Parameters
        ----------
        d : PeScalar
            The register that is set.
        a : PeScalar or number
            Of d's dtype; a number where b is none.
        b : PeScalar or number
            Of the same.

        Raises
        ------
        Error
            The registers are of different dtypes.

        Notes
        -----
        Cycles: a routine, as a PE has no instruction for it; docs/isa.md has its cycles. The first
        use of one adds it to the program, and takes three registers for all routines.
        """
    @overload
    def remainder(self, d: PeScalar, a: PeScalar, b: PeScalar | int) -> None: ...
    @overload
    def remainder(self, d: PeScalar, a: int, b: PeScalar) -> None:
        """d = what divide leaves of an integer: a - b divide(a, b). By 0 it is a.

        Parameters
        ----------
        d : PeScalar
            The register that is set.
        a : PeScalar or int
            Of d's dtype; a number where b is none.
        b : PeScalar or int
            Of the same.

        Raises
        ------
        Error
            The registers are of different dtypes, or hold floating-point numbers.

        Notes
        -----
        Cycles: as divide.
        """
    def reciprocal(self, d: PeScalar, a: PeScalar) -> None:
        """d = 1 / a, correctly rounded.

        Parameters
        ----------
        d : PeScalar
            The register that is set.
        a : PeScalar
            A floating-point number of d's dtype.

        Raises
        ------
        Error
            The registers are of different dtypes, or hold integers.

        Notes
        -----
        Cycles: as divide.
        """
    def square_root(self, d: PeScalar, a: PeScalar) -> None:
        """d = the square root of a, correctly rounded. Of a negative number it is a NaN.

        Parameters
        ----------
        d : PeScalar
            The register that is set.
        a : PeScalar
            A floating-point number of d's dtype.

        Raises
        ------
        Error
            The registers are of different dtypes, or hold integers.

        Notes
        -----
        Cycles: a routine (see divide); docs/isa.md has its cycles.
        """
    def elapsed(self, d: PeScalar, start: PeScalar) -> None:
        """d = cycles since tsc(start), modulo 2^32.

        Parameters
        ----------
        d : PeScalar
            The register that is set.
        start : PeScalar
            The register that tsc has set.

        Raises
        ------
        UsageError
            An argument of another type.

        Notes
        -----
        Cycles: two scalars.
        """
    def send(self, color: Color | int, a: PeVector) -> PeOperation:
        """A vector goes out by a color, a wavelet for each element.

        Parameters
        ----------
        color : Color or int
            The channel.
        a : PeVector
            Elements of 16 or 32 bits in memory, or a stream.

        Returns
        -------
        PeOperation
            The operation. The core goes on after it, if it is not made asynchronous.

        Raises
        ------
        Error
            No instruction takes these dtypes together, the sizes differ, or streams are the wrong
            way round.
        Error
            No output queue is left.

        Notes
        -----
        Cycles: a microthread: the first element leaves ``microthread_start_cycles`` later, then one
        a cycle at most; the core goes on ``scalar_cycles`` after the last.
        """
    def receive(self, d: PeVector, color: Color | int) -> PeOperation:
        """A vector takes what comes by a color, an element for each wavelet.

        Parameters
        ----------
        d : PeVector
            Elements of 16 or 32 bits in memory, or a stream.
        color : Color or int
            The channel.

        Returns
        -------
        PeOperation
            The operation. The core goes on after it, if it is not made asynchronous.

        Raises
        ------
        Error
            No instruction takes these dtypes together, the sizes differ, or streams are the wrong
            way round.
        Error
            No input queue is left.

        Notes
        -----
        Cycles: as send, as wavelets come.
        """
    def from_(self, color: Color | int, count: int = 0) -> PeVector:
        """Wavelets that come by a color, as a source.

        Parameters
        ----------
        color : Color or int
            The channel.
        count : int, default 0
            How many, where no other operand has a count.

        Returns
        -------
        PeVector
            A stream.

        Raises
        ------
        UsageError
            An argument of another type, or a dtype that a PE does not hold.

        Notes
        -----
        Cycles: those of the operation that takes it.
        """
    def to(self, color: Color | int, control: bool = False) -> PeVector:
        """Wavelets to a color, as a destination.

        Parameters
        ----------
        color : Color or int
            The channel.
        control : bool, default False
            They are control wavelets (see control_payload).

        Returns
        -------
        PeVector
            A stream.

        Raises
        ------
        UsageError
            An argument of another type, or a dtype that a PE does not hold.

        Notes
        -----
        Cycles: those of the operation that fills it.
        """
    def input_queue(self, color: Color | int, queue: int) -> None:
        """The queue from the router that a color takes in this program; else one is handed out.

        Parameters
        ----------
        color : Color or int
            The channel.
        queue : int
            0 to 7. Queue n from the router and queue n to it share microthread n.

        Raises
        ------
        Error
            The queue is taken, or there is none of this number.

        Notes
        -----
        Cycles: none.
        """
    def output_queue(self, color: Color | int, queue: int) -> None:
        """The queue to the router that a color takes in this program; else one is handed out.

        Parameters
        ----------
        color : Color or int
            The channel.
        queue : int
            0 to 5. Queue n from the router and queue n to it share microthread n.

        Raises
        ------
        Error
            The queue is taken, or there is none of this number.

        Notes
        -----
        Cycles: none.
        """
    @overload
    def repeat(self, times: int) -> _Block: ...
    @overload
    def repeat(self, times: int | PeScalar) -> _Block:
        """A loop that goes so many times.

        Parameters
        ----------
        times : int or PeScalar
            1 or more; of a register 0 too.

        Returns
        -------
        _Block
            For ``with pe.repeat(10): ...``.

        Raises
        ------
        Error
            Fewer than 1, or no register is left for the counter.
        UsageError
            It has no ``with``.

        Notes
        -----
        Cycles: ``scalar_cycles`` to set the counter; each round one addition, ``scalar_cycles``,
        and a branch, ``branch_taken_cycles`` (the last one ``scalar_cycles``).
        """
    def range(self, i: PeScalar, first: int, end: int, step: int = 1) -> _Block:
        """A loop in which a register counts up.

        Parameters
        ----------
        i : PeScalar
            first, first + step, ... below end; of int32.
        first, end : int
            first < end.
        step : int, default 1
            1 or more.

        Returns
        -------
        _Block
            For ``with pe.range(i, 0, 10): ...``.

        Raises
        ------
        Error
            A range that is empty, or counts down.

        Notes
        -----
        Cycles: as repeat.
        """
    def repeat_while(self, condition: Condition) -> _Block:
        """A loop that goes as long as a condition holds, not at all if it does not.

        Parameters
        ----------
        condition : Condition
            As ``i < 7``.

        Returns
        -------
        _Block
            For ``with pe.repeat_while(i < 7): ...``.

        Raises
        ------
        UsageError
            An argument of another type, or a dtype that a PE does not hold.

        Notes
        -----
        Cycles: a branch before it and one each round, ``branch_taken_cycles`` if taken, else
        ``scalar_cycles``.
        """
    def when(self, condition: Condition) -> _Block:
        """A body that is done if a condition holds.

        Parameters
        ----------
        condition : Condition
            As ``i == 3``.

        Returns
        -------
        _Block
            For ``with pe.when(i == 3) as then: ...``.

        Raises
        ------
        UsageError
            An argument of another type, or a dtype that a PE does not hold.

        Notes
        -----
        Cycles: a branch, ``scalar_cycles`` if the body is done, else ``branch_taken_cycles``.
        """
    def leave(self) -> None:
        """Goes on behind the innermost loop, also from a condition in it.

        Raises
        ------
        Error
            It stands in no loop of its task, or between an operation and the wait for it (an error
            of that wait).

        Notes
        -----
        Cycles: a jump, ``branch_taken_cycles``.
        """
    def pause(self) -> None:
        """The task ends here, and the code below is a task of its own, so that others run in between.

        Raises
        ------
        Error
            No local task is left.

        Notes
        -----
        The code below is active at once. It takes a local task with a high number, and keeps the
        priority of the task around it. So those run in between that the core prefers to it: of that
        priority data tasks, then local tasks with lower numbers; no control tasks. Of two tasks that
        pause, the one whose code below has the lower number (that is written later) comes first.
        Cycles: two instructions, ``scalar_cycles`` each, and ``task_start_cycles``.
        """
    def subroutine(self, name: str, body: Callable[[], object]) -> Subroutine:
        """Code that is written once, and called from several places.

        Parameters
        ----------
        name : str
            Its name in errors and listings.
        body : callable
            ``body()`` writes the code. It may call subroutines that are written before it.

        Returns
        -------
        Subroutine
            For call.

        Raises
        ------
        Error
            No register is left to return by.

        Notes
        -----
        It has the registers and memory of the program. Each level of calls takes a register. A
        subroutine with a wait or a pause takes a register of its own, and one task only calls it.
        Cycles: the return, ``branch_taken_cycles``.
        """
    def call(self, subroutine: Subroutine) -> None:
        """Does what a subroutine does, and goes on below.

        Parameters
        ----------
        subroutine : Subroutine
            Of this program, written before.

        Raises
        ------
        Error
            It calls itself, it is of another program, or it waits and another task calls it too.

        Notes
        -----
        Cycles: ``branch_taken_cycles``.
        """
    def wait(self, *operations: PeOperation | Iterable[PeOperation]) -> None:
        """Code goes on below when all these operations have ended.

        Parameters
        ----------
        *operations : PeOperation or iterable of them
            Issued in the same task, loop or condition. They become asynchronous.

        Raises
        ------
        Error
            An operation of another program, task or loop, or one over memory only.
        UsageError
            An argument that is no operation.

        Notes
        -----
        The task ends here, and the code below is a task of its own; other tasks may run in between,
        registers stay. Cycles: the start of a task, ``task_start_cycles``, and one more for each
        operation past the second. There may be any number of waits: where the 29 local tasks become
        scarce, waits share them, those in the innermost loops last. That takes a register, and
        twice ``branch_taken_cycles`` at each of these waits.
        """
    @overload
    def task(self, name: str, body: Callable[[], object] | Callable[[Task], object], id: int | None = None, priority: str = "low") -> Task: ...
    @overload
    def task(self, name: Task, body: Callable[[], object] | Callable[[Task], object]) -> Task:
        """A local task, to be activated, or the code of a task that was declared.

        Parameters
        ----------
        name : str or Task
            Its name in errors, or the task, from declare_task.
        body : callable
            ``body()`` writes the task's code. Or ``body(self)``, with the task, which can activate
            itself so.
        id : int, optional
            0 to 30; by default one that nobody has yet.
        priority : str, default "low"
            "high": it comes before all tasks of low priority. Of one priority, data tasks come
            first, by color, then local tasks by number, then control tasks by entry, lowest first.
            No task interrupts another. Code below a wait keeps the priority.

        Returns
        -------
        Task
            For activate, block and unblock.

        Raises
        ------
        Error
            The number is taken, or none is left; a task that has code.

        Notes
        -----
        Cycles: ``task_start_cycles`` each time it starts.
        """
    def declare_task(self, name: str, id: int | None = None, priority: str = "low") -> Task:
        """A local task whose code comes later, so that tasks which are written before it can name it.

        Parameters
        ----------
        name : str
            Its name in errors.
        id : int, optional
            0 to 30; by default one that nobody has yet.
        priority : str, default "low"
            As of task.

        Returns
        -------
        Task
            For task, activate, block and unblock.

        Raises
        ------
        Error
            The number is taken, or none is left; the program ends, and the task has no code (an
            error of Design.program).

        Notes
        -----
        Cycles: none.
        """
    def on_data(self, color: Color | int, body: Callable[[PeScalar], object], dtype: DTypeLike = "uint32", priority: str = "low") -> Task:
        """The task that data wavelets of a color start.

        Parameters
        ----------
        color : Color or int
            The channel.
        body : callable
            ``body(payload)`` writes the task's code; the payload is a PeScalar.
        dtype : dtype, default uint32
            Of the payload.
        priority : str, default "low"
            As of task.

        Returns
        -------
        Task
            For block and unblock.

        Raises
        ------
        Error
            The color has such a task (an error of Design.program), or a receive of the program takes
            its wavelets too.
        UsageError
            An argument of another type, or a dtype that a PE does not hold.

        Notes
        -----
        A receive of the same color would share the wavelets with the task. It is refused, unless it
        stands in the task and the core waits for it, or the program blocks the task somewhere.
        Cycles: ``task_start_cycles`` for each wavelet; for the sign of an int16, two instructions
        more.
        """
    def on_control(self, entry: int, body: Callable[[PeScalar], object], priority: str = "low") -> Task:
        """The task that control wavelets with an entry start, where their color is unblocked.

        Parameters
        ----------
        entry : int
            From Design.control_entry.
        body : callable
            ``body(payload)`` writes the task's code; the payload is a PeScalar.
        priority : str, default "low"
            As of task.

        Returns
        -------
        Task
            For block and unblock.

        Raises
        ------
        Error
            The entry has such a task.

        Notes
        -----
        Cycles: ``task_start_cycles`` for each wavelet.
        """
    def activate(self, task: Task) -> None:
        """Starts a local task when the core is free.

        Parameters
        ----------
        task : Task
            Of this program.

        Raises
        ------
        Error
            A task that is not local.

        Notes
        -----
        Cycles: ``scalar_cycles``, and ``task_start_cycles`` when it starts.
        """
    def block(self, task: Task) -> None:
        """The task does not start until it is unblocked.

        Parameters
        ----------
        task : Task
            Of this program.

        Raises
        ------
        UsageError
            An argument of another type, or a dtype that a PE does not hold.

        Notes
        -----
        Cycles: ``scalar_cycles``.
        """
    def unblock(self, task: Task) -> None:
        """The task may start again.

        Parameters
        ----------
        task : Task
            Of this program.

        Raises
        ------
        UsageError
            An argument of another type, or a dtype that a PE does not hold.

        Notes
        -----
        Cycles: ``scalar_cycles``.
        """
    def check(self, condition: Condition, text: str) -> None:
        """Where the condition does not hold, the run ends with a fault.

        Parameters
        ----------
        condition : Condition
            As in when.
        text : str
            The mistake, in words. The FaultError has it, with the PE, the cycle and the line; its
            kind is "check_failed".

        Raises
        ------
        Error
            Registers that cannot be compared, or no register left for a value.
        UsageError
            An argument of another type.

        Notes
        -----
        Cycles: a branch that is not taken, ``scalar_cycles``. Three instructions of memory.
        """
    def print(self, name: str, value: PeScalar) -> None:
        """Notes the value of a register with the cycle. Fabric.prints and Fabric.printed show it.

        Parameters
        ----------
        name : str
            Of the value, for people.
        value : PeScalar
            A register.

        Raises
        ------
        Error
            No memory is left, or no two registers: all prints of a program share them.
        UsageError
            An argument of another type.

        Notes
        -----
        Cycles: ten scalar instructions, ``10 * scalar_cycles``. The cycle that is noted is that of
        the first of them. The first print takes the memory that keep_prints says.
        """
    def keep_prints(self, values: int) -> None:
        """So many of the last printed values of the PE are kept; 32, if nothing is said.

        Parameters
        ----------
        values : int
            A power of two up to 1024. Each takes 16 bytes.

        Raises
        ------
        Error
            Another number, or a print is written already.
        UsageError
            A value that is no whole number.

        Notes
        -----
        Cycles: none.
        """
    def start_unblocked(self, color: Color | int) -> None:
        """The color's control wavelets start tasks from launch on.

        Parameters
        ----------
        color : Color or int
            The channel.

        Raises
        ------
        UsageError
            An argument of another type, or a dtype that a PE does not hold.

        Notes
        -----
        Cycles: none.
        """
    def has_neighbor(self, side: Port) -> bool:
        """Whether the fabric has a PE beyond a side. PEs with the same result share a program.

        Parameters
        ----------
        side : Port
            Not the ramp.

        Returns
        -------
        bool
            The result for the PEs that the function is called for.

        Raises
        ------
        UsageError
            An argument of another type, or a dtype that a PE does not hold.

        Notes
        -----
        Cycles: none: it is evaluated while the program is written.
        """
    def where(self, property: Callable[[int, int], bool]) -> bool:
        """Whether a property holds for the PE. PEs with the same result share a program.

        Parameters
        ----------
        property : callable
            ``property(x, y)`` of the PE's column and row.

        Returns
        -------
        bool
            The result for the PEs that the function is called for.

        Raises
        ------
        UsageError
            An argument of another type, or a dtype that a PE does not hold.

        Notes
        -----
        Cycles: none: it is evaluated while the program is written.
        """
    def pick(self, number: Callable[[int, int], int]) -> int:
        """A number for the PE; each different one makes a program of its own.

        Parameters
        ----------
        number : callable
            ``number(x, y)`` of the PE's column and row.

        Returns
        -------
        int
            The number of the PEs that the function is called for.

        Raises
        ------
        UsageError
            An argument of another type, or a dtype that a PE does not hold.

        Notes
        -----
        Cycles: none: it is evaluated while the program is written.
        """
    def fifo(self, name: str, capacity: int, bytes: int = 4, after_push: Task | None = None, after_pop: Task | None = None) -> Fifo:
        """A circular buffer in memory, as an operand of vector operations: a destination pushes, a
        source pops.

        Parameters
        ----------
        name : str
            Its symbol.
        capacity : int
            Elements.
        bytes : int, default 4
            Of an element: 2 or 4.
        after_push, after_pop : Task, optional
            Local tasks. After a pop has found the FIFO empty, the first push activates after_push;
            after a push has found it full, the first pop activates after_pop.

        Returns
        -------
        Fifo
            The operand: ``pe.copy(f, v)`` pushes the elements of v, ``pe.copy(v, f)`` pops as many
            as v has.

        Raises
        ------
        Error
            Eight are taken, or another size of elements.

        Notes
        -----
        An operation over memory and a FIFO ends early where the FIFO is full or empty. One with a
        stream waits, if it is asynchronous. Of two sources a FIFO is the second, and multiply_add
        has none as destination.
        Cycles: none; a FIFO counts as memory of stride 1.
        """
    def instruction(self, op: str, d: PeScalar | Fifo | int = 0, a: PeScalar | Fifo | int = 0, b: PeScalar | Fifo | int = 0, immediate: int = 0) -> None:
        """Any instruction of docs/isa.md but branches, by its name.

        Parameters
        ----------
        op : str
            As "fcount".
        d, a, b : PeScalar, Fifo or int
            Its operands: registers, or numbers of registers, descriptors, colors and so on.
        immediate : int, default 0
            Its immediate.

        Raises
        ------
        UsageError
            No such instruction, a branch, or an operand that is none.
        Error
            A number that the instruction does not take.

        Notes
        -----
        Cycles: the cost in docs/isa.md.
        """
    @overload
    def vector(self, op: str, d: PeVector, a: PeVector, b: PeScalar) -> PeOperation: ...
    @overload
    def vector(self, op: str, d: PeVector, a: PeVector, b: PeVector | None = None) -> PeOperation:
        """Any vector instruction of docs/isa.md, by its name, over vectors.

        Parameters
        ----------
        op : str
            As "vxor16".
        d, a : PeVector
            Destination and first source.
        b : PeVector or PeScalar, optional
            The second source.

        Returns
        -------
        PeOperation
            The operation. The core goes on after it, if it is not made asynchronous.

        Raises
        ------
        UsageError
            No such instruction.
        Error
            No instruction takes these dtypes together, the sizes differ, or streams are the wrong
            way round.

        Notes
        -----
        Cycles: vector_start_cycles + n / rate, rounded up, with the rate in docs/isa.md.
        """
