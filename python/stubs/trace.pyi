class Events:
    """Events that a fabric is to emit, for ``Observe(events=[...])``: those for which all of this
    holds. A value: equal to others of the same parts. docs/model.md defines the kinds.

    Parameters
    ----------
    pes : Rect, optional
        The PEs; (x, y, width, height) does as well. By default all.
    kinds : list of str, optional
        "wavelet" ("sent", "hop", "delivered", "refused", "held"), "switch", "task", "microthread",
        "instruction" or "fault". By default all.
    colors : list of str or int, optional
        Of wavelets and switches, those of these colors, by name or number. By default all.
    cycles : (int, int or None), optional
        The first cycle, and the one after the last. By default all.

    Raises
    ------
    UsageError
        For an unknown kind, with the nearest one, and for what is no whole number.
    """
    pes: Rect | None
    """The PEs; None: all."""
    kinds: list[str]
    """Kinds by name; none: all."""
    colors: list[str]
    """Names or numbers; none: all."""
    cycles: tuple[int, int | None]
    """The first cycle, and the one after the last."""
    def __init__(self, pes: Where | None = None, kinds: list[str] = [],
                 colors: list[str | int] = [],
                 cycles: tuple[int, int | None] | None = None) -> None: ...

class Trace:
    """A file that takes the events of a fabric while it runs: Fabric.trace. As a context manager it
    is closed at the end, after an exception too. It belongs to this process.
    """
    events: int
    """Events in the file; 0 until it is closed."""
    bytes: int
    """Its size; 0 until it is closed."""
    lacks_from: int | None
    """The cycle from which on events lack, because the file came to its limit. None: it has all."""
    def close(self) -> None:
        """The file appears, whole; events that come later are lost.

        Raises
        ------
        OSError
            The file cannot be written.
        UsageError
            Another thread uses the fabric.
        """
    def __enter__(self) -> Trace: ...
    def __exit__(self, *exception: object) -> None: ...

