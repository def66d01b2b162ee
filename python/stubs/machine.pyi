class Machine:
    """The constants of an emulated machine. The defaults are the profile "wse2".

    A machine is a value: equal to another of the same constants, hashable, and it can be pickled.
    Each constant is an attribute; its docstring has unit, origin and meaning, and
    docs/machine-profile.md lists them all.

    Parameters
    ----------
    name : str, optional
        A label of your own.
    **constants : int
        The constants that differ from the default, as ``Machine(hop_cycles=2)``.

    Raises
    ------
    UsageError
        For an unknown constant (it names the nearest one), or a value out of its range.
    """
    name: str
    """The label of the profile."""
    def __init__(self, *, name: str = ..., **constants: int) -> None: ...
    def __getattr__(self, constant: str) -> int: ...

def _available_cores() -> int:
    """CPU cores that this process may use."""

def machine(name_or_path: str | os.PathLike[str]) -> Machine:
    """A machine profile, by its name or from a file.

    Parameters
    ----------
    name_or_path : str or path
        "wse2", "wse2-simfab" (hops of two cycles, as the vendor's simulator), "wse2-pencils"
        (moves and branches as wsFFT's authors measured them), or the path of a JSON file
        ``{"name": "...", "<constant>": <integer>, ...}``.

    Returns
    -------
    Machine
        Constants that a file does not name keep their default.

    Raises
    ------
    UsageError
        There is no such profile, and no such file; the nearest profile is named.
    Error
        The file cannot be read, or is no profile.
    """
