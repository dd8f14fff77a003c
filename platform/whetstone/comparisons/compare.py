"""A whole run compared."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from optimizers.spec.metrics import METRIC_NAMES
from whetstone.comparisons.domain import Candidate, Comparison, Goal, Measured, NotCompared
from whetstone.comparisons.figures import figures_of
from whetstone.comparisons.objections import (
    BASELINE_FAILED,
    OTHER_HOST,
    objections_to,
    score,
    unsound_because,
)
from whetstone.comparisons.pareto import pareto_of


def compare(jobs: Sequence[Measured], goal: Goal) -> Comparison:
    """Every job as a candidate, in the order given, with the winner for the goal if there is one."""
    bare = [Candidate(job, figures_of(job, goal.sla_p99_ms), unsound=unsound_because(job)) for job in jobs]
    baselines = {c.measured.target_id: c for c in bare if c.measured.is_baseline and c.measured.result}
    judged = [_judged(candidate, baselines.get(candidate.measured.target_id), goal) for candidate in bare]
    winner = _winner(judged, goal)
    pareto = pareto_of(judged)
    final = tuple(
        replace(
            candidate,
            recommended=_recommended(candidate, winner),
            on_pareto=candidate.job_id in pareto.job_ids,
        )
        for candidate in judged
    )
    chosen = next((c for c in final if winner is not None and c.job_id == winner.job_id), None)
    return Comparison(goal, final, pareto, chosen, _not_compared(final))


def _judged(candidate: Candidate, baseline: Candidate | None, goal: Goal) -> Candidate:
    versus: Mapping[str, float | None] = dict.fromkeys(METRIC_NAMES)
    speedup = None
    if baseline is not None and _comparable(candidate, baseline):
        versus = {name: _ratio(candidate.value(name), baseline.value(name)) for name in METRIC_NAMES}
        speedup = _ratio(baseline.value("latency_p50_ms"), candidate.value("latency_p50_ms"))
    return replace(
        candidate,
        versus_baseline=versus,
        speedup=speedup,
        objections=objections_to(candidate, baseline, goal),
    )


def _comparable(candidate: Candidate, baseline: Candidate) -> bool:
    mine, other = candidate.measured, baseline.measured
    return mine.result is not None and mine.fingerprint_hash == other.fingerprint_hash


def _ratio(value: float | None, base: float | None) -> float | None:
    if value is None or base is None or base == 0:
        return None
    return value / base


def _winner(candidates: Iterable[Candidate], goal: Goal) -> Candidate | None:
    """The best by the objective of those that nothing speaks against; of equals, the one tried first."""
    known = [(score(c, goal), c) for c in candidates if not c.objections]
    scored = [(value, c) for value, c in known if value is not None]
    return min(scored, key=lambda pair: pair[0])[1] if scored else None


def _recommended(candidate: Candidate, winner: Candidate | None) -> bool:
    """A baseline is what one has already: it is recommended only where nothing beats it."""
    if candidate.measured.is_baseline:
        return winner is not None and winner.job_id == candidate.job_id
    return not candidate.objections


def _not_compared(candidates: Iterable[Candidate]) -> tuple[NotCompared, ...]:
    groups: dict[str, list[str]] = defaultdict(list)
    for candidate in candidates:
        if candidate.measured.result is None:
            groups[candidate.figures.missing["latency_p50_ms"]].append(candidate.job_id)
            continue
        for reason in (BASELINE_FAILED, OTHER_HOST):
            if reason in candidate.objections:
                groups[reason].append(candidate.job_id)
    return tuple(NotCompared(reason, tuple(ids)) for reason, ids in groups.items())
