class FftEstimate:
    """All that a run of an FftPlan will take, estimated before it. A value."""
    mesh: tuple[int, int]
    """PEs along x and y."""
    division: str
    """Of the array among the PEs, in words: the pencils of a PE (wsfft: superstep by superstep)."""
    rounds: int
    """Runs one after the other that a batch takes."""
    pe_bytes: int
    """Of each PE's memory, in bytes: numbers, coefficients and program."""
    root_bytes: int
    """Of these, tables of roots of unity or of coefficients."""
    shapes: int
    """Shapes of vectors of several dimensions in a PE's program, which has at most 256."""
    colors: int
    """Colors that are routed."""
    filters: int
    """Filters of a PE, at most."""
    host_bytes: int
    """Of this host's memory, in bytes, about."""
    cycles: int
    """Expected, in cycles, from runs of its parts on the same machine."""
    phases: list[Phase]
    """Expected, by step, in order."""
    published_cycles: int
    """The same by formula, for the default machine, in cycles: of wsfft by the paper's, of s3dft by
    Weft's own (docs/algorithms.md)."""

class FftFastest:
    """The transposes and pencils with which a plan takes the fewest cycles. A value."""
    transpose: str
    """The form of the transposes: "automatic", "ring" or "halves"."""
    pencil: str
    """The algorithm for an axis in a PE."""
    cycles: int
    """Expected, in cycles."""
    mesh: tuple[int, int]
    """The PEs that they take, (x, y)."""

class FftReport:
    """Cycles, traffic and error of a transform. It can be compared, copied and pickled; it has no
    hash, because ``error`` may be set."""
    cycles: int
    """Of the whole transform, in cycles: those of the PE that ends last."""
    phases: list[Phase]
    """By step, in order."""
    counters: Counters
    """Traffic, in wavelets."""
    time_us: float
    """``cycles`` at the machine's clock, in microseconds."""
    wall_seconds: float
    """Of this host, in seconds."""
    engine: str
    """The engine that stepped it."""
    compute_cycles: int
    """Of steps that compute, in cycles; of s3dft with the rolls that go on meanwhile."""
    communication_cycles: int
    """Of transposes, in cycles; of s3dft of alignments; of butterflies, which compute too."""
    tflops: float
    """10**12 operations a second: 5 n log2 n operations (2.5 of real numbers) in ``time_us``. Those
    of an FFT, whatever the algorithm computes."""
    busiest_link: int | None
    """Wavelets on the link that carries most, in one direction, by count of the program: engines
    count no links. None where the sums of that count are not the fabric's counters."""
    busiest_ramp: int | None
    """The same of the ramp between a router and its core, in one direction."""
    peak_share: float
    """Operations over those of a multiply-add in each PE and cycle in FP32, four in FP16. FP16
    reaches two, as a multiply-add reads its destination too."""
    profile: Profile | None
    """What was counted, if ``observe`` asked for it; of several rounds, in the last one."""
    mesh: tuple[int, int]
    """PEs along x and y."""
    rounds: int
    """Runs one after the other that a batch took."""
    transpose: str | None
    """The form of the transpose that was taken: "published", "interlocked", "ring" or "halves". None
    of s3dft, which has no transposes."""
    error: float | None
    """Relative L2 error against numpy.fft in double precision, if it was asked for."""
    error_bound: float
    """Relative L2 error that it may have (docs/accuracy.md)."""
    def as_dict(self) -> dict[str, Any]:
        """The parts as a dictionary, as for pandas or json.

        Returns
        -------
        dict
            By name. Counters and phases are dictionaries too.
        """

