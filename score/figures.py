"""What a measurement comes to: cases, and a row of the table that quality is stated in."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from statistics import median


@dataclass(frozen=True)
class Case:
    """One thing that was measured: on which drive, when, how much, and what explains it."""

    drive: str
    t: float
    value: float
    note: str = ""


@dataclass
class Row:
    """A row: what is measured, what it should come to, and what it came to."""

    key: str
    figure: str
    to_reach: str
    got: str
    #: None if there was no case to judge by.
    is_reached: bool | None
    cases: list[Case] = field(default_factory=list)

    @property
    def worst(self) -> Case | None:
        """The case with the largest value."""
        return max(self.cases, key=lambda case: case.value, default=None)

    @property
    def verdict(self) -> str:
        """Yes, no, or a dash where nothing could be judged."""
        return "–" if self.is_reached is None else "yes" if self.is_reached else "**no**"


def counted(key: str, figure: str, to_reach: str, cases: list[Case], of: str) -> Row:
    """A row that is reached when there is no case; `of` is the number of all."""
    return Row(key, figure, to_reach, f"{len(cases)} {of}", not cases, cases)


def bounded(
    key: str,
    figure: str,
    to_reach: str,
    cases: list[Case],
    unit: str,
    is_good: Callable[[Sequence[float]], bool] | None = None,
) -> Row:
    """A row of amounts, given as median and worst; without `is_good` it is only there to compare with."""
    values = [case.value for case in cases]
    if not values:
        return Row(key, figure, to_reach, "no case", None)
    got = f"median {median(values):.2f}, worst {max(values):.2f} {unit} ({len(values)})"
    return Row(key, figure, to_reach, got.replace("  ", " "), is_good and is_good(values), cases)
