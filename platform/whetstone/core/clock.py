"""The only clock that decides anything: the database's. Hosts' clocks differ, and so do web processes'."""

from datetime import UTC, datetime

from django.db import connection


def db_now() -> datetime:
    """Now by the database, in UTC. Inside a PostgreSQL transaction it still moves (clock_timestamp)."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT clock_timestamp()")
            value: datetime = cursor.fetchone()[0]
            return value.astimezone(UTC)
        cursor.execute("SELECT strftime('%Y-%m-%dT%H:%M:%f', 'now')")
        return datetime.fromisoformat(cursor.fetchone()[0]).replace(tzinfo=UTC)
