class Observe:
    """What a fabric notes while it runs: for ``Design.fabric(observe=...)``. A value: equal to
    others of the same parts. Observing changes no result and no cycle; docs/model.md defines what
    is counted.

    Parameters
    ----------
    counts : bool, optional
        Of each PE, link, color and line of its program. By default True without events or with the
        path, else False.
    windows : int, default 128
        A power of two from 16 to 1024, or 0 for totals alone. Design.fabric refuses another number.
        Without counts it is 0.
    events : list of Events, optional
        What Fabric.trace writes: the union of these. The engine "cuda" emits none. On the host, a
        run with events has no accelerations.
    path : bool, default False
        The critical path, for Profile.path and Profile.explain; needs counts. The engine "cuda"
        finds none. On the host, such a run has no accelerations, unless it is stepped by line
        (Report.by_line).

    Raises
    ------
    UsageError
        For other than whole numbers and Events.
    """
    counts: bool
    """Of each PE, link, color and line of its program."""
    windows: int
    """Windows of time, which double in length as the run goes on; 0: only totals."""
    events: list[Events]
    """What Fabric.trace writes: the union of these."""
    path: bool
    """The critical path, for Profile.path."""
    def __init__(self, counts: bool | None = None, windows: int = 128,
                 events: list[Events] = [], path: bool = False) -> None: ...

