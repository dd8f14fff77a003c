"""The end of a run in one sentence."""

from collections.abc import Sequence

from optimizers.spec.names import Objective
from whetstone.comparisons.domain import Candidate, Comparison
from whetstone.comparisons.rounding import short

UPLOADED = "the model as uploaded"


def headline(comparison: Comparison, run_state: str) -> str:
    """What won and by how much; or why nothing did."""
    winner = comparison.winner
    if winner is None:
        return _no_winner(comparison, run_state)
    if winner.measured.is_baseline:
        return _baseline_wins(comparison, winner)
    baseline = baseline_of(comparison.candidates, winner)
    place = f" on {winner.measured.target_name}" if _several_targets(comparison) else ""
    return f"{winner.measured.recipe.label}{place} {_gain(comparison, winner, baseline)}"


def baseline_of(candidates: Sequence[Candidate], candidate: Candidate) -> Candidate | None:
    """The baseline of the candidate's target, if it has a result."""
    target_id = candidate.measured.target_id
    return next(
        (
            c
            for c in candidates
            if c.measured.is_baseline and c.measured.target_id == target_id and c.measured.result
        ),
        None,
    )


def gain(comparison: Comparison, winner: Candidate) -> float | None:
    """How many times better than its baseline, by the objective; above 1 is better."""
    baseline = baseline_of(comparison.candidates, winner)
    if baseline is None:
        return None
    match comparison.goal.objective:
        case Objective.LATENCY:
            return winner.speedup
        case Objective.COST:
            mine, other = winner.value("usd_per_million"), baseline.value("usd_per_million")
            return other / mine if mine and other else None
    rate, before = winner.figures.rate, baseline.figures.rate
    return rate / before if rate and before else None


def _gain(comparison: Comparison, winner: Candidate, baseline: Candidate | None) -> str:
    times = gain(comparison, winner)
    match comparison.goal.objective:
        case Objective.LATENCY:
            p50, before = (
                winner.value("latency_p50_ms"),
                baseline.value("latency_p50_ms") if baseline else None,
            )
            if p50 is None or before is None or times is None:
                return "is the fastest."
            how = f"{short(times)}x faster than {UPLOADED}" if times > 1 else f"as fast as {UPLOADED}"
            return f"is {how}: p50 {short(p50)} ms instead of {short(before)} ms."
        case Objective.COST:
            cost = winner.value("usd_per_million") or 0.0
            less = f", {short(times)}x less than {UPLOADED}" if times is not None and times > 1 else ""
            return f"is the cheapest: ${short(cost)} per million{less}."
    rate = winner.figures.rate or 0.0
    more = f", {short(times)}x as many as {UPLOADED}" if times is not None else ""
    return f"serves the most: {short(rate)} items/s{more}."


def _baseline_wins(comparison: Comparison, winner: Candidate) -> str:
    faster = [c for c in comparison.candidates if c.speedup is not None and c.speedup > 1 and c.objections]
    tempting = max(faster, key=lambda c: c.speedup or 0.0, default=None)
    if tempting is None:
        return f"Nothing beat {UPLOADED}."
    label, times = tempting.measured.recipe.label, short(tempting.speedup or 0.0)
    return f"Keep {UPLOADED}: {label} is {times}x faster, but not recommended. {tempting.objections[0]}"


def _no_winner(comparison: Comparison, run_state: str) -> str:
    measured = [c for c in comparison.candidates if c.measured.result is not None]
    if run_state == "cancelled":
        return "The run was cancelled before anything could be recommended."
    if run_state == "timed_out":
        return "The run reached its time limit before anything could be recommended."
    if not measured:
        return "No job succeeded, so there is nothing to compare."
    best = min(measured, key=lambda c: (len(c.objections), c.value("latency_p50_ms") or float("inf")))
    reason = f" {best.measured.recipe.label}: {best.objections[0]}" if best.objections else ""
    return f"Nothing can be recommended.{reason}"


def _several_targets(comparison: Comparison) -> bool:
    return len({c.measured.target_id for c in comparison.candidates}) > 1
