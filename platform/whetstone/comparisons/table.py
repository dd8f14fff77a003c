"""A comparison as CSV: one line per candidate, figures in full precision, safe to open as a spreadsheet."""

import csv
import io
import re

from whetstone.comparisons.schemas import CandidateOut, ComparisonOut

# What spreadsheets take for the beginning of a formula. A plain negative number is none.
_FORMULA = re.compile(r"\s*[=+\-@\t\r]")
_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_BEFORE = (
    "job_id",
    "target_slug",
    "target_name",
    "recipe_label",
    "recipe_id",
    "recipe_fingerprint",
    "backend",
    "is_baseline",
    "state",
    "failure_code",
    "failure_message",
    "precision_requested",
    "precision_effective",
    "device_effective",
    "status",
    "samples",
)
_AFTER = (
    "speedup",
    "quality_verdict",
    "usd_per_hour",
    "price_kind",
    "price_source",
    "price_as_of",
    "recommended",
    "not_recommended_because",
    "on_pareto",
    "is_winner",
    "fingerprint_hash",
    "artifact_id",
)


def comparison_csv(comparison: ComparisonOut) -> str:
    """Header and rows, CRLF as RFC 4180 has it. An empty cell is a figure that could not be taken."""
    buffer = io.StringIO()
    writer = csv.writer(buffer)
    writer.writerow([*_BEFORE, *comparison.metrics, *_AFTER])
    for candidate in comparison.candidates:
        winner = candidate.job_id == comparison.winner_job_id
        cells = [
            *_before(candidate),
            *(candidate.values[name] for name in comparison.metrics),
            *_after(candidate, winner=winner),
        ]
        writer.writerow([cell(value) for value in cells])
    return buffer.getvalue()


def cell(value: object) -> str:
    """The value as text that no spreadsheet takes for a formula."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    text = str(value)
    if _FORMULA.match(text) and not _NUMBER.fullmatch(text):
        return f"'{text}"
    return text


def _before(candidate: CandidateOut) -> list[object]:
    failure = candidate.failure
    return [
        candidate.job_id,
        candidate.target.slug,
        candidate.target.name,
        candidate.recipe_label,
        candidate.recipe_id,
        candidate.recipe_fingerprint,
        candidate.backend,
        candidate.is_baseline,
        candidate.state,
        failure.code if failure else None,
        failure.message if failure else None,
        candidate.precision_requested,
        candidate.precision_effective,
        candidate.device_effective,
        candidate.status,
        candidate.samples,
    ]


def _after(candidate: CandidateOut, *, winner: bool) -> list[object]:
    price = candidate.price
    return [
        candidate.speedup,
        candidate.quality.verdict if candidate.quality else None,
        price.usd_per_hour if price else None,
        price.kind if price else None,
        price.source if price else None,
        price.as_of if price else None,
        candidate.recommended,
        candidate.not_recommended_because,
        candidate.on_pareto,
        winner,
        candidate.fingerprint_hash,
        candidate.artifact.id if candidate.artifact else None,
    ]