class FftPlan:
    """Transforms of arrays of one shape, as weft.fft and the like make for each call.

    A plan does not change: several threads may run one at the same time. A value: plans of the same
    arguments are equal, and it can be copied and pickled, if its progress function can, and
    its processes.

    Parameters
    ----------
    shape : sequence of int
        One to four sides, 2^a 3^b 5^c from 2 to 4096; an only side up to 2**24. (Of s3dft: see
        algorithm.)
    precision : str or dtype, default "fp32"
        "fp32" or numpy.float32, "fp16" or numpy.float16: of the arithmetic.
    norm : str, default "backward"
        "backward", "ortho" or "forward", as numpy.fft.
    kind : str, default "complex"
        "complex", or "real": forward gives half of the spectrum as numpy.fft.rfftn, and inverse
        takes it.
    machine : Machine, optional
        By default the profile "wse2".
    mesh : tuple of int, optional
        PEs along x and y, up to the sides; by default as many as can be, and for sides that are no
        powers of two those with the fewest cycles by estimate. docs/transforms.md has the rules.
    batch : int, default 1
        Arrays of a run, as its first axis; as many side by side as the mesh has room for.
    threads : int, default 1
        CPU threads. Results do not depend on it.
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
        sides from 2 to 4096. transpose and pencil are of wsfft.
    s3dft_form : str, default "held"
        Of s3dft: "held", where a PE takes the coefficients from a table, "cannon", where blocks of
        them go round rings too, or "cubes", the same by p^3 nodes in tiles, for three equal sides.
    back : bool, default False
        Of wsfft: a last transpose takes the numbers back to where they were. Of complex arrays of two
        axes of one length, on a line of PEs.
    fastest_for : str, default "forward"
        "forward", "inverse" or "both" (round trips): whose cycles count for "fastest".
    observe : Observe, optional
        Count what PEs, links and lines do, for the report's ``profile``.
    progress : callable, optional
        ``progress(cycle, expected)`` is called some ten times a second; an exception ends the run.
    processes : mpi4py.MPI.Comm, optional
        Processes that share the fabric, by rows of PEs: all make this plan and call its methods
        alike, and all get the results. Only where weft was built with MPI.
    parts : bool, default False
        Of several processes each gives and gets its part of the arrays only (``input_part()``,
        ``output_part()``). One process has all, and ``plan.parts`` is False.

    Raises
    ------
    UsageError
        A shape, mesh or other argument that cannot be planned.
    Error
        The program does not fit on the machine, or this host has too little memory.
    """
    shape: tuple[int, ...]
    """Sides of an array."""
    mesh: tuple[int, int]
    """PEs along x and y."""
    batch: int
    """Arrays of a run."""
    parts: bool
    """Processes have parts of the arrays."""
    def __init__(self, shape: Sequence[int], precision: str | DTypeLike = "fp32", *,
                 norm: str = "backward", kind: str = "complex", machine: Machine = ...,
                 mesh: tuple[int, int] | None = None, batch: int = 1, threads: int = 1,
                 engine: str = "auto", transpose: str = "automatic", pencil: str = "automatic",
                 algorithm: str = "wsfft", s3dft_form: str = "held",
                 back: bool = False, fastest_for: str = "forward", observe: Observe | None = None,
                 progress: Callable[[int, int], object] | None = None,
                 processes: object = None, parts: bool = False) -> None: ...
    def input_part(self, direction: str = "forward", rank: int | None = None) -> FftPart:
        """What a process gives of the arrays to ``run``; all, where ``parts`` is False.

        Parameters
        ----------
        direction : str, default "forward"
            "forward" or "inverse".
        rank : int, optional
            Of the process, this one by default.

        Returns
        -------
        FftPart
            The axis, the ranges of indices along it, and the shape of the process's array.

        Raises
        ------
        UsageError
            Another direction, or a rank that no process has.
        """
    def output_part(self, direction: str = "forward", rank: int | None = None) -> FftPart:
        """What a process gets of the arrays from ``run``; all, where ``parts`` is False.

        Parameters
        ----------
        direction : str, default "forward"
            "forward" or "inverse".
        rank : int, optional
            Of the process, this one by default.

        Returns
        -------
        FftPart
            The axis, the ranges of indices along it, and the shape of the process's array.

        Raises
        ------
        UsageError
            Another direction, or a rank that no process has.
        """
    def estimate(self, direction: str = "forward") -> FftEstimate:
        """The resources that a run will take, without running it.

        Parameters
        ----------
        direction : str, default "forward"
            "forward" or "inverse".

        Returns
        -------
        FftEstimate
            Memory, colors, filters and expected cycles.

        Raises
        ------
        Error
            The exchanges that it rests on do not end on this machine, or take too long.
        UsageError
            Another direction.
        """
    def fastest(self, direction: str = "forward") -> FftFastest:
        """The transposes and the pencils with the fewest cycles, by estimate: on the mesh that was
        asked for, or else each on the one that a plan takes with it.

        Parameters
        ----------
        direction : str, default "forward"
            "forward" or "inverse".

        Returns
        -------
        FftFastest
            Of those that fit in a PE.

        Raises
        ------
        Error
            The exchanges that it rests on do not end on this machine, or take too long.
        UsageError
            Another direction.
        """
    def round_trips(self, x: ArrayLike, times: int, symbol: ArrayLike | None = None
                    ) -> FftTrips:
        """Transforms, multiplies and transforms back, in one program.

        Parameters
        ----------
        x : array_like
            A cube of the plan's shape.
        times : int
            Round trips without the host in between: forward, a product with the symbol, inverse.
        symbol : array_like, optional
            Factors, of the plan's shape, in natural order; by default there is no product.

        Returns
        -------
        FftTrips
            The numbers after the last trip, complex64, the cycles of each trip, and a report.

        Raises
        ------
        UsageError
            An array of another shape, or a plan that is not of a single cube, or has ``parts``.
        Error
            The symbol does not fit in the PEs.
        LimitError
            After 2**32 cycles.
        """
    def run(self, x: ArrayLike,
            direction: str = "forward") -> FftResult:
        """Transforms an array.

        Parameters
        ----------
        x : array_like
            Integers, floats or complex numbers of the plan's shape, with the batch as a first axis;
            with ``parts``, of the shape ``input_part(direction).shape``.
        direction : str, default "forward"
            "forward" or "inverse".

        Returns
        -------
        FftResult
            The transform, or this process's part of it, complex64 (float32 of a real inverse), and
            its cycles and traffic.

        Raises
        ------
        UsageError
            An array of another shape, or numbers that are not real where the plan is for real ones.
        FaultError
            The emulated program faults.
        """

def _why_no_fft(sides: Sequence[int], kind: str) -> str:
    """Why no array of these sides can be transformed; empty if one can."""
