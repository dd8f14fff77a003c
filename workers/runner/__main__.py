"""`python -m workers.runner`: say what this machine is, then carry out the jobs that are meant for it."""

from __future__ import annotations

import argparse
import logging
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from optimizers.spec.codec import CodecError, loads
from optimizers.spec.host import Probe
from workers.runner.api import ApiRefused, ApiUnavailable, PlatformApi, Registration, StaleLease
from workers.runner.app import app_make
from workers.runner.child import engine_environment
from workers.runner.liveness import Liveness, liveness_add
from workers.runner.scratch import leftovers_remove
from workers.runner.settings import ISOLATION, VERSION, Settings, SettingsInvalid, settings_read
from workers.runner.stopping import StopPipe

_PROBE_SECONDS = 120
_ABOUT = "Registers this machine with the platform and carries out the jobs of its targets."
_VARIABLES = """environment:
  WHETSTONE_API_URL               the platform (http://127.0.0.1:8000)
  WHETSTONE_HOST_CREDENTIAL_FILE  file with this host's credential (required)
  WHETSTONE_REDIS_URL             broker (redis://127.0.0.1:6379/0)
  WHETSTONE_RUNNER_SCRATCH        folder for jobs and locks; one per machine
  WHETSTONE_RUNNER_CONCURRENCY    jobs at once (2); measurements still have the machine alone
  WHETSTONE_JOB_MEMORY_BYTES      memory of one job (8 GiB)
"""

logger = logging.getLogger("whetstone.runner")


def main(arguments: Sequence[str]) -> int:
    """Run until told to stop; 2 for wrong settings, 1 where the platform does not know this host."""
    argparse.ArgumentParser(
        prog="python -m workers.runner",
        description=_ABOUT,
        epilog=_VARIABLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    ).parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s %(message)s")
    logging.getLogger("httpx").setLevel(logging.WARNING)
    try:
        settings = settings_read()
        settings.scratch.mkdir(parents=True, exist_ok=True)
        leftovers_remove(settings.scratch)
        registered = register(settings, probe())
    except (SettingsInvalid, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except (ApiRefused, ProbeFailed) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return consume(settings, registered)


class ProbeFailed(Exception):
    """The engine does not say what this machine is."""


def probe() -> Probe:
    """What the engine finds here, asked in a process of its own: this one loads no inference library."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            done = subprocess.run(
                [sys.executable, "-P", "-m", "optimizers", "probe"],
                cwd=folder,
                env=engine_environment(Path(folder), "", os.environ) | {"TMPDIR": folder},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=_PROBE_SECONDS,
                check=True,
            )
            return loads(Probe, done.stdout)
        except subprocess.CalledProcessError as error:
            raise ProbeFailed(f"probe: {error.stderr.decode(errors='replace')[-500:]}") from None
        except (subprocess.TimeoutExpired, CodecError) as error:
            raise ProbeFailed(f"probe: {error}") from None


def register(settings: Settings, found: Probe) -> Registration:
    """Ask until the platform answers: it may be starting at this moment. ApiRefused ends it."""
    wait = 0.5
    with PlatformApi(settings.api_url, settings.credential) as api:
        while True:
            try:
                return api.register(found, VERSION, ISOLATION)
            except (ApiUnavailable, StaleLease, CodecError) as error:
                logger.info("waiting for the platform at %s: %s", settings.api_url, error)
            time.sleep(wait)
            wait = min(2 * wait, 5.0)


def consume(settings: Settings, registered: Registration) -> int:
    """The Celery worker on the queues that the platform named."""
    app = app_make(settings, StopPipe())
    liveness_add(app, Liveness(settings, registered.queues), registered.heartbeat_seconds)
    logger.info("%s serves %s", registered.host_id, ", ".join(registered.queues))
    options = ["--pool=prefork", f"--concurrency={settings.concurrency}", "--loglevel=INFO"]
    options += ["--without-gossip", "--without-mingle", "--without-heartbeat", "-n", "runner@%h"]
    app.worker_main(["worker", *options, "-Q", ",".join(registered.queues)])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
