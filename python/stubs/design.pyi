class Design:
    """The work of a fabric of width x height PEs: colors by name, routes, and programs.

    It belongs to this process: it cannot be copied or pickled. One thread at a time may use it.

    - Colors and entries: color, color_pair, control_entry
    - Routers: route, filter
    - Host streams: host_input, host_output
    - Programs: program, programs, listing
    - To run it: fabric

    Parameters
    ----------
    width, height : int
        PEs along x and y, 1 to 4096 each.

    Raises
    ------
    Error
        For a side that is not from 1 to 4096.
    UsageError
        For what is no whole number.
    """
    width: int
    """PEs of a row."""
    height: int
    """Rows of PEs."""
    all: Rect
    """The rectangle of all PEs."""
    programs: int
    """How many different programs the functions have written so far."""
    def __init__(self, width: int, height: int) -> None: ...
    @overload
    def color(self, name: str, number: int | None = None) -> Color: ...
    @overload
    def color(self, name: str, *, where: Where) -> Color:
        """A color that nobody has yet, or this one.

        Parameters
        ----------
        name : str
            Its owner, in errors.
        number : int, optional
            From 0 to 23.
        where : Rect, optional
            The only PEs that use it: rectangles that do not overlap may have the same color, as
            patterns do.

        Returns
        -------
        Color
            The color.

        Raises
        ------
        Error
            None is left, or this one is taken; it names the owners.
        """
    @overload
    def color_pair(self, name: str) -> ColorPair: ...
    @overload
    def color_pair(self, name: str, *, where: Where) -> ColorPair:
        """Two colors that differ in bit 0, for routes that swap them.

        Parameters
        ----------
        name : str
            Their owner, in errors.
        where : Rect, optional
            The only PEs that use them, as in color.

        Returns
        -------
        ColorPair
            The colors.

        Raises
        ------
        Error
            No such pair is left; it names the owners.
        """
    def control_entry(self, name: str, number: int | None = None) -> int:
        """The entry of a control task that nobody has yet, or this one.

        Parameters
        ----------
        name : str
            Its owner, in errors.
        number : int, optional
            From 0 to 63, but 31.

        Returns
        -------
        int
            For control_payload and PeProgram.on_control.

        Raises
        ------
        Error
            None is left, or this one is taken; it names the owners.
        """
    def route(self, where: Where, color: Color | int, **route: Any) -> None:
        """How the routers of a rectangle treat a color.

        Parameters
        ----------
        where : Rect
            The PEs; (x, y, width, height) does as well.
        color : Color or int
            One route for each PE and color.
        **route
            The arguments of Route: rx, tx and so on. A route to the ramp leads to the queue that
            the program there takes the color from.

        Raises
        ------
        Error
            A PE has two routes for the color, or one leads off the fabric.
        UsageError
            An argument that Route does not have.

        Notes
        -----
        Cycles: none: it is set before launch. A wavelet takes ``hop_cycles`` from router to router,
        and ``ramp_cycles`` between router and core.
        """
    def host_input(self, name: str, where: Where, edge: Port, color: Color | None = None) -> Color:
        """A stream of words from the host, which enters by a port that leads off the fabric.
        Fabric.send fills it.

        Parameters
        ----------
        name : str
            Its own; also the name of its color.
        where : Rect
            The PEs that it enters: a part of the outermost column or row on this side.
        edge : Port
            The side: west, east, south or north.
        color : Color, optional
            One whose routes open the port. Without it, the stream gets a color of its own, which
            leads to the cores of its PEs.

        Returns
        -------
        Color
            Its color.

        Raises
        ------
        Error
            The PEs are not at that edge, or the name or the color is taken there.
        """
    def host_output(self, name: str, where: Where, edge: Port, color: Color | None = None, *,
                    limit: int | None = None) -> Color:
        """A stream of words to the host, which leaves by a port that leads off the fabric.
        Fabric.receive takes them.

        Parameters
        ----------
        name : str
            Its own; also the name of its color.
        where : Rect
            The PEs that it leaves: a part of the outermost column or row on this side.
        edge : Port
            The side: west, east, south or north.
        color : Color, optional
            One whose routes, set after this, lead to the port. Without it, the stream gets a color
            of its own, on which the cores of its PEs send.
        limit : int, optional
            The most words that the host holds of each PE. Others wait in the fabric.

        Returns
        -------
        Color
            Its color.

        Raises
        ------
        Error
            The PEs are not at that edge, or the name or the color is taken there.
        """
    def filter(self, where: Where, color: Color | int,
               filter: CounterFilter | SparseCounterFilter | RangeFilter) -> None:
        """Keeps wavelets of a color from the cores of a rectangle.

        Parameters
        ----------
        where : Rect
            The PEs; (x, y, width, height) does as well.
        color : Color or int
            One filter for each PE and color, where a route leads to the core.
        filter : CounterFilter, SparseCounterFilter or RangeFilter
            The rule.

        Raises
        ------
        Error
            More than ``filters_per_pe`` filters of a PE, or two for a color.

        Notes
        -----
        Cycles: none: it is set before launch.
        """
    def program(self, where: Where, name: str, function: Callable[[PeProgram], object]) -> None:
        """The program of all PEs of a rectangle, written by one function.

        Parameters
        ----------
        where : Rect
            The PEs; (x, y, width, height) does as well.
        name : str
            Of the program, in errors.
        function : callable
            ``function(pe)`` writes it with the methods of PeProgram. It is called at once,
            and once more for each other combination of results of has_neighbor, where and pick. It
            must write the same whenever these results are the same.

        Raises
        ------
        Error
            A PE has two programs, or a program is invalid; exceptions of ``function`` are passed
            on.
        UsageError
            A loop or a condition has no ``with``.
        """
    def listing(self, x: int, y: int) -> str:
        """All that a PE has: memory, colors with their routes and queues, registers and code, by the
        names that the program and the design give them.

        Parameters
        ----------
        x, y : int
            The PE's column and row.

        Returns
        -------
        str
            Text for people: print it. Its form may differ between versions.

        Raises
        ------
        Error
            The PE is not on the mesh.
        UsageError
            For what is no whole number.
        """
    def fabric(self, machine: Machine = ..., *, threads: int = 1, engine: str = "host",
               progress: Callable[[int], object] | bool | None = None, data: bool = True,
               tally: bool = True, check: bool = False, observe: Observe | None = None,
               processes: object = None) -> Fabric:
        """The fabric, with the values at launch.

        Parameters
        ----------
        machine : Machine, optional
            By default the profile "wse2".
        threads : int, default 1
            CPU threads, at most one for four rows of PEs. Results do not depend on it.
        engine : str, default "host"
            "host", "cuda", "reference" (the plain, slow specification) or "auto".
        progress : callable or bool, optional
            ``progress(cycle)`` is called some ten times a second of a run; an exception ends it.
            True shows a bar (of tqdm, if it is there).
        data : bool, default True
            False: only the cycles, for programs whose control does not follow from data. Memory
            that vector instructions would have computed cannot be read.
        tally : bool, default True
            False: filters do not count what they let in, which only a deadlock's report shows.
        check : bool, default False
            True: mistakes with memory are looked for. A program that uses a vector which an
            asynchronous operation may still fill or read, without a wait in between, is an Error.
            That is looked for within a task, in subroutines that it calls, in tasks that it
            activates, in tasks that wavelets start, if the program never blocks them, and by views
            that a register moves, if they meet wherever it moves them. In the run, a vector
            operation over a view that a register has moved or strided out of its array, or whose
            count is not 0 to its size, is a fault, "check_failed"; load and store are not checked. When Fabric.run_until_idle ends, also in
            a deadlock, it is an Error if the PEs of a line have named different roots of a
            MovingBroadcast.
        observe : Observe, optional
            What to count, for Fabric.profile.
        processes : mpi4py.MPI.Comm, optional
            Processes that share the fabric, by rows of PEs, four together: all make this fabric and
            call its methods alike, and all get the results. Only where weft was built with MPI.

        Returns
        -------
        Fabric
            At cycle 0.

        Raises
        ------
        Error
            Programs, routes and values that do not go together, a program that does not fit in a
            PE, or too little memory on this host.
        UsageError
            An engine that there is not, or another argument that does not fit.

        Notes
        -----
        With ``check``, each view that a register moves or counts costs four scalar instructions
        more, and the end of one that is strided, or moved and counted, further ones.
        """

