class Least:
    """A lower bound of cycles, and the place that it holds for. A value."""
    cycles: int
    """Cycles."""
    x: int
    """Column of the PE."""
    y: int
    """Row of the PE."""
    port: Port
    """Of links, the way out of the PE."""

class PhaseExplanation:
    """What a phase, or the whole run, took, and below what it cannot come. A value."""
    name: str
    """Empty: the whole run."""
    took: int
    """Cycles, of the PE that was in it longest."""
    link: Least
    """The fullest link: a wavelet a cycle."""
    core: Least
    """The core that computes and moves most."""
    ramp: Least
    """The fullest ramp, in one of its two directions."""
    way: int
    """Cycles of a wavelet along the longest way that was used."""
    computing: float
    """Of the cycles of its PEs, 0 to 1."""
    moving: float
    """Of the cycles of its PEs, 0 to 1."""
    waits_data: float
    """Of the cycles of its PEs, 0 to 1."""
    waits_room: float
    """Of the cycles of its PEs, 0 to 1."""
    idle: float
    """Of the cycles of its PEs, 0 to 1."""

class Finding:
    """Something that a run's cycles go to. A value."""
    kind: str
    """"tasks of streams", "nothing overlaps", "shallow queues", "shared ramp", "slow PE", "full link",
    "computing" or "idle at the end"."""
    what: str
    """A sentence without its end."""
    cycles: int
    """Cycles that can be saved at most."""
    share: float
    """Of the run, 0 to 1."""
    phase: str
    """Empty: the whole run."""
    x: int
    """Column of a PE to look at; -1: none."""
    y: int
    """Row of that PE."""
    color: int
    """-1: none is involved."""
    line: str
    """Of the program; empty: none."""
    advice: str
    """A sentence without its end."""

class Explanation:
    """Where the cycles of a run went: Profile.explain. A value, which is printed as text."""
    cycles: int
    """Of the run."""
    phases: list[PhaseExplanation]
    """The whole run first."""
    findings: list[Finding]
    """Those with the most cycles first; last the places that are busy most of the time."""
    text: str
    """All of it in words, with who waits for whom in a run that stood still."""
