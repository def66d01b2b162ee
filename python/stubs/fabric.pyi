class Counters:
    """Counts since a fabric was made. A value: equal to others of the same counts."""
    cycle: int
    """The clock, in cycles."""
    wavelets: int
    """Wavelets that cores put on the fabric."""
    hops: int
    """Links crossed, over all wavelets."""
    delivered: int
    """Wavelets handed to cores."""
    filtered: int
    """Wavelets that filters refused."""
    def as_dict(self) -> dict[str, Any]:
        """The counts as a dictionary.

        Returns
        -------
        dict
            By name.
        """

class Printed:
    """A value that a program has printed. A value: equal to others of the same parts."""
    cycle: int
    """The clock when it was printed."""
    x: int
    """Column of the PE."""
    y: int
    """Row of the PE."""
    name: str
    """As in PeProgram.print."""
    value: float
    """The number."""
    text: str
    """Its digits, as printed shows them."""
    def as_dict(self) -> dict[str, Any]:
        """The parts as a dictionary.

        Returns
        -------
        dict
            By name.
        """

class Phase:
    """A part of a run. A value: equal to others of the same parts."""
    name: str
    """The work that is done in it."""
    communication: bool
    """Whether it moves numbers between PEs (butterflies compute beside that)."""
    cycles: int
    """Its length, in cycles."""
    def as_dict(self) -> dict[str, Any]:
        """The parts as a dictionary.

        Returns
        -------
        dict
            By name.
        """

class Report:
    """The time and traffic of a fabric's runs. A value: it stays as it is when the fabric runs on,
    and can be compared, copied and pickled."""
    cycles: int
    """Of all runs of the fabric, in cycles."""
    phases: list[Phase]
    """The cycles in each phase of the program (PeProgram.phase), in order, if the fabric counts
    (``observe``); else empty. Those of the PE that was in one last."""
    counters: Counters
    """Traffic, in wavelets."""
    pe_cycles: int
    """Cycles times PEs."""
    time_us: float
    """``cycles`` at the machine's clock, in microseconds."""
    wall_seconds: float
    """Of this host, in runs, in seconds: without building, writing and reading."""
    skipped_cycles: int
    """Cycles in which nothing could move, so that nobody stepped them. It may differ between
    engines, threads and versions."""
    busiest_link: int | None
    """None: only transforms count by link (FftReport)."""
    busiest_ramp: int | None
    """None, as busiest_link."""
    peak_share: float | None
    """None: only of transforms is the count of operations known."""
    by_line: bool
    """Whether rows and columns were stepped apart."""
    engine: str
    """The engine that stepped it."""
    profile: Profile | None
    """Of a transform's round trips, what was counted; of a fabric, see Fabric.profile."""
    def as_dict(self) -> dict[str, Any]:
        """The parts as a dictionary, as for pandas or json; without the profile.

        Returns
        -------
        dict
            By name. Counters and phases are dictionaries too.
        """

