class Error(RuntimeError):
    """Raised by Weft. The message reads "problem (reason); remedy".

    Attributes
    ----------
    category : str
        The one to blame: "usage", "program", "layout", "input", "machine profile",
        "environment" or "emulator".
    problem, reason, remedy : str
        The mistake, its cause, and what to do. Any may be empty.
    """
    category: str
    problem: str
    reason: str
    remedy: str

class UsageError(Error, ValueError):
    """An argument that does not fit: also a ValueError. Attributes as Error."""

class CallError(UsageError, TypeError):
    """A call that does not fit a function: a name, a type, or a number of too many bits. Also a
    TypeError. Attributes as Error."""

class FaultError(Error):
    """The emulated program has faulted.

    Attributes
    ----------
    kind : str
        One of the faults of docs/model.md, such as "memory_out_of_range".
    cycle : int
        The clock when it happened.
    pe : tuple of int
        Column and row of the PE.
    color : int or None
        The color that is involved.
    category, problem, reason, remedy : str
        As Error.
    """
    kind: str
    cycle: int
    pe: tuple[int, int]
    color: int | None

class DeadlockError(FaultError):
    """Nothing can move any more, and work is left.

    Attributes
    ----------
    explanation : str
        The whole report, of several lines: first causes, and the way from them to all that waits.
    profile : Profile or None
        What was counted up to there, with who waits for whom (Profile.stuck), where the fabric
        counts.
    kind, cycle, pe, color, category, problem, reason, remedy
        As FaultError.
    """
    explanation: str
    profile: Profile | None

class LimitError(FaultError):
    """The run is not done at its limit.

    Attributes
    ----------
    waits : int
        How many things wait.
    profile : Profile or None
        As of DeadlockError.
    kind, cycle, pe, color, category, problem, reason, remedy
        As FaultError.
    """
    waits: int
    profile: Profile | None
