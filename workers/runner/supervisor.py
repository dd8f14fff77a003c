"""One attempt at one job, from the claim to the last word. One thread; it opens no model.

    claim -> fetch -> prepare (host shared) -> wait -> measure (host alone) -> store -> finish

Every loop ticks the lease. What ends an attempt is an exception that passes through all of it: the child
is killed and the folder removed on the way.
"""

from __future__ import annotations

import errno
import logging
import select
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from optimizers.spec.codec import CodecError, dumps, to_json
from optimizers.spec.errors import WhetstoneFailure, failure
from optimizers.spec.job import ChildEvent, JobReport, JobSpec
from optimizers.spec.names import ArtifactKind, JobKind, Outcome, Phase, Stage
from workers.runner.api import ApiRefused, ApiUnavailable, Claim, PlatformApi, StaleLease
from workers.runner.child import Engine
from workers.runner.hostlock import HostLock
from workers.runner.joblog import JobLog
from workers.runner.lease import CancelAsked, DeadlinePassed, Lease, LeaseLost, StopAsked, boot_clock
from workers.runner.results import Ending, crash_check, failed, phase_result, produced_files, unexpected
from workers.runner.scratch import job_folder
from workers.runner.settings import Settings
from workers.runner.transfers import OutFile, fetch, out_file, store
from workers.runner.watch import Watch

LAST_WORD_SECONDS = 600.0
LOG_NAME = "job.log"
# The measurement shares the machine with this loop: it looks less often then.
_LOOK_SECONDS = {Phase.PREPARE: 0.05, Phase.MEASURE: 0.25}

logger = logging.getLogger("whetstone.runner")


def execute(settings: Settings, api: PlatformApi, job_id: str, stop: Callable[[], bool]) -> str | None:
    """Carry out the job if it is to be had; its state afterwards, None where there is nothing to say.

    `stop` is asked all the time: once it says True, the child is killed and the job handed back.
    """
    sent_at = boot_clock()
    try:
        claim = api.claim(job_id)
    except (ApiUnavailable, ApiRefused, StaleLease, CodecError) as error:
        logger.warning("job %s: not claimed: %s", job_id, error)
        return None
    if claim is None:
        return None
    lease = Lease(api, claim, sent_at, stop)
    try:
        with job_folder(settings.scratch) as folder:
            return _Attempt(settings, api, claim, lease, folder).run()
    except LeaseLost as lost:
        logger.warning("job %s: lease lost: %s", job_id, lost)
    except StopAsked:
        return _release(api, job_id, lease.token)
    return None


def _release(api: PlatformApi, job_id: str, token: int) -> str | None:
    for _ in range(3):
        try:
            api.release(job_id, token)
            return "released"
        except ApiUnavailable:
            time.sleep(0.5)
        except (ApiRefused, StaleLease):
            break
    return None