class Profile:
    """What a fabric has counted since it was made: Fabric.profile. A value: it stays as it is when
    the fabric runs on, is equal to another of the same counts, and can be copied and pickled.

    Arrays are structured: their fields are named as the rows of the table of docs/model.md.
    """
    width: int
    """PEs along x."""
    height: int
    """PEs along y."""
    cycles: int
    """The clock, in cycles."""
    window_cycles: int
    """Length of a window of time, in cycles; the last one may be shorter. 0: there are none."""
    pes: NDArray[Any]
    """Counts of each PE, of shape (height, width): ``pes["computing"]`` are its cycles."""
    links: NDArray[Any]
    """Links of each PE, of shape (height, width, 4): west, east, south, north. Fields: wavelets,
    which are also the cycles in which the link was busy, and color, that of most of them (-1:
    none)."""
    windows: NDArray[Any]
    """Some of the counts in windows of time, of shape (windows, height, width)."""
    colors: dict[str | int, NDArray[Any]]
    """By name, or number where there is none, an array of shape (height, width). Colors of one name
    are together. Fields: west, east, south, north and ramp, the wavelets that left by a port, and
    held, in cycles."""
    machine: Machine
    """The machine that was emulated."""
    programs: list[str]
    """Names of the programs. A design writes one for each kind of PE: "halo", "halo (2)"."""
    program_of: NDArray[Any]
    """Of each PE the number in ``programs``, of shape (height, width); -1: none."""
    phases: dict[str, NDArray[Any]]
    """By name (PeProgram.phase), in the order in which they began, an array of shape (height,
    width). Fields: first and last, the cycles between which the PE was in it (if it never was,
    first is the largest number), then counts, named as those of ``pes``."""
    stuck: dict[str, Any] | None
    """Of an error's profile, who waits for whom: ``error``, ``causes`` (texts) and ``waits``, an
    array with a row for each thing that could not go on. Its fields: what, line, x, y, color (-1:
    none), cause (its number in ``causes``; -1: none), waits_for (a row; -1: none), and first, of
    causes that nothing else keeps."""
    path: NDArray[Any]
    """The critical path, if Observe.path asked for it: what the end of the run waited for, a row for
    each piece, from cycle 0 to the clock without gaps. Fields: from and to (cycles: the first one,
    and the one after the last), kind (as docs/model.md has them), x and y (the PE), to_x and to_y
    (on the way: the PE that it leads to), color (-1: none), instruction (of the PE's program; -1:
    none) and phase (its number in ``phases``; -1: none)."""
    def code(self, program: str) -> NDArray[Any]:
        """The instructions of a program.

        Parameters
        ----------
        program : str
            One of ``programs``.

        Returns
        -------
        ndarray
            A row for each. Fields: text, line (its line, by number; of those of ``lines`` if the
            name has one program), phase (its number in ``phases``; -1: none; -2: that of the code
            which called it), and cycles (of all PEs).

        Raises
        ------
        UsageError
            There is no such program; it names the nearest.
        """
    def tasks(self, program: str) -> NDArray[Any]:
        """The tasks of a program.

        Parameters
        ----------
        program : str
            One of ``programs``.

        Returns
        -------
        ndarray
            A row for each. Fields: kind ("data", "local", "control"), number (of data tasks the
            color), name ("": none), and entry (its first instruction).

        Raises
        ------
        UsageError
            There is no such program; it names the nearest.
        """
    def arrays(self, program: str) -> NDArray[Any]:
        """The named memory of a program.

        Parameters
        ----------
        program : str
            One of ``programs``.

        Returns
        -------
        ndarray
            A row for each. Fields: name, address and bytes, type and extents (a tuple).

        Raises
        ------
        UsageError
            There is no such program; it names the nearest.
        """
    def route(self, color: str | int, x: int, y: int) -> Route | None:
        """How the router of a PE treats a color.

        Parameters
        ----------
        color : str or int
            Its name, or its number.
        x, y : int
            The PE.

        Returns
        -------
        Route or None
            The route, if it has one.

        Raises
        ------
        UsageError
            There is no such color or PE.
        """
    def lines(self, program: str) -> NDArray[Any]:
        """The cycles of the lines of a program, in which a task held its core.

        Parameters
        ----------
        program : str
            As in Design.program.

        Returns
        -------
        ndarray
            A row for each operation; those of the same words are one, and so are a program's
            instructions without words. Fields: first (instruction), what, where, cycles (of all
            PEs), most (of one PE), x and y (that PE).

        Raises
        ------
        UsageError
            There is no such program; it names the nearest.
        """
    def explain(self) -> Explanation:
        """Where the cycles of the run went, from its counts, and what can be done: docs/observing.md.

        Returns
        -------
        Explanation
            Of each phase the least that it can take, and findings: print it.
        """
    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a file, ``run.weft``, that ``numpy.load`` reads and load_profile gives back. It
        appears whole or not at all.

        Parameters
        ----------
        path : str or path
            Its place.

        Raises
        ------
        OSError
            The file cannot be written.
        """
    def heatmap(self, metric: str, path: str | os.PathLike[str], window: int | None = None) -> None:
        """Draws a count by PE with axes and a color bar, by gnuplot. The file appears whole or not
        at all. Of large meshes it has the largest value of each block of PEs.

        Parameters
        ----------
        metric : str
            "busiest link", of each PE the link with the most wavelets, or the name of a count.
        path : str or path
            Its place: a .png file, or an .apng file, which shows each window of time in turn.
        window : int, optional
            Only this window of time, from 0 on.

        Raises
        ------
        OSError
            The file cannot be written, or gnuplot is not installed.
        UsageError
            There is no such metric (it names the nearest) or window, or path is no picture.
        """
    def page(self, path: str | os.PathLike[str], against: Profile | None = None,
             limit: int = 67108864) -> None:
        """Writes the run as a page: one HTML file that any browser shows, without a network. It
        appears whole or not at all. In a notebook, a profile that is the last value of a cell is
        shown so.

        Parameters
        ----------
        path : str or path
            Its place, such as ``run.html``.
        against : Profile, optional
            Another run of the same mesh: the page then shows what differs.
        limit : int, default 64 MiB
            Bytes. A longer page is written with windows of twice the length, and says so.

        Raises
        ------
        OSError
            The file cannot be written.
        UsageError
            The runs have different meshes, or even a page without windows is longer than the limit.
        """

def load_profile(path: str | os.PathLike[str]) -> Profile:
    """Reads a file of Profile.save.

    Parameters
    ----------
    path : str or path
        The file.

    Returns
    -------
    Profile
        As it was saved.

    Raises
    ------
    OSError
        The file cannot be read.
    UsageError
        It is no archive, or it is cut.
    Error
        It is no run, or of another format.
    """
