"""The front of two costs: on it is whom no other equals or beats in both while beating it in one."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from whetstone.comparisons.domain import Candidate, Pareto

Y = "latency_p50_ms"
COST, MEMORY = "usd_per_million", "peak_memory_bytes"
NO_PRICES = "No candidate has a cost, so memory takes its place."


@dataclass(frozen=True, slots=True)
class Point:
    job_id: str
    x: float
    y: float


def front(points: Iterable[Point]) -> list[Point]:
    """Both axes minimised, from the least x on. Equal points are on it together or not at all."""
    kept: list[Point] = []
    for point in sorted(points, key=lambda point: (point.x, point.y)):
        last = kept[-1] if kept else None
        if last is None or point.y < last.y or (point.x, point.y) == (last.x, last.y):
            kept.append(point)
    return kept


def pareto_of(candidates: Sequence[Candidate]) -> Pareto:
    """Over the candidates that can be believed; the note says who is left out and why."""
    sound = [candidate for candidate in candidates if not candidate.unsound]
    x = COST if any(candidate.value(COST) is not None for candidate in sound) else MEMORY
    points, left_out = [], [f"{len(candidates) - len(sound)} not to be relied on"]
    without: dict[str, int] = {}
    for candidate in sound:
        at, height = candidate.value(x), candidate.value(Y)
        if at is None or height is None:
            missing = candidate.figures.missing
            reason = missing.get(x) or missing.get(Y, "not measured")
            without[reason] = without.get(reason, 0) + 1
        else:
            points.append(Point(candidate.job_id, at, height))
    left_out = left_out if len(sound) < len(candidates) else []
    left_out += [f"{count} {reason}" for reason, count in without.items()]
    notes = [NO_PRICES] if x == MEMORY else []
    if left_out:
        notes.append(f"Left out: {', '.join(left_out)}.")
    return Pareto(x, Y, tuple(point.job_id for point in front(points)), " ".join(notes))
