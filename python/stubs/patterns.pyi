class Along:
    rows: Along
    columns: Along

class ReduceOperation:
    sum: ReduceOperation
    max: ReduceOperation

class NeighborShift:
    """Each PE sends to its neighbour on one side, and receives from the one on the other side.

    At the edges of the rectangle nobody sends out or receives. It cannot be copied or pickled.

    Parameters
    ----------
    design : Design
        The design that gives it colors and routes.
    where : Rect
        The PEs that take part; (x, y, width, height) does as well.
    to : Port
        The side to send to.
    name : str
        Of its colors, in errors.

    Raises
    ------
    Error
        No color is left, or a rectangle that is too small or outside the design.

    Notes
    -----
    Takes two colors, one queue of each direction in each PE and no filters; each shift in a
    program a task.
    """
    incoming: Color
    """The color by which wavelets come, for PeProgram.on_data in place of receive."""
    def __init__(self, design: Design, where: Where, to: Port, name: str = "shift") -> None: ...
    def start(self, pe: PeProgram, out: PeVector, in_: PeVector) -> list[PeOperation]:
        """Starts to send and to receive.

        Parameters
        ----------
        pe : PeProgram
            A program of PEs in the rectangle.
        out : PeVector
            The elements to send.
        in_ : PeVector
            Where they are received: as many elements.

        Returns
        -------
        list of PeOperation
            For PeProgram.wait: none to two, as the PE has neighbours.

        Raises
        ------
        Error
            A PE outside the rectangle, vectors that do not fit, or no queue is left.

        Notes
        -----
        Cycles: the two operations take ``scalar_cycles`` each to start; see cycles for their end.
        """
    def shift(self, pe: PeProgram, out: PeVector, in_: PeVector) -> None:
        """Sends and receives, and waits.

        Parameters
        ----------
        pe : PeProgram
            A program of PEs in the rectangle.
        out : PeVector
            The elements to send.
        in_ : PeVector
            Where they are received: as many elements.

        Raises
        ------
        Error
            A PE outside the rectangle, vectors that do not fit, or no queue is left.

        Notes
        -----
        Cycles: see cycles.
        """
    def send(self, pe: PeProgram, out: PeVector) -> None:
        """The half that sends; the core waits. Nothing where there is no neighbour.

        Parameters
        ----------
        pe : PeProgram
            A program of PEs in the rectangle.
        out : PeVector
            The elements to send.

        Raises
        ------
        Error
            A PE outside the rectangle, vectors that do not fit, or no queue is left.

        Notes
        -----
        Cycles: as PeProgram.send.
        """
    def receive(self, pe: PeProgram, in_: PeVector) -> None:
        """The half that receives; the core waits. Nothing where there is no neighbour.

        Parameters
        ----------
        pe : PeProgram
            A program of PEs in the rectangle.
        in_ : PeVector
            Where they are received: as many elements.

        Raises
        ------
        Error
            A PE outside the rectangle, vectors that do not fit, or no queue is left.

        Notes
        -----
        Cycles: as PeProgram.receive.
        """
    @staticmethod
    def cycles(machine: Machine, n: int) -> int:
        """Cycles of a shift in a PE with both neighbours, if they begin together.

        Parameters
        ----------
        machine : Machine
            Whose constants count.
        n : int
            Elements, 2 or more.

        Returns
        -------
        int
            Cycles.

        Raises
        ------
        UsageError
            A number that is negative or no whole number.

        Notes
        -----
        first + travel(1) + (n - 1) + task_start_cycles + scalar_cycles, with first =
        max(microthread_start_cycles, 1) and travel(hops) = 2 ramp_cycles + 1 + hops * hop_cycles.
        Of links that never rest.
        """

