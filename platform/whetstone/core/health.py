"""GET /health/live: the process answers. GET /health/ready: it can also do its work."""

import logging

from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse

from whetstone.core.errors import Unavailable, WhetstoneError
from whetstone.core.problems import problem_response
from whetstone.core.storage import storage

logger = logging.getLogger("whetstone.health")
_PROBE_KEY = "health/probe"
_migrated = False


def live(request: HttpRequest) -> HttpResponse:
    return JsonResponse({"status": "ok"})


def ready(request: HttpRequest) -> HttpResponse:
    """503 with a reason while the database, its migrations or the file store are not there."""
    try:
        _check_database()
        storage().stat(_PROBE_KEY)
    except WhetstoneError as error:
        return problem_response(error)
    except DatabaseError as error:
        logger.warning("not ready", exc_info=error)
        return problem_response(Unavailable("UNAVAILABLE", "The database does not answer."))
    return JsonResponse({"status": "ok"})


def _check_database() -> None:
    """Migrations are looked at until they are all there; they do not go away in a running process."""
    global _migrated
    if not _migrated:
        executor = MigrationExecutor(connection)
        if executor.migration_plan(executor.loader.graph.leaf_nodes()):
            raise Unavailable("UNAVAILABLE", "The database is not migrated yet.")
        _migrated = True
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
