"""What speaks against a candidate. An int8 that is slower or a bf16 that is wrong is said so, not hidden."""

from optimizers.spec.measurement import Quality
from optimizers.spec.names import Objective, Status, Verdict
from whetstone.comparisons.domain import Candidate, Goal, Measured
from whetstone.comparisons.rounding import short

BASELINE_FAILED = "BASELINE_FAILED: the baseline has no result on this target, so nothing can be compared."
OTHER_HOST = "It was measured on another machine state than its baseline (host fingerprints differ)."


def unsound_because(job: Measured) -> tuple[str, ...]:
    """Why the figures of this job alone are not to be believed, or not of what was asked."""
    if job.result is None:
        return (_no_result(job),)
    found = [
        _quality_objection(job.result.quality, is_baseline=job.is_baseline),
        _precision_objection(job),
        _device_objection(job),
        _status_objection(job),
    ]
    return tuple(sentence for sentence in found if sentence)


def objections_to(candidate: Candidate, baseline: Candidate | None, goal: Goal) -> tuple[str, ...]:
    """Everything that speaks against recommending it, most important first.

    `baseline`: of the same target, None where it has no result.
    """
    job = candidate.measured
    if job.result is None:
        return candidate.unsound
    found = list(candidate.unsound)
    if not job.is_baseline:
        if baseline is None or baseline.measured.result is None:
            found.append(BASELINE_FAILED)
        elif baseline.measured.fingerprint_hash != job.fingerprint_hash:
            found.append(OTHER_HOST)
    goal_objection = _goal_objection(candidate, goal)
    if goal_objection:
        found.append(goal_objection)
    elif baseline is not None and not job.is_baseline:
        found.append(_slower(candidate, baseline, goal))
    return tuple(sentence for sentence in found if sentence)


def score(candidate: Candidate, goal: Goal) -> float | None:
    """What the objective minimises; None where it is not known."""
    if goal.objective is Objective.LATENCY:
        return candidate.value("latency_p50_ms")
    if goal.objective is Objective.COST:
        return candidate.value("usd_per_million")
    return -candidate.figures.rate if candidate.figures.rate is not None else None


def _no_result(job: Measured) -> str:
    if job.state in ("queued", "running"):
        return "It is not measured yet."
    state = job.state.replace("_", " ")
    return f"The job {state}: {job.failure.message}" if job.failure else f"The job was {state}."


def _quality_objection(quality: Quality | None, *, is_baseline: bool) -> str:
    if quality is None:
        return "" if is_baseline else "Its answers were not compared."
    if quality.verdict == Verdict.PASS or (is_baseline and quality.verdict == Verdict.NOT_COMPARABLE):
        return ""
    if quality.verdict == Verdict.NOT_COMPARABLE:
        return f"Its answers cannot be compared: {quality.note or 'no reason given'}."
    how = [
        f"{name} {short(value)}"
        for name, value in (("cosine", quality.cosine), ("max abs error", quality.max_abs))
        if value is not None
    ]
    begin = "Its answers differ" if quality.verdict == Verdict.DIFFERS else "Its answers are wrong"
    return f"{begin}: {', '.join(how) or quality.note or 'no figure'}."


def _precision_objection(job: Measured) -> str:
    effective = job.result.precision_effective if job.result else None
    if effective == job.recipe.precision:
        return ""
    return f"It ran in {effective or 'an unknown precision'}, not in {job.recipe.precision} as asked."


def _device_objection(job: Measured) -> str:
    effective = job.result.device_effective if job.result else None
    return (
        ""
        if effective == job.device
        else f"It ran on {effective or 'an unknown device'}, not on {job.device}."
    )


def _status_objection(job: Measured) -> str:
    single = job.single_stream
    if single is None:
        return "Its latency was not measured."
    reason = f": {single.status_reason}" if single.status_reason else ""
    match single.status:
        case Status.TOO_FEW_SAMPLES:
            return f"Not enough samples{reason}."
        case Status.UNSTEADY:
            return f"The measurement was unsteady{reason}."
        case Status.NOISY_HOST:
            return f"The machine was busy with something else{reason}."
    return ""


def _goal_objection(candidate: Candidate, goal: Goal) -> str:
    """Whether the objective and the SLA can be judged and are met."""
    figures = candidate.figures
    if goal.sla_p99_ms is not None and goal.objective is Objective.LATENCY:
        p99 = candidate.value("latency_p99_ms")
        if p99 is None:
            return f"It is not known whether p99 keeps the SLA: {figures.missing['latency_p99_ms']}."
        if p99 > goal.sla_p99_ms:
            return f"p99 is {short(p99)} ms, above the SLA of {goal.sla_p99_ms:g} ms."
    if goal.objective is not Objective.LATENCY and figures.rate is None:
        return f"Its rate is not known: {figures.rate_missing}."
    if goal.objective is not Objective.LATENCY and figures.rate_doubt:
        return f"The throughput measurement was unsteady: {figures.rate_doubt}."
    if score(candidate, goal) is None:
        return f"Its cost is not known: {figures.missing.get('usd_per_million', 'not reported')}."
    return ""


def _slower(candidate: Candidate, baseline: Candidate, goal: Goal) -> str:
    mine, other = score(candidate, goal), score(baseline, goal)
    if mine is None or other is None or mine <= other:
        return ""
    if goal.objective is Objective.LATENCY:
        return f"It is slower than the baseline: p50 {short(mine)} ms against {short(other)} ms."
    if goal.objective is Objective.COST:
        return f"It costs more than the baseline: ${short(mine)} against ${short(other)} per million."
    return f"It serves less than the baseline: {short(-mine)} against {short(-other)} items/s."