class HaloExchange:
    """Exchange of the borders of a block with its halo, with four neighbours, or with all eight.

    Each PE has a block of rows x columns points with a halo of depth points around it. A point is
    an element, or a column of n elements. Where the halo is deeper than the block, it comes from
    farther PEs too: neighbours pass it on. Halos without a neighbour stay as they are, and are
    passed on as well. It cannot be copied or pickled.

    Parameters
    ----------
    design : Design
        The design that gives it colors and routes.
    where : Rect
        The PEs that take part; (x, y, width, height) does as well.
    corners : bool, default False
        With the four corners: eight neighbours.
    name : str
        Of its colors, in errors.
    depth : int, default 1
        Points of the halo on each side.

    Raises
    ------
    Error
        No color is left, or a rectangle that is too small or outside the design.

    Notes
    -----
    Takes eight colors, four queues of each direction and no filters; each step of an exchange in a
    program seven tasks, with corners three, and twice as many steps. There are depth / columns
    steps to the east and west and depth / rows to the south and north, rounded up; without corners
    both go on together.
    """
    def __init__(self, design: Design, where: Where, corners: bool = False, name: str = "halo", depth: int = 1) -> None: ...
    def exchange(self, pe: PeProgram, with_halo: PeVector) -> None:
        """Sends the borders and receives the halo; code goes on below when both are done.

        Parameters
        ----------
        pe : PeProgram
            A program of PEs in the rectangle.
        with_halo : PeVector
            Of shape (rows + 2 depth, columns + 2 depth), or with a third dimension: a column of
            elements in each point.

        Raises
        ------
        Error
            A PE outside the rectangle, vectors that do not fit, or no queue is left.

        Notes
        -----
        Cycles: see most_cycles.
        """
    def start(self, pe: PeProgram, with_halo: PeVector) -> list[PeOperation]:
        """Starts an exchange in one step: without corners, no deeper than the block.

        Parameters
        ----------
        pe : PeProgram
            A program of PEs in the rectangle.
        with_halo : PeVector
            As of exchange.

        Returns
        -------
        list of PeOperation
            For PeProgram.wait: two for each neighbour.

        Raises
        ------
        Error
            An exchange in several steps, a PE outside the rectangle, vectors that do not fit, or no
            queue is left.

        Notes
        -----
        Cycles: the operations take ``scalar_cycles`` each to start.
        """
    @staticmethod
    def most_cycles(machine: Machine, rows: int, columns: int, corners: bool = False, depth: int = 1, n: int = 1) -> int:
        """Cycles of an exchange in a PE with all neighbours, if all begin together: at most.

        Parameters
        ----------
        machine : Machine
            Whose constants count.
        rows, columns : int
            Of the block, without its halo.
        corners : bool, default False
            As the pattern.
        depth : int, default 1
            As the pattern.
        n : int, default 1
            Elements of a point.

        Returns
        -------
        int
            Cycles.

        Raises
        ------
        UsageError
            A number that is negative or no whole number.

        Notes
        -----
        A step of k operations takes k scalar_cycles + first + travel(1) + (k - 1)
        (task_start_cycles + 3 scalar_cycles), with first = max(microthread_start_cycles, 1) and
        travel(hops) = 2 ramp_cycles + 1 + hops * hop_cycles. Without corners, steps in all four
        directions have 8 operations, others 4, and all together 2 depth n (rows + columns)
        elements, a cycle each. With corners each step has 4, and there are 4 depth^2 n elements
        more. Of links that never rest.
        """

class Broadcast:
    """One PE sends to all others of its line, or of a rectangle.

    Routers multicast: no core passes anything on. It cannot be copied or pickled.

    Parameters
    ----------
    design : Design
        The design that gives it colors and routes.
    where : Rect
        The PEs that take part; (x, y, width, height) does as well.
    along : Along
        Lines are rows or columns; each has a root.
    root : int
        The PE of each line that sends, from 0 on.
    x, y : int
        Or: the one PE that sends, by its column and row.
    name : str
        Of its colors, in errors.

    Raises
    ------
    Error
        No color is left, or a rectangle that is too small or outside the design.

    Notes
    -----
    Takes one color, one queue in each PE, no filters and no tasks.
    """
    @overload
    def __init__(self, design: Design, where: Where, along: Along, root: int, name: str = "broadcast") -> None: ...
    @overload
    def __init__(self, design: Design, where: Where, x: int, y: int, name: str = "broadcast") -> None: ...
    def broadcast(self, pe: PeProgram, v: PeVector) -> None:
        """The root sends v, the others receive it into v; the core waits.

        Parameters
        ----------
        pe : PeProgram
            A program of PEs in the rectangle.
        v : PeVector
            Of as many elements in all.

        Raises
        ------
        Error
            A PE outside the rectangle, vectors that do not fit, or no queue is left.

        Notes
        -----
        Cycles: see cycles.
        """
    def start(self, pe: PeProgram, v: PeVector) -> list[PeOperation]:
        """The root sends v, the others receive it into v; the core goes on at once.

        Parameters
        ----------
        pe : PeProgram
            A program of PEs in the rectangle.
        v : PeVector
            Of as many elements in all.

        Returns
        -------
        list of PeOperation
            One, for PeProgram.wait; none in a line of one PE.

        Raises
        ------
        Error
            A PE outside the rectangle, vectors that do not fit, or no queue is left.

        Notes
        -----
        Cycles: the operation takes ``scalar_cycles`` to start; see cycles for its end.
        """
    @staticmethod
    def cycles(machine: Machine, n: int, links: int) -> int:
        """Cycles of a broadcast in one PE, if it and the root begin together.

        Parameters
        ----------
        machine : Machine
            Whose constants count.
        n : int
            Elements of 32 bits or fewer, in each vector.
        links : int
            From the root to the PE; 0 is the root.

        Returns
        -------
        int
            Cycles.

        Raises
        ------
        UsageError
            A number that is negative or no whole number.

        Notes
        -----
        first + travel(links) + (n - 1) + scalar_cycles, without the travel in the root, with first
        = max(microthread_start_cycles, 1) and travel(hops) = 2 ramp_cycles + 1 + hops * hop_cycles.
        Of links that never rest.
        """

