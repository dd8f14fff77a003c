"""The servers that other tests rely on are real: each answers in its own protocol."""

from __future__ import annotations

import smtplib
from dataclasses import replace
from email.message import EmailMessage
from typing import TYPE_CHECKING

import httpx
import psycopg2
import pytest
import redis

from tests.servers.s3 import S3Server
from tests.servers.smtp import SmtpServer

if TYPE_CHECKING:
    from mypy_boto3_s3.type_defs import CompletedMultipartUploadTypeDef


def test_postgres_answers_sql(postgres_url: str) -> None:
    connection = psycopg2.connect(postgres_url)
    try:
        with connection.cursor() as cursor:
            cursor.execute("select count(*) from pg_stat_activity where pid = pg_backend_pid()")
            assert cursor.fetchone() == (1,)
    finally:
        connection.close()


def test_valkey_never_evicts(redis_url: str) -> None:
    client = redis.Redis.from_url(redis_url)
    assert client.ping()
    assert client.config_get("maxmemory-policy") == {"maxmemory-policy": "noeviction"}


def test_s3_takes_a_multipart_upload(s3_server: S3Server) -> None:
    client, bucket = s3_server.client(), s3_server.bucket
    upload = client.create_multipart_upload(Bucket=bucket, Key="a/b")["UploadId"]
    part = client.upload_part(Bucket=bucket, Key="a/b", UploadId=upload, PartNumber=1, Body=b"x" * 1024)
    parts: CompletedMultipartUploadTypeDef = {"Parts": [{"PartNumber": 1, "ETag": part["ETag"]}]}
    client.complete_multipart_upload(Bucket=bucket, Key="a/b", UploadId=upload, MultipartUpload=parts)
    assert client.head_object(Bucket=bucket, Key="a/b")["ContentLength"] == 1024


def test_s3_checks_the_signature_of_a_presigned_url(s3_server: S3Server) -> None:
    def put_status(server: S3Server) -> int:
        parameters = {"Bucket": server.bucket, "Key": "signed"}
        url = server.client().generate_presigned_url("put_object", Params=parameters, ExpiresIn=60)
        return httpx.put(url, content=b"bytes").status_code

    assert put_status(s3_server) == 200
    assert put_status(replace(s3_server, secret_key="not-the-secret")) == 403


def test_smtp_demands_authentication(smtp_server: SmtpServer) -> None:
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "whetstone@example.org", "alice@example.org", "Grüße"
    mail.set_content("done")
    with smtplib.SMTP(smtp_server.host, smtp_server.port) as client:
        with pytest.raises(smtplib.SMTPException):
            client.send_message(mail)
        client.login(smtp_server.user, smtp_server.password)
        client.send_message(mail)
    assert [m.message["Subject"] for m in smtp_server.messages] == ["Grüße"]