class Fabric:
    """An emulated fabric. Design.fabric makes it.

    Runs release the GIL, and Ctrl-C stops them. One thread at a time may use it. It belongs to this
    process: it cannot be copied or pickled.

    - Memory: write, read, scatter, gather, save, load
    - Host streams: send, receive, host_words
    - Runs: run_until_idle, run, activate
    - What happened: prints, printed, cycle, counters, report, profile, trace, skipped_cycles,
      engine
    """
    cycle: int
    """The clock, in cycles."""
    skipped_cycles: int
    """Cycles in which nothing could move, so that nobody stepped them."""
    engine: str
    """The engine that steps it: "host", "cuda" or "reference"."""
    counters: Counters
    """Traffic since the fabric was made."""
    report: Report
    """Time and traffic of its runs."""
    def profile(self) -> Profile:
        """What was counted since the fabric was made, after a fault or a deadlock too.

        Returns
        -------
        Profile
            By PE, link, color, line and window of time.

        Raises
        ------
        UsageError
            The fabric was made without ``observe``, or another thread uses it.
        """
    def trace(self, path: str | os.PathLike[str], limit: int = 268435456) -> Trace:
        """Writes the events that ``observe`` asks for to a file, from now on until it is closed::

            with fabric.trace("run.pftrace.gz"):
                fabric.run_until_idle()

        Parameters
        ----------
        path : str or path
            Its suffix tells the format: .pftrace (for ui.perfetto.dev), .json (Chrome's trace
            events), .npy (a structured array: cycle, x, y, kind, number, from, value) or .log (a
            line each); all but .npy may be compressed (.pftrace.gz).
        limit : int, default 268435456
            Bytes of the file, about: then the run goes on, and events lack (Trace.lacks_from).

        Returns
        -------
        Trace
            To be closed, or to be used as a context manager.

        Raises
        ------
        UsageError
            The fabric emits no events, another suffix, or another thread uses it.
        OSError
            The file cannot be written.
        """
    def write(self, where: Where, symbol: str, array: ArrayLike) -> None:
        """Writes a symbol of the PEs of a rectangle.

        Parameters
        ----------
        where : Rect
            The PEs; (x, y, width, height) does as well.
        symbol : str
            As in PeProgram.array.
        array : array_like
            Of the symbol's dtype and of shape (height, width, elements), or with the dimensions
            of PeProgram.array in place of elements; of one PE any shape of as many elements. One
            number fills all of them. Numbers of Python take the dtype, if it can hold them.

        Raises
        ------
        UsageError
            No such symbol, another dtype or shape, numbers that the dtype cannot hold, or a fabric
            that another thread uses.

        Notes
        -----
        Cycles: none: the host does it between runs.
        """
    def read(self, where: Where, symbol: str) -> NDArray[Any]:
        """Reads a symbol of the PEs of a rectangle.

        Parameters
        ----------
        where : Rect
            The PEs; (x, y, width, height) does as well.
        symbol : str
            As in PeProgram.array.

        Returns
        -------
        ndarray
            Of the symbol's dtype: rows of PEs, PEs of a row, and the dimensions of
            PeProgram.array. An array of 8 x 8 elements has the shape (height, width, 8, 8). Where
            PEs declare different dimensions, it is (height, width, elements).

        Raises
        ------
        UsageError
            No such symbol, memory that a fabric without data has not computed, or a fabric that
            another thread uses.

        Notes
        -----
        Cycles: none: the host does it between runs.
        """
    def scatter(self, where: Where, symbol: str, array: ArrayLike, halo: int = 0) -> None:
        """Divides one array among the PEs of a rectangle, a block for each.

        Parameters
        ----------
        where : Rect
            The PEs; (x, y, width, height) does as well.
        symbol : str
            As in PeProgram.array: its dimensions are those of a block. One dimension is a row.
        array : array_like
            Of the symbol's dtype. Of r x c x n elements in each PE it has the shape
            (height r, width c, n): rows along y, columns along x, other dimensions in each PE.
        halo : int, default 0
            Elements around each block, in its first two dimensions, that are not part of the array
            and stay as they are.

        Raises
        ------
        UsageError
            No such symbol, another dtype or shape, or a fabric that another thread uses.

        Notes
        -----
        Cycles: none: the host does it between runs.
        """
    def gather(self, where: Where, symbol: str, halo: int = 0) -> NDArray[Any]:
        """Puts the blocks of a rectangle's PEs together to one array.

        Parameters
        ----------
        where : Rect
            The PEs; (x, y, width, height) does as well.
        symbol : str
            As in PeProgram.array: its dimensions are those of a block. One dimension is a row.
        halo : int, default 0
            Elements around each block, in its first two dimensions, that are left out.

        Returns
        -------
        ndarray
            Of the symbol's dtype, as for scatter.

        Raises
        ------
        UsageError
            No such symbol, memory that a fabric without data has not computed, or a fabric that
            another thread uses.

        Notes
        -----
        Cycles: none: the host does it between runs.
        """
    def send(self, stream: str, words: ArrayLike) -> None:
        """Appends words to those that the host has for a stream (Design.host_input). They enter the
        fabric in the runs that follow.

        Parameters
        ----------
        stream : str
            Its name.
        words : array_like
            Of shape (PEs, words), row by row of its PEs; of one PE (words,) does as well. float32,
            uint32 or int32; Python's own numbers are float32.

        Raises
        ------
        UsageError
            There is no such stream (it names the nearest), or the shape or type is another.
        """
    def receive(self, stream: str, words: int | None = None,
                dtype: DTypeLike = "float32") -> NDArray[Any]:
        """Takes the oldest words that have come from each PE of a stream (Design.host_output).

        Parameters
        ----------
        stream : str
            Its name.
        words : int, optional
            Of each PE. Without it, as many as each PE has sent at least; others stay.
        dtype : dtype
            float32, uint32 or int32.

        Returns
        -------
        array
            Of shape (PEs, words).

        Raises
        ------
        UsageError
            There is no such stream, a PE has sent fewer, or the fabric runs without data.
        """
    def host_words(self, stream: str) -> list[int]:
        """The words of each PE of a stream that the host holds: of an input those that have not
        entered, of an output those that were not received.

        Parameters
        ----------
        stream : str
            Its name.

        Returns
        -------
        list
            By PE, row by row.

        Raises
        ------
        UsageError
            There is no such stream.
        """
    def activate(self, where: Where, task: str) -> None:
        """Activates a local task in each PE of a rectangle, from the host.

        So the host drives a program in steps: the next run goes on from the present clock. Memory,
        registers and descriptors are as the program left them.

        Parameters
        ----------
        where : Rect
            The PEs; (x, y, width, height) does as well.
        task : str
            As in PeProgram.task; "main" is the code outside of tasks, which then begins anew.

        Raises
        ------
        UsageError
            A PE without such a task (the error has the nearest name) or with two, or a fabric that
            another thread uses.
        FaultError
            The last run has faulted.

        Notes
        -----
        Cycles: none: the host does it between runs. An idle core takes the task in the first cycle
        of the next run, and its first instruction comes ``task_start_cycles`` later.
        """
    def run_until_idle(self, limit: int = 1_000_000_000) -> None:
        """Steps until nothing is left to do.

        Parameters
        ----------
        limit : int, default 10**9
            The clock at which a run that is not done gives up, in cycles.

        Raises
        ------
        FaultError
            The program does what the machine does not allow; each further run raises it again.
        DeadlockError
            Nothing can move any more, and work is left.
        LimitError
            The clock has come to the limit.
        UsageError
            A limit that is negative or no whole number, or a fabric in use.
        """
    def run(self, cycles: int) -> Literal["limit", "idle", "stuck"]:
        """Steps so many cycles, or fewer if nothing is left to do.

        Parameters
        ----------
        cycles : int
            From now on.

        Returns
        -------
        str
            "limit": all were stepped, and there is more to do. "idle": nothing is left.
            "stuck": nothing can move any more; the error of run_until_idle says why.

        Raises
        ------
        FaultError
            The program does what the machine does not allow.
        UsageError
            Cycles that are negative or no whole number, or a fabric in use.
        """
    def save(self, file: str | os.PathLike[str]) -> None:
        """Saves the named memory of all PEs: each symbol of each rectangle with one program.

        Parameters
        ----------
        file : path
            For numpy.savez: the ending .npz is added if it is not there.

        Raises
        ------
        UsageError
            Memory that a fabric without data has not computed, or a fabric in use.
        OSError
            The file cannot be written.

        Notes
        -----
        Cycles: none. The clock, registers, wavelets and the words of host streams are not saved.
        """
    def load(self, file: str | os.PathLike[str]) -> None:
        """Writes the memory that a fabric of the same design has saved.

        Parameters
        ----------
        file : path
            As of save, with its ending.

        Raises
        ------
        UsageError
            Other programs, places of programs or arrays than in the file, or a fabric in use.
        OSError
            The file cannot be read.

        Notes
        -----
        Cycles: none: the host does it between runs.
        """
    def prints(self) -> list[Printed]:
        """The values that programs have printed (PeProgram.print).

        Returns
        -------
        list of Printed
            By cycle, then by row and column; of each PE the last ones that its program keeps.

        Raises
        ------
        UsageError
            A fabric in use.

        Notes
        -----
        Cycles: none: the host does it between runs.
        """
    def printed(self) -> str:
        """The same as text.

        Returns
        -------
        str
            Lines such as "cycle 1,234 PE (3, 0): rr = 0.25".

        Raises
        ------
        UsageError
            A fabric in use.

        Notes
        -----
        Cycles: none: the host does it between runs.
        """