class MovingBroadcast:
    """One PE of each line sends to all of it, and each use names the one.

    Each core turns its own router (setroute), and the root receives its own stream too: so the end
    tells each PE that its router has passed on all, and it may turn it for the next root. PEs of a
    line that name different roots end in a deadlock, or take the elements of another root;
    Design.fabric with check=True finds them. It cannot be copied or pickled.

    Parameters
    ----------
    design : Design
        The design that gives it colors and routes.
    where : Rect
        The PEs that take part; (x, y, width, height) does as well.
    along : Along
        Lines are rows or columns; each has a root.
    name : str
        Of its colors, in errors.

    Raises
    ------
    Error
        No color is left, or a rectangle that is too small or outside the design.

    Notes
    -----
    Takes one color, one queue of each direction in each PE, no filters and no tasks. A register
    holds the PE's place; a root in a register takes one or two more.
    """
    def __init__(self, design: Design, where: Where, along: Along, name: str = "moving broadcast") -> None: ...
    @overload
    def start(self, pe: PeProgram, out: PeVector, in_: PeVector, root: PeScalar) -> list[PeOperation]: ...
    @overload
    def start(self, pe: PeProgram, out: PeVector, in_: PeVector, root: int) -> list[PeOperation]:
        """The root sends, all receive; the core goes on at once.

        The next use of the same pattern comes after the wait for this one.

        Parameters
        ----------
        pe : PeProgram
            A program of PEs in the rectangle.
        out : PeVector
            The elements that the root sends.
        in_ : PeVector
            Where all receive them, the root too; perhaps the same elements.
        root : PeScalar or int
            The PE of each line that sends, from 0 on; the same in all PEs of a line. With a number,
            PEs before, at and after the root have programs of their own.

        Returns
        -------
        list of PeOperation
            One, for PeProgram.wait; none in a line of one PE.

        Raises
        ------
        Error
            A PE outside the rectangle, a root outside the line, vectors that do not fit, or no queue
            is left.

        Notes
        -----
        Cycles: the route takes ``router_write_cycles`` of the core; see cycles for the end.
        """
    @overload
    def broadcast(self, pe: PeProgram, out: PeVector, in_: PeVector, root: PeScalar) -> None: ...
    @overload
    def broadcast(self, pe: PeProgram, out: PeVector, in_: PeVector, root: int) -> None:
        """The root sends, all receive; the core waits.

        Parameters
        ----------
        pe : PeProgram
            A program of PEs in the rectangle.
        out : PeVector
            The elements that the root sends.
        in_ : PeVector
            Where all receive them, the root too; perhaps the same elements.
        root : PeScalar or int
            As in start.

        Raises
        ------
        Error
            A PE outside the rectangle, a root outside the line, vectors that do not fit, or no queue
            is left.

        Notes
        -----
        Cycles: see cycles.
        """
    @staticmethod
    def cycles(machine: Machine, n: int, links: int) -> int:
        """Cycles of a broadcast from a root that is a number, if the PE and the root begin together.

        Parameters
        ----------
        machine : Machine
            Whose constants count.
        n : int
            Elements of 32 bits or fewer, in each vector.
        links : int
            From the root to the PE; 0 is the root.

        Returns
        -------
        int
            Cycles.

        Raises
        ------
        UsageError
            A number that is negative or no whole number.

        Notes
        -----
        2 scalar_cycles + router_write_cycles + first + travel(links) + (n - 1), with first =
        max(microthread_start_cycles, 1) and travel(hops) = 2 ramp_cycles + 1 + hops * hop_cycles. Of
        links that never rest.
        """

