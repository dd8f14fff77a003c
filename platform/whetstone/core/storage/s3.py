"""Files in S3 through boto3.

`when_required`: by default boto3 signs the checksum of an empty body into presigned links. Links are
signed against the public endpoint, since the host is part of what is signed.
"""

import base64
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from types import TracebackType
from typing import TYPE_CHECKING, Any

import boto3
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError
from django.utils.http import content_disposition_header

from whetstone.core.errors import Unavailable
from whetstone.core.storage.gateway import CHUNK_BYTES, PartInfo, SignedRequest, check_key

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

_GONE = {"NoSuchUpload", "NoSuchKey", "404", "NotFound"}


@dataclass(frozen=True, slots=True)
class S3Settings:
    """Empty endpoints mean AWS itself. Credentials are boto3's own affair (environment, role)."""

    endpoint: str
    public_endpoint: str
    bucket: str
    region: str


class S3Storage:
    def __init__(self, settings: S3Settings) -> None:
        self.bucket = settings.bucket
        self.client = _client(settings.endpoint, settings.region)
        self.signer = _client(settings.public_endpoint, settings.region)

    def multipart_start(self, key: str, *, size: int, part_size: int) -> str:
        with _errors():
            answer = self.client.create_multipart_upload(
                Bucket=self.bucket, Key=check_key(key), ContentType="application/octet-stream"
            )
        return answer["UploadId"]

    def part_url(
        self, key: str, multipart_id: str, number: int, *, size: int, expires: timedelta
    ) -> SignedRequest:
        params = {"UploadId": multipart_id, "PartNumber": number, "ContentLength": size}
        return SignedRequest(self._sign("upload_part", key, params, expires), "PUT")

    def parts_list(self, key: str, multipart_id: str) -> list[PartInfo]:
        pages = self.client.get_paginator("list_parts").paginate(
            Bucket=self.bucket, Key=check_key(key), UploadId=multipart_id
        )
        with _errors():
            return [
                PartInfo(part["PartNumber"], part["Size"], part["ETag"])
                for page in pages
                for part in page.get("Parts", [])
            ]
        return []

    def multipart_complete(self, key: str, multipart_id: str, parts: Sequence[PartInfo]) -> None:
        with _errors():
            self.client.complete_multipart_upload(
                Bucket=self.bucket,
                Key=check_key(key),
                UploadId=multipart_id,
                MultipartUpload={"Parts": [{"PartNumber": p.number, "ETag": p.etag} for p in parts]},
            )
        if self.stat(key) is None:
            raise FileNotFoundError(key)

    def multipart_abort(self, key: str, multipart_id: str) -> None:
        with _errors():
            self.client.abort_multipart_upload(Bucket=self.bucket, Key=check_key(key), UploadId=multipart_id)

    def get_url(self, key: str, *, expires: timedelta, filename: str = "") -> str:
        disposition = content_disposition_header(as_attachment=True, filename=filename) or "attachment"
        params = {
            "ResponseContentDisposition": disposition,
            "ResponseContentType": "application/octet-stream",
        }
        return self._sign("get_object", key, params, expires)

    def put_url(self, key: str, *, size: int, sha256: str, expires: timedelta) -> SignedRequest:
        checksum = base64.b64encode(bytes.fromhex(sha256)).decode()
        params = {"ContentLength": size, "ChecksumSHA256": checksum}
        url = self._sign("put_object", key, params, expires)
        return SignedRequest(url, "PUT", {"x-amz-checksum-sha256": checksum})

    def open(self, key: str) -> Iterator[bytes]:
        with _errors():
            body = self.client.get_object(Bucket=self.bucket, Key=check_key(key))["Body"]
            yield from body.iter_chunks(CHUNK_BYTES)
            return
        raise FileNotFoundError(key)

    def stat(self, key: str) -> int | None:
        with _errors():
            return self.client.head_object(Bucket=self.bucket, Key=check_key(key))["ContentLength"]
        return None

    def delete(self, key: str) -> None:
        with _errors():
            self.client.delete_object(Bucket=self.bucket, Key=check_key(key))

    def _sign(self, operation: str, key: str, params: dict[str, Any], expires: timedelta) -> str:
        return self.signer.generate_presigned_url(
            operation,
            Params={"Bucket": self.bucket, "Key": check_key(key), **params},
            ExpiresIn=int(expires.total_seconds()),
        )


def _client(endpoint: str, region: str) -> "S3Client":
    return boto3.client(
        "s3",
        endpoint_url=endpoint or None,
        region_name=region,
        config=Config(
            signature_version="s3v4",
            s3={"addressing_style": "path"},
            request_checksum_calculation="when_required",
            response_checksum_validation="when_required",
            connect_timeout=3,
            read_timeout=60,
            retries={"max_attempts": 2, "mode": "standard"},
        ),
    )


class _errors:  # noqa: N801 (used like a function)
    """Passes over "there is no such thing"; any other trouble is Unavailable("FILES_UNAVAILABLE")."""

    def __enter__(self) -> None:
        return None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        if isinstance(error, ClientError) and error.response.get("Error", {}).get("Code") in _GONE:
            return True
        if isinstance(error, ClientError | BotoCoreError):
            raise Unavailable("FILES_UNAVAILABLE") from error
        return False
