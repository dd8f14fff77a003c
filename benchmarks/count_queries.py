"""A child process of api_latency.py: how many queries one request makes.

python -m benchmarks.count_queries TOKEN PATH
"""

from __future__ import annotations

import sys

import django

django.setup()

from django.db import connection  # noqa: E402
from django.test import Client  # noqa: E402
from django.test.utils import CaptureQueriesContext  # noqa: E402


def main() -> None:
    client = Client(headers={"Authorization": f"Bearer {sys.argv[1]}", "Host": "127.0.0.1"})
    client.get(sys.argv[2])  # the first request also looks at migrations and caches
    with CaptureQueriesContext(connection) as queries:
        answer = client.get(sys.argv[2])
    if answer.status_code != 200:
        raise SystemExit(f"{sys.argv[2]}: {answer.status_code}")
    print(len(queries))


if __name__ == "__main__":
    main()