class ReduceChain:
    """Sums (or largest) of the vectors of a line, element by element, on the way to its end.

    The farthest PE sends, and each adds its own as the stream passes its core. It cannot be
    copied or pickled.

    Parameters
    ----------
    design : Design
        The design that gives it colors and routes.
    where : Rect
        The PEs that take part; (x, y, width, height) does as well.
    to : Port
        The side of the line where the result is.
    name : str
        Of its colors, in errors.

    Raises
    ------
    Error
        No color is left, or a rectangle that is too small or outside the design.

    Notes
    -----
    Takes two colors, one queue of each direction, no filters and no tasks.
    """
    def __init__(self, design: Design, where: Where, to: Port, name: str = "reduce") -> None: ...
    def reduce(self, pe: PeProgram, v: PeVector, operation: ReduceOperation = ...) -> None:
        """v becomes the result in the last PE on the way; those of others stay. The core waits.

        Parameters
        ----------
        pe : PeProgram
            A program of PEs in the rectangle.
        v : PeVector
            Of as many elements in all PEs of the line.
        operation : ReduceOperation
            sum (default, of any dtype with an addition) or max.

        Raises
        ------
        Error
            A PE outside the rectangle, vectors that do not fit, or no queue is left.

        Notes
        -----
        Cycles: see cycles.
        """
    def start(self, pe: PeProgram, v: PeVector, operation: ReduceOperation = ...) -> list[PeOperation]:
        """The same, but the core goes on at once.

        Parameters
        ----------
        pe : PeProgram
            A program of PEs in the rectangle.
        v : PeVector
            Of as many elements in all PEs of the line.
        operation : ReduceOperation
            As of reduce.

        Returns
        -------
        list of PeOperation
            For PeProgram.wait: one, or none in a line of one PE.

        Raises
        ------
        Error
            A PE outside the rectangle, vectors that do not fit, or no queue is left.

        Notes
        -----
        Cycles: ``scalar_cycles`` to start it; see cycles for its end.
        """
    @staticmethod
    def cycles(machine: Machine, n: int, length: int) -> int:
        """Cycles in the last PE of a line, if all begin together.

        Parameters
        ----------
        machine : Machine
            Whose constants count.
        n : int
            Elements of 32 bits or fewer, in each vector.
        length : int
            PEs of the line.

        Returns
        -------
        int
            Cycles.

        Raises
        ------
        UsageError
            A number that is negative or no whole number.

        Notes
        -----
        first + (length - 1) travel(1) + (n - 1) + scalar_cycles, with first =
        max(microthread_start_cycles, 1) and travel(hops) = 2 ramp_cycles + 1 + hops * hop_cycles.
        Of links that never rest.
        """

class ReduceTree:
    """The same as ReduceChain by a tree, to the first PE of a line: for short vectors.

    In step s each second PE of those that are left sends to the one 2^s links away. It cannot
    be copied or pickled.

    Parameters
    ----------
    design : Design
        The design that gives it colors and routes.
    where : Rect
        The PEs that take part; (x, y, width, height) does as well.
    along : Along
        Lines are rows or columns of the rectangle.
    name : str
        Of its colors, in errors.

    Raises
    ------
    Error
        No color is left, or a rectangle that is too small or outside the design.

    Notes
    -----
    Takes a color for each step, in the first PE a queue for each too (lines of up to 256 PEs),
    no filters and no tasks.
    """
    def __init__(self, design: Design, where: Where, along: Along, name: str = "tree") -> None: ...
    def reduce(self, pe: PeProgram, v: PeVector, operation: ReduceOperation = ...) -> None:
        """v becomes the result in the first PE; the core waits.

        Parameters
        ----------
        pe : PeProgram
            A program of PEs in the rectangle.
        v : PeVector
            Of as many elements in all PEs of the line.
        operation : ReduceOperation
            sum (default, of any dtype with an addition) or max.

        Raises
        ------
        Error
            A PE outside the rectangle, vectors that do not fit, no queue is left, or nothing waits
            (PeProgram.wait) for the one before, in the loop that starts it.

        Notes
        -----
        Cycles: see cycles. v of the other PEs is overwritten on the way.
        """
    def start(self, pe: PeProgram, v: PeVector, operation: ReduceOperation = ...) -> list[PeOperation]:
        """The same, but the core goes on at once.

        Parameters
        ----------
        pe : PeProgram
            A program of PEs in the rectangle.
        v : PeVector
            Of as many elements in all PEs of the line.
        operation : ReduceOperation
            sum (default, of any dtype with an addition) or max.

        Returns
        -------
        list of PeOperation
            One, for PeProgram.wait; none in a line of one PE.

        Raises
        ------
        Error
            A PE outside the rectangle, vectors that do not fit, no queue is left, or nothing waits
            (PeProgram.wait) for the one before, in the loop that starts it.

        Notes
        -----
        Cycles: the first operation takes ``scalar_cycles`` to start. PEs that receive issue the further
        ones in a task, each after its start (``task_start_cycles``), so it takes a task, and waits
        for the core where that is busy.
        """
    @staticmethod
    def cycles(machine: Machine, n: int, length: int) -> int:
        """Cycles in the first PE of a line, if all begin together.

        Parameters
        ----------
        machine : Machine
            Whose constants count.
        n : int
            Elements of 32 bits or fewer, in each vector.
        length : int
            PEs of the line, a power of two.

        Returns
        -------
        int
            Cycles.

        Raises
        ------
        UsageError
            A number that is negative or no whole number.

        Notes
        -----
        The sum over the distances d = 1, 2, 4, ... below length of first + travel(d) + (n - 1) +
        scalar_cycles, with first = max(microthread_start_cycles, 1) and travel(hops) = 2
        ramp_cycles + 1 + hops * hop_cycles. Of links that never rest.
        """

