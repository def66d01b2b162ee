class Port:
    west: Port
    east: Port
    south: Port
    north: Port
    ramp: Port

class PopMode:
    no_pop: PopMode
    always_pop: PopMode
    pop_on_advance: PopMode
    pop_on_advance_nop: PopMode

class Rect:
    """A rectangle of PEs. x grows to the east, y to the south; (0, 0) is north-west.

    Where a rectangle is wanted, a tuple or list ``(x, y, width, height)`` does as well. A value:
    equal to another of the same numbers, hashable, and it can be pickled.

    Parameters
    ----------
    x, y : int
        Column and row of its first PE.
    width, height : int, default 1
        Columns and rows of PEs.

    Raises
    ------
    UsageError
        For other than four whole numbers.
    """
    x: int
    """Column of its first PE."""
    y: int
    """Row of its first PE."""
    width: int
    """Columns of PEs."""
    height: int
    """Rows of PEs."""
    @overload
    def __init__(self, x: int, y: int, width: int = 1, height: int = 1) -> None: ...
    @overload
    def __init__(self, numbers: Sequence[int]) -> None: ...

class Color:
    """A virtual channel of the fabric. Design.color hands them out.

    Where a color is wanted, its number does as well. A value: equal to another of the same number.

    Parameters
    ----------
    number : int
        From 0 to 23.

    Raises
    ------
    UsageError
        For what is no whole number.
    """
    number: int
    """From 0 to 23."""
    def __init__(self, number: int) -> None: ...

class ColorPair:
    """Two colors that differ in bit 0, for routes that swap them: Design.color_pair. A value."""
    even: Color
    """The one with bit 0 clear."""
    odd: Color
    """The other one."""

class CounterFilter:
    """Keeps wavelets from a core by counting them. A value.

    A wavelet is accepted if counter <= max_counter. A counted one then sets the counter to 0 if it
    was at limit1, else one further: of each limit1 + 1 counted wavelets, max_counter + 1 come in.

    Parameters
    ----------
    counter, limit1, max_counter : int, default 0
        In wavelets; 32 bits.
    count_data, count_control : bool
        Which wavelets are counted; by default data.
    filter_control : bool, default False
        Control wavelets are accepted only at counter = max_counter.

    Raises
    ------
    UsageError
        For a number that is negative or does not fit 32 bits.
    """
    counter: int
    """At launch, in wavelets."""
    limit1: int
    """At this count the counter goes back to 0."""
    max_counter: int
    """The last count at which a wavelet is accepted."""
    count_data: bool
    """Whether data wavelets are counted."""
    count_control: bool
    """Whether control wavelets are counted."""
    filter_control: bool
    """Whether control wavelets are accepted only at max_counter."""
    def __init__(self, *, counter: int = 0, limit1: int = 0, max_counter: int = 0,
                 count_data: bool = True, count_control: bool = False,
                 filter_control: bool = False) -> None: ...

class SparseCounterFilter:
    """As CounterFilter, for a while. A value.

    At limit1 the limit becomes limit2, once. Then, or without limit2, the filter turns off and
    accepts everything.

    Parameters
    ----------
    counter, limit1, max_counter : int, default 0
        In wavelets; 32 bits.
    limit2 : int, optional
        The second limit.
    count_data, count_control : bool
        Which wavelets are counted; by default data.

    Raises
    ------
    UsageError
        For a number that is negative or does not fit 32 bits.
    """
    counter: int
    """At launch, in wavelets."""
    limit1: int
    """The first limit."""
    max_counter: int
    """The last count at which a wavelet is accepted."""
    limit2: int | None
    """The second limit, if there is one."""
    count_data: bool
    """Whether data wavelets are counted."""
    count_control: bool
    """Whether control wavelets are counted."""
    def __init__(self, *, counter: int = 0, limit1: int = 0, max_counter: int = 0,
                 limit2: int | None = None, count_data: bool = True,
                 count_control: bool = False) -> None: ...

class RangeFilter:
    """Accepts data wavelets whose upper 16 bits are in a range, and all control wavelets. A value.

    Parameters
    ----------
    min_index, max_index : int
        Both ends are in the range; 16 bits.

    Raises
    ------
    UsageError
        For a number that is negative or does not fit 16 bits.
    """
    min_index: int
    """The least upper half that is accepted."""
    max_index: int
    """The greatest upper half that is accepted."""
    def __init__(self, min_index: int, max_index: int) -> None: ...

class SwitchPosition:
    """A switch position past the first: it names one side, the other keeps what it was. A value."""
    receives: bool
    """Whether it takes wavelets from the port; else it sends to it."""
    port: Port
    """The side that it names."""
    @staticmethod
    def receive(port: Port) -> SwitchPosition:
        """A position that takes wavelets from a side, and sends as the position before it.

        Parameters
        ----------
        port : Port
            The side.

        Returns
        -------
        SwitchPosition
            For Route(positions=[...]).
        """
    @staticmethod
    def send(port: Port) -> SwitchPosition:
        """A position that sends to a side, and receives as the position before it.

        Parameters
        ----------
        port : Port
            The side.

        Returns
        -------
        SwitchPosition
            For Route(positions=[...]).
        """

class Route:
    """How routers treat a color. A value. Design.route takes the same arguments.

    Parameters
    ----------
    rx, tx : Port or iterable of Port
        Sides from which wavelets come, and to which each is sent (to several: a multicast).
    positions : sequence of SwitchPosition, optional
        Up to three further positions of the switch; control wavelets move it on.
    ring : bool, default False
        Past the last position comes the first.
    initial : int, default 0
        The position at launch, and after a reset.
    pop : PopMode
        When the router removes the first command of a control wavelet; by default never.
    input_queue : int, optional
        The queue, 0 to 7, that the ramp leads to. By default the one that the program takes.
    swap_north_south, swap_east_west : bool, default False
        Wavelets that come in on these sides change to the color that differs in bit 0.

    Raises
    ------
    UsageError
        For a side that is no Port.
    """
    rx: tuple[Port, ...]
    """Sides from which wavelets come."""
    tx: tuple[Port, ...]
    """Sides to which they are sent."""
    positions: list[SwitchPosition]
    """Positions of the switch past the first."""
    ring: bool
    """Whether the first position follows the last."""
    initial: int
    """The position at launch, and after a reset."""
    pop: PopMode
    """When a command is removed."""
    input_queue: int | None
    """The queue that the ramp leads to, if it is given."""
    swap_north_south: bool
    """Whether wavelets from north and south change their color."""
    swap_east_west: bool
    """Whether wavelets from east and west change their color."""
    def __init__(self, *, rx: Port | Iterable[Port], tx: Port | Iterable[Port],
                 positions: Sequence[SwitchPosition] = ..., ring: bool = False, initial: int = 0,
                 pop: PopMode = ..., input_queue: int | None = None,
                 swap_north_south: bool = False, swap_east_west: bool = False) -> None: ...

def control_payload(commands: Sequence[Literal["nop", "advance", "reset", "teardown"]],
                    entry: int = 31, no_core: bool = True) -> int:
    """The word of a control wavelet.

    Parameters
    ----------
    commands : sequence of str
        Up to eight of "nop", "advance", "reset" and "teardown", one for each router that pops.
    entry : int, default 31
        The control task that it starts, from Design.control_entry; 31 starts none.
    no_core : bool, default True
        Cores do not see the wavelet while a command is first.

    Returns
    -------
    int
        A payload of 32 bits, to be sent with ``pe.to(color, control=True)``.

    Raises
    ------
    UsageError
        For another command, or more than eight.
    """