class _Attempt:
    def __init__(
        self, settings: Settings, api: PlatformApi, claim: Claim, lease: Lease, folder: Path
    ) -> None:
        self._settings, self._api, self._claim, self._lease = settings, api, claim, lease
        limits = claim.job.limits
        memory = min(limits.memory_bytes, settings.job_memory_bytes)
        self._job: JobSpec = replace(claim.job, limits=replace(limits, memory_bytes=memory))
        self._inputs, self._output, self._ours = folder / "job", folder / "out", folder / "ours"
        for part in (self._inputs / "tmp", self._output, self._ours):
            part.mkdir(parents=True)
        self._log = JobLog(self._ours / LOG_NAME, folder)
        self._artifacts: list[dict[str, object]] = []

    def run(self) -> str | None:
        try:
            ending = self._ending()
            self._lease.close()
            self._lease.flush()
            if ending.outcome is not Outcome.CANCELLED:
                self._store_log()
            return self._finish(ending)
        finally:
            self._log.close()

    def _ending(self) -> Ending:
        """The work, and every way in which it can end but for a lost lease and a stop."""
        try:
            return self._work()
        except WhetstoneFailure as error:
            return failed(error.failure)
        except CancelAsked:
            return Ending(Outcome.CANCELLED)
        except DeadlinePassed:
            return failed(failure("DEADLINE_PASSED"))
        except OSError as error:
            logger.exception("job %s", self._job.job_id)
            full = error.errno in (errno.ENOSPC, errno.EDQUOT)
            return failed(failure("SCRATCH_FULL") if full else unexpected())
        except (LeaseLost, StopAsked):
            raise
        except Exception:
            logger.exception("job %s", self._job.job_id)
            return failed(unexpected())

    def _work(self) -> Ending:
        self._fetch()
        lock = HostLock(self._settings.scratch / "locks")
        try:
            self._wait_for(lock.try_shared)
            report = self._phase(Phase.PREPARE)
            lock.release()
            if report is None:
                self._lease.stage_started(Stage.WAIT)
                self._wait_for(lock.try_exclusive)
                self._lease.stage_finished(Stage.WAIT)
                # Nothing of our own beside the measurement: what is to be said is said before.
                self._lease.flush()
                report = self._phase(Phase.MEASURE)
        finally:
            lock.close()
        if report is None:
            raise WhetstoneFailure("PROTOCOL_ERROR", reason="no report")
        if report.failure is not None:
            return failed(report.failure, report)
        self._store(produced_files(self._lease, report, self._output))
        return Ending(Outcome.SUCCEEDED, report)

    def _fetch(self) -> None:
        self._lease.stage_started(Stage.FETCH)
        self._lease.flush()
        for wanted in self._claim.inputs:
            fetch(self._api, self._lease, wanted, self._inputs)
        (self._inputs / "job.json").write_text(dumps(self._job), encoding="utf-8")
        self._lease.stage_finished(Stage.FETCH)

    def _wait_for(self, taken: Callable[[], bool]) -> None:
        while not taken():
            self._lease.tick()
            time.sleep(0.05)

    def _phase(self, phase: Phase) -> JobReport | None:
        printed = self._ours / f"{phase}.txt"
        engine = Engine(self._inputs, self._output, phase, printed)
        watch = Watch(engine, self._job.limits, self._output, printed)
        try:
            code = self._attend(engine, watch, _LOOK_SECONDS[phase])
        finally:
            engine.end()
            self._log.printed(printed)
        crash_check(code, self._lease.stage)
        watch.check_disk()
        return phase_result(self._job, phase, self._output)

    def _attend(self, engine: Engine, watch: Watch, look_seconds: float) -> int:
        """Listen, watch and tell, until the process has ended; its exit code."""
        while (code := engine.poll()) is None:
            select.select([engine.events.descriptor], [], [], look_seconds)
            for event in engine.events.read():
                self._note(event)
            watch.check(self._lease.stage)
            self._lease.tick()
        for event in engine.events.drain():
            self._note(event)
        return code

    def _note(self, event: ChildEvent) -> None:
        self._lease.add(event)
        self._log.event(event)

    def _store(self, files: list[OutFile]) -> None:
        if self._job.kind is JobKind.INSPECT:
            return
        self._lease.stage_started(Stage.STORE)
        for file in files:
            self._artifacts.append(store(self._api, self._lease, self._job.job_id, file))
        self._lease.stage_finished(Stage.STORE)

    def _store_log(self) -> None:
        """A log that cannot be stored changes nothing of how the job ended."""
        self._log.close()
        try:
            file = out_file(self._lease, self._log.path, ArtifactKind.LOG, LOG_NAME)
            if file.size_bytes:
                self._artifacts.append(store(self._api, self._lease, self._job.job_id, file))
        except (WhetstoneFailure, OSError) as error:
            logger.warning("job %s: log not stored: %s", self._job.job_id, error)

    def _finish(self, ending: Ending) -> str | None:
        """Say how it ended until that is answered: saying it twice is harmless, by the token."""
        body: dict[str, object] = {
            "token": self._lease.token,
            "outcome": str(ending.outcome),
            "report": to_json(ending.report) if ending.report else None,
            "failure": to_json(ending.why) if ending.why else None,
            "artifacts": self._artifacts,
        }
        end = boot_clock() + LAST_WORD_SECONDS
        while boot_clock() < end:
            try:
                return self._api.finish(self._job.job_id, body)
            except StaleLease:
                raise LeaseLost("the platform says so") from None
            except ApiRefused as error:
                logger.error("job %s: its end was refused: %s", self._job.job_id, error)
                body |= _refused()
                end = min(end, boot_clock() + 10)
            except ApiUnavailable as error:
                logger.warning("job %s: its end was not answered: %s", self._job.job_id, error)
            time.sleep(1.0)
            self._lease.keep()
        raise LeaseLost("nobody took its last word")


def _refused() -> dict[str, object]:
    """What is said instead of an end that the platform cannot read."""
    why = failure("PROTOCOL_ERROR", reason="the platform refused the result")
    return {"outcome": str(Outcome.FAILED), "report": None, "failure": to_json(why), "artifacts": []}