class AllReduce:
    """The sum or the largest of the vectors of each line, in each of its PEs.

    A reduction to the first PE, and a broadcast from there. It cannot be copied or pickled.

    Parameters
    ----------
    design : Design
        The design that gives it colors and routes.
    where : Rect
        The PEs that take part; (x, y, width, height) does as well.
    along : Along
        Lines are rows or columns of the rectangle.
    tree : bool, default False
        Reduce by a tree (for short vectors), not by a chain.
    name : str
        Of its colors, in errors.

    Raises
    ------
    Error
        No color is left, or a rectangle that is too small or outside the design.

    Notes
    -----
    Takes what the reduction and a Broadcast take.
    """
    def __init__(self, design: Design, where: Where, along: Along, tree: bool = False, name: str = "all-reduce") -> None: ...
    def reduce(self, pe: PeProgram, v: PeVector, operation: ReduceOperation = ...) -> None:
        """v becomes the result in all PEs; the core waits.

        Parameters
        ----------
        pe : PeProgram
            A program of PEs in the rectangle.
        v : PeVector
            Of as many elements in all PEs of the line.
        operation : ReduceOperation
            sum (default, of any dtype with an addition) or max.

        Raises
        ------
        Error
            A PE outside the rectangle, vectors that do not fit, no queue is left, or nothing waits
            (PeProgram.wait) for the one before, in the loop that starts it.

        Notes
        -----
        Cycles: see cycles.
        """
    def start(self, pe: PeProgram, v: PeVector, operation: ReduceOperation = ...) -> list[PeOperation]:
        """The same, but the core goes on at once.

        Parameters
        ----------
        pe : PeProgram
            A program of PEs in the rectangle.
        v : PeVector
            Of as many elements in all PEs of the line.
        operation : ReduceOperation
            sum (default, of any dtype with an addition) or max.

        Returns
        -------
        list of PeOperation
            One, for PeProgram.wait; none in a line of one PE.

        Raises
        ------
        Error
            A PE outside the rectangle, vectors that do not fit, no queue is left, or nothing waits
            (PeProgram.wait) for the one before, in the loop that starts it.

        Notes
        -----
        Cycles: the first operation takes ``scalar_cycles`` to start. The first PE, and by a tree PEs that receive, issue the further
        ones in a task, each after its start (``task_start_cycles``), so it takes a task, and waits
        for the core where that is busy.
        """
    @staticmethod
    def cycles(machine: Machine, n: int, length: int, tree: bool = False) -> int:
        """Cycles in the last PE of a line, if all begin together.

        Parameters
        ----------
        machine : Machine
            Whose constants count.
        n : int
            Elements of 32 bits or fewer, in each vector.
        length : int
            PEs of the line; with tree a power of two.
        tree : bool, default False
            As the pattern.

        Returns
        -------
        int
            Cycles.

        Raises
        ------
        UsageError
            A number that is negative or no whole number.

        Notes
        -----
        The cycles of the reduction over length PEs and of a Broadcast over length - 1 links. Of links
        that never rest.
        """

