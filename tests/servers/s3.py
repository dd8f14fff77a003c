"""Two real S3 servers that disagree in places: what works on both is not an accident of one.

`ministack` is an emulator that is strict on signatures, expiry and checksums. `juicefs gateway` is a Go
server with real sockets and disk, without CORS and without batch delete. Each lives in a virtual
environment of its own (`make test` makes them): they pin libraries that ours must not follow.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import boto3
from botocore.config import Config

from tests.servers.processes import ROOT, NotInstalled, child_process, free_port, wait_for_port

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client


BUCKET, KEY, SECRET = "whetstone", "whetstone-tests", "a-test-secret"


@dataclass(frozen=True)
class S3Server:
    """One running server with one empty bucket."""

    name: str
    endpoint: str
    bucket: str
    access_key: str
    secret_key: str
    region: str = "us-east-1"

    def client(self) -> S3Client:
        return boto3.client(
            "s3",
            endpoint_url=self.endpoint,
            aws_access_key_id=self.access_key,
            aws_secret_access_key=self.secret_key,
            region_name=self.region,
            config=Config(
                signature_version="s3v4",
                s3={"addressing_style": "path"},
                request_checksum_calculation="when_required",
                response_checksum_validation="when_required",
            ),
        )


@contextmanager
def ministack_server(folder: Path) -> Iterator[S3Server]:
    folder.mkdir(parents=True, exist_ok=True)
    port, log = free_port(), folder / "ministack.log"
    server = S3Server(
        "ministack", f"http://127.0.0.1:{port}", "whetstone", "whetstone-tests", "a-test-secret"
    )
    environment = {
        "AUTH": "true",
        "BIND_HOST": "127.0.0.1",
        "SERVICES": "s3",
        "GATEWAY_PORT": str(port),
        "STATE_DIR": str(folder),
        "S3_DATA_DIR": str(folder / "s3"),
        "AWS_ACCESS_KEY_ID": server.access_key,
        "AWS_SECRET_ACCESS_KEY": server.secret_key,
    }
    command = [_installed("ministack")]
    with child_process(command, log=log, environment=environment, folder=folder) as child:
        wait_for_port(child, port, log=log)
        server.client().create_bucket(Bucket=server.bucket)
        yield server


@contextmanager
def juicefs_server(folder: Path) -> Iterator[S3Server]:
    folder.mkdir(parents=True, exist_ok=True)
    binary, port, log = _installed("juicefs"), free_port(), folder / "juicefs.log"
    server = S3Server("juicefs", f"http://127.0.0.1:{port}", BUCKET, KEY, SECRET)
    meta = f"sqlite3://{folder}/meta.db"
    bucket = ["--storage", "file", "--bucket", f"{folder}/blobs/", "--trash-days", "0"]
    done = subprocess.run(
        [binary, "format", *bucket, meta, "tests"], capture_output=True, text=True, timeout=60, check=False
    )
    if done.returncode != 0:
        raise RuntimeError(done.stderr[-2000:])
    gateway = [binary, "gateway", "--multi-buckets", "--keep-etag", "--no-usage-report", "--no-banner"]
    options = [
        "--log",
        str(folder / "gateway.log"),
        "--cache-dir",
        str(folder / "cache"),
        "--backup-meta",
        "0",
    ]
    environment = {"MINIO_ROOT_USER": server.access_key, "MINIO_ROOT_PASSWORD": server.secret_key}
    command = [*gateway, *options, meta, f"127.0.0.1:{port}"]
    with child_process(command, log=log, environment=environment, folder=folder) as child:
        wait_for_port(child, port, log=log)
        server.client().create_bucket(Bucket=server.bucket)
        yield server


S3_SERVERS: dict[str, Callable[[Path], AbstractContextManager[S3Server]]] = {
    "ministack": ministack_server,
    "juicefs": juicefs_server,
}


def _installed(name: str) -> Path:
    program = ROOT / ".venv-s3" / name / "bin" / name
    if not program.exists():
        raise NotInstalled(f"The S3 server `{name}` is missing: make s3-servers installs it.")
    return program
