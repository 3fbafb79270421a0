"""The four seats in turn order, counterclockwise: East, South, West, North."""

from __future__ import annotations

from enum import IntEnum

from engine.errors import NotationError


class Seat(IntEnum):
    """A place at the table; the number is the place in turn order."""

    EAST, SOUTH, WEST, NORTH = range(4)

    @property
    def code(self) -> str:
        """``E``, ``S``, ``W`` or ``N``."""
        return "ESWN"[self]

    @property
    def zh(self) -> str:
        """Chinese name: 东 南 西 北."""
        return "东南西北"[self]

    @property
    def en(self) -> str:
        """English name: East, South, West, North."""
        return ("East", "South", "West", "North")[self]

    @property
    def next(self) -> Seat:
        """下家: the seat that plays after this one."""
        return Seat((self + 1) % 4)

    @property
    def across(self) -> Seat:
        """对家: the seat opposite."""
        return Seat((self + 2) % 4)

    @property
    def previous(self) -> Seat:
        """上家: the seat that plays before this one."""
        return Seat((self + 3) % 4)

    def distance_to(self, other: Seat) -> int:
        """How many turns after this seat the other one plays, 0..3.

        >>> Seat.WEST.distance_to(Seat.EAST)
        2
        """
        return (other - self) % 4

    @classmethod
    def parse(cls, code: str) -> Seat:
        """The seat named ``E S W N`` or ``0 1 2 3``; NotationError for anything else."""
        index = "ESWN".find(code.upper()) if len(code) == 1 and code.isalpha() else "0123".find(code)
        if index < 0 or len(code) != 1:
            raise NotationError(f"{code!r} is not a seat; expected E, S, W or N")
        return cls(index)


SEATS: tuple[Seat, ...] = tuple(Seat)