class RingShift:
    """Each PE of a line sends to the next one of a ring, and receives from the one before it, or the
    other way round.

    The ring is folded: PEs 0, 2, 4, ... and back over ..., 5, 3, 1. None is more than two links
    from the next. It cannot be copied or pickled.

    Parameters
    ----------
    design : Design
        The design that gives it colors and routes.
    where : Rect
        The PEs that take part; (x, y, width, height) does as well.
    along : Along
        Lines are rows or columns of the rectangle.
    name : str
        Of its colors, in errors.
    backwards : bool, default False
        Each PE sends to the one before it.

    Raises
    ------
    Error
        No color is left, or a rectangle that is too small or outside the design.

    Notes
    -----
    Takes three colors, one queue of each direction and no filters; each shift in a program a task.
    """
    def __init__(self, design: Design, where: Where, along: Along, name: str = "ring", backwards: bool = False) -> None: ...
    def start(self, pe: PeProgram, out: PeVector, in_: PeVector) -> list[PeOperation]:
        """Starts to send and to receive.

        Parameters
        ----------
        pe : PeProgram
            A program of PEs in the rectangle.
        out : PeVector
            The elements to send.
        in_ : PeVector
            Where they are received: as many elements.

        Returns
        -------
        list of PeOperation
            Two, for PeProgram.wait.

        Raises
        ------
        Error
            A PE outside the rectangle, vectors that do not fit, or no queue is left.

        Notes
        -----
        Cycles: the two operations take ``scalar_cycles`` each to start; see cycles for their end.
        """
    def shift(self, pe: PeProgram, out: PeVector, in_: PeVector) -> None:
        """Sends and receives, and waits.

        Parameters
        ----------
        pe : PeProgram
            A program of PEs in the rectangle.
        out : PeVector
            The elements to send.
        in_ : PeVector
            Where they are received: as many elements.

        Raises
        ------
        Error
            A PE outside the rectangle, vectors that do not fit, or no queue is left.

        Notes
        -----
        Cycles: see cycles.
        """
    @staticmethod
    def place_of(pe: int, length: int) -> int:
        """The place in the ring of a PE of a line.

        Parameters
        ----------
        pe : int
            Counted along the line from 0.
        length : int
            PEs of the line.

        Returns
        -------
        int
            From 0 to length - 1.

        Raises
        ------
        UsageError
            A number that is negative or no whole number.
        """
    @staticmethod
    def pe_at(place: int, length: int) -> int:
        """The PE of a line at a place of the ring.

        Parameters
        ----------
        place : int
            From 0 to length - 1.
        length : int
            PEs of the line.

        Returns
        -------
        int
            Counted along the line from 0.

        Raises
        ------
        UsageError
            A number that is negative or no whole number.
        """
    @staticmethod
    def cycles(machine: Machine, n: int) -> int:
        """Cycles of a shift, if neighbours in the ring begin together.

        Parameters
        ----------
        machine : Machine
            Whose constants count.
        n : int
            Elements, 2 or more.

        Returns
        -------
        int
            Cycles.

        Raises
        ------
        UsageError
            A number that is negative or no whole number.

        Notes
        -----
        first + travel(2) + (n - 1) + task_start_cycles + scalar_cycles, with first =
        max(microthread_start_cycles, 1) and travel(hops) = 2 ramp_cycles + 1 + hops * hop_cycles.
        Of links that never rest.
        """

class RingTranspose:
    """Each PE of a line has a part for each of them, and gets one from each: a transpose of parts.

    Around a folded ring (RingShift), the shorter way round, both ways at once. Parts are in the
    order of the ring: number z is for, or from, the PE ``RingShift.pe_at(z, length)``. All PEs
    share a program. It cannot be copied or pickled.

    Parameters
    ----------
    design : Design
        The design that gives it colors and routes.
    where : Rect
        The PEs that take part; (x, y, width, height) does as well. Lines have two PEs or more.
    along : Along
        Lines are rows or columns of the rectangle.
    name : str
        Of its colors, in errors.

    Raises
    ------
    Error
        No color is left, or a rectangle that is too small or outside the design.

    Notes
    -----
    Takes six colors, two queues of each direction, the descriptors 8 to 15 and no filters. For each
    use in a program: three tasks, and ten registers, which loops and other uses take in turn.
    """
    def __init__(self, design: Design, where: Where, along: Along, name: str = "ring transpose") -> None: ...
    def transpose(self, pe: PeProgram, out: PeVector, in_: PeVector,
                  before: tuple[int, Sequence[tuple[int, int]]] | None = None,
                  after: tuple[int, Sequence[tuple[int, int]]] | None = None) -> None:
        """Sends and receives all parts; code goes on below when all is there.

        Parameters
        ----------
        pe : PeProgram
            A program of PEs in the rectangle.
        out : PeVector
            A part for each place of the ring, one after the other, of elements of 32 bits side by
            side. It is overwritten.
        in_ : PeVector
            The parts that come, by place.
        before, after : tuple, optional
            Where parts stand in ``out`` and in ``in_``, if they are not side by side: elements from
            a part to the next, and the dimensions of a part, outermost first, as pairs of an extent
            and a stride. Extents are the same before and after.

        Raises
        ------
        Error
            A PE outside the rectangle, vectors or parts that do not fit, or no queue is left.
        UsageError
            One of ``before`` and ``after`` is missing.

        Notes
        -----
        Cycles: see most_cycles.
        """
    def start(self, pe: PeProgram, out: PeVector, in_: PeVector,
              before: tuple[int, Sequence[tuple[int, int]]] | None = None,
              after: tuple[int, Sequence[tuple[int, int]]] | None = None) -> list[PeOperation]:
        """The same, but the core goes on once it has ordered the parts of ``out``.

        Parameters
        ----------
        pe : PeProgram
            A program of PEs in the rectangle.
        out, in_ : PeVector
            As of transpose.
        before, after : tuple, optional
            As of transpose.

        Returns
        -------
        list of PeOperation
            One, for PeProgram.wait.

        Raises
        ------
        Error
            A PE outside the rectangle, vectors or parts that do not fit, no queue is left, or
            nothing waits for the one before (of all ring transposes), in the loop that starts it.
        UsageError
            One of ``before`` and ``after`` is missing.

        Notes
        -----
        Cycles: see most_cycles. Steps go on in tasks, and wait for the core where that is busy. The
        ten registers are those of all that the program starts, and nothing else has them.
        """
    @staticmethod
    def most_cycles(machine: Machine, n: int, length: int) -> int:
        """Cycles in any PE of a line, if all begin together: at most.

        Parameters
        ----------
        machine : Machine
            Whose constants count.
        n : int
            Elements of a part.
        length : int
            PEs of the line.

        Returns
        -------
        int
            Cycles.

        Raises
        ------
        UsageError
            A number that is negative or no whole number.

        Notes
        -----
        Cycles: n length^2 / 4 for the links, which is the least, two and a half copies, and the
        turns of length / 2 steps. That is so where queues and routers are as deep as by default.
        """

