"""Comparisons and the metrics' definitions."""

from django.http import HttpRequest, HttpResponse
from ninja import Router

from optimizers.spec.metrics import METRICS
from whetstone.accounts.auth import ApiRequest
from whetstone.comparisons.queries import run_comparison
from whetstone.comparisons.schemas import ComparisonOut, MetricOut, MetricsOut
from whetstone.comparisons.shapes import comparison_out
from whetstone.comparisons.table import comparison_csv

router = Router(tags=["Comparison"])


@router.get(
    "/runs/{run_id}/comparison",
    response=ComparisonOut,
    operation_id="run_comparison",
    summary="Compare a run's results",
)
def comparison_get(request: ApiRequest, run_id: str) -> ComparisonOut:
    """Every recipe on every target against the model as uploaded; complete once the run has ended."""
    return comparison_out(run_comparison(request.workspace, run_id))


@router.get(
    "/runs/{run_id}/comparison.csv",
    operation_id="run_comparison_csv",
    summary="Compare a run's results, as CSV",
)
def comparison_export(request: ApiRequest, run_id: str) -> HttpResponse:
    """One line per candidate, figures in full precision. Text that a spreadsheet would run as a formula
    begins with a quote."""
    found = run_comparison(request.workspace, run_id)
    response = HttpResponse(comparison_csv(comparison_out(found)), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="comparison-{found.run.pk}.csv"'
    return response


@router.get(
    "/metrics", response=MetricsOut, auth=None, operation_id="metric_list", summary="List the metrics"
)
def metric_list(request: HttpRequest) -> MetricsOut:
    """Name, unit, formula and direction of everything that a comparison shows: one definition each."""
    return MetricsOut(items=[MetricOut.model_validate(metric, from_attributes=True) for metric in METRICS])