class Scatter:
    """The first PE of each line gives each PE its part of a vector.

    Routers offer the whole stream to each core, and filters let the part in. It cannot be
    copied or pickled.

    Parameters
    ----------
    design : Design
        The design that gives it colors and routes.
    where : Rect
        The PEs that take part; (x, y, width, height) does as well.
    along : Along
        Lines are rows or columns of the rectangle.
    elements : int
        Of a part.
    name : str
        Of its colors, in errors.

    Raises
    ------
    Error
        No color is left, or a rectangle that is too small or outside the design.

    Notes
    -----
    Takes one color, one queue and one filter in each PE, and no tasks.
    """
    def __init__(self, design: Design, where: Where, along: Along, elements: int, name: str = "scatter") -> None: ...
    def scatter(self, pe: PeProgram, all: PeVector, part: PeVector) -> None:
        """Each PE gets its part; the core waits.

        Parameters
        ----------
        pe : PeProgram
            A program of PEs in the rectangle.
        all : PeVector
            In the first PE the parts in order, elements times length numbers.
        part : PeVector
            Of as many elements as a part.

        Raises
        ------
        Error
            A PE outside the rectangle, vectors that do not fit, or no queue is left.

        Notes
        -----
        Cycles: see cycles.
        """
    def start(self, pe: PeProgram, all: PeVector, part: PeVector) -> list[PeOperation]:
        """The same, but the core goes on at once.

        Parameters
        ----------
        pe : PeProgram
            A program of PEs in the rectangle.
        all : PeVector
            As of scatter.
        part : PeVector
            As of scatter. In the first PE it shares no memory with others' parts.

        Returns
        -------
        list of PeOperation
            For PeProgram.wait: one, or none in a line of one PE.

        Raises
        ------
        Error
            A PE outside the rectangle, vectors that do not fit, or no queue is left.

        Notes
        -----
        Cycles: ``scalar_cycles`` to start it; the first PE copies its own part too.
        """
    @staticmethod
    def cycles(machine: Machine, n: int, length: int) -> int:
        """Cycles in the last PE of a line, if all begin together.

        Parameters
        ----------
        machine : Machine
            Whose constants count.
        n : int
            Elements of a part.
        length : int
            PEs of the line.

        Returns
        -------
        int
            Cycles.

        Raises
        ------
        UsageError
            A number that is negative or no whole number.

        Notes
        -----
        first + travel(length - 1) + n (length - 1) - 1 + scalar_cycles, with first =
        max(microthread_start_cycles, 1) and travel(hops) = 2 ramp_cycles + 1 + hops * hop_cycles.
        Of links that never rest.
        """

class Gather:
    """The first PE of each line gets the parts of all.

    Each PE sends its part, and then passes on those from behind it. Each place in a line has a
    program of its own. It cannot be copied or pickled.

    Parameters
    ----------
    design : Design
        The design that gives it colors and routes.
    where : Rect
        The PEs that take part; (x, y, width, height) does as well.
    along : Along
        Lines are rows or columns of the rectangle.
    name : str
        Of its colors, in errors.

    Raises
    ------
    Error
        No color is left, or a rectangle that is too small or outside the design.

    Notes
    -----
    Takes two colors, one queue of each direction, no filters and no tasks.
    """
    def __init__(self, design: Design, where: Where, along: Along, name: str = "gather") -> None: ...
    def gather(self, pe: PeProgram, part: PeVector, all: PeVector) -> None:
        """The first PE gets all parts; the core waits.

        Parameters
        ----------
        pe : PeProgram
            A program of PEs in the rectangle.
        part : PeVector
            Of as many elements in each PE.
        all : PeVector
            In the first PE the parts in order, elements times length numbers.

        Raises
        ------
        Error
            A PE outside the rectangle, vectors that do not fit, no queue is left, or nothing waits
            (PeProgram.wait) for the one before, in the loop that starts it.

        Notes
        -----
        Cycles: see most_cycles.
        """
    def start(self, pe: PeProgram, part: PeVector, all: PeVector) -> list[PeOperation]:
        """The same, but the core goes on at once.

        Parameters
        ----------
        pe : PeProgram
            A program of PEs in the rectangle.
        part : PeVector
            Of as many elements in each PE.
        all : PeVector
            In the first PE the parts in order, elements times length numbers.

        Returns
        -------
        list of PeOperation
            One, for PeProgram.wait; none in a line of one PE.

        Raises
        ------
        Error
            A PE outside the rectangle, vectors that do not fit, no queue is left, or nothing waits
            (PeProgram.wait) for the one before, in the loop that starts it.

        Notes
        -----
        Cycles: the first operation takes ``scalar_cycles`` to start. PEs that pass on issue the further
        ones in a task, each after its start (``task_start_cycles``), so it takes a task, and waits
        for the core where that is busy.
        """
    @staticmethod
    def most_cycles(machine: Machine, n: int, length: int) -> int:
        """Cycles in the first PE of a line, if all begin together: at most.

        Parameters
        ----------
        machine : Machine
            Whose constants count.
        n : int
            Elements of a part.
        length : int
            PEs of the line.

        Returns
        -------
        int
            Cycles.

        Raises
        ------
        UsageError
            A number that is negative or no whole number.

        Notes
        -----
        first + s travel(1) + n s + (s - 1) (scalar_cycles + first) + scalar_cycles with s = length
        - 1, with first = max(microthread_start_cycles, 1) and travel(hops) = 2 ramp_cycles + 1 +
        hops * hop_cycles. Of links that never rest.
        """

class AllToAll:
    """Each PE of a line has a part for each PE, and gets one from each: a transpose of parts.

    Two chains, one after the other: to later PEs, and to earlier ones. Each place in a line has
    a program of its own. It cannot be copied or pickled.

    Parameters
    ----------
    design : Design
        The design that gives it colors and routes.
    where : Rect
        The PEs that take part; (x, y, width, height) does as well.
    along : Along
        Lines are rows or columns of the rectangle.
    name : str
        Of its colors, in errors.

    Raises
    ------
    Error
        No color is left, or a rectangle that is too small or outside the design.

    Notes
    -----
    Takes four colors, two queues of each direction, no filters and no tasks.
    """
    def __init__(self, design: Design, where: Where, along: Along, name: str = "all-to-all") -> None: ...
    def exchange(self, pe: PeProgram, out: PeVector, in_: PeVector) -> None:
        """Sends and receives all parts; the core waits.

        Parameters
        ----------
        pe : PeProgram
            A program of PEs in the rectangle.
        out : PeVector
            Parts of as many elements each, in the order of the PEs that they go to.
        in_ : PeVector
            Parts in the order of the PEs that they are from.

        Raises
        ------
        Error
            A PE outside the rectangle, vectors that do not fit, no queue is left, or nothing waits
            (PeProgram.wait) for the one before, in the loop that starts it.

        Notes
        -----
        Cycles: see most_cycles.
        """
    def start(self, pe: PeProgram, out: PeVector, in_: PeVector) -> list[PeOperation]:
        """The same, but the core goes on at once, and both chains at the same time.

        Parameters
        ----------
        pe : PeProgram
            A program of PEs in the rectangle.
        out : PeVector
            Parts of as many elements each, in the order of the PEs that they go to.
        in_ : PeVector
            Parts in the order of the PEs that they are from.

        Returns
        -------
        list of PeOperation
            Two, for PeProgram.wait; none in a line of one PE.

        Raises
        ------
        Error
            A PE outside the rectangle, vectors that do not fit, no queue is left, or nothing waits
            (PeProgram.wait) for the one before, in the loop that starts it.

        Notes
        -----
        Cycles: the first operation takes ``scalar_cycles`` to start. Each chain issues the further
        ones in a task, each after its start (``task_start_cycles``), so it takes a task, and waits
        for the core where that is busy.
        """
    @staticmethod
    def most_cycles(machine: Machine, n: int, length: int) -> int:
        """Cycles until all PEs of a line have all, if they begin together: at most.

        Parameters
        ----------
        machine : Machine
            Whose constants count.
        n : int
            Elements of a part, of 32 bits.
        length : int
            PEs of the line.

        Returns
        -------
        int
            Cycles.

        Raises
        ------
        UsageError
            A number that is negative or no whole number.

        Notes
        -----
        The copy of a PE's own part, vector_start_cycles + n / move32_rate rounded up, and twice a
        chain: first + scalar_cycles + the sum over k = 1 ... length - 1 of n k + 3 (scalar_cycles +
        first) + travel(1), with first = max(microthread_start_cycles, 1) and travel(hops) = 2
        ramp_cycles + 1 + hops * hop_cycles. At least n length (length - 1). Of links that never
        rest.
        """
