"""The file store: one gateway, a local folder or S3 behind it, the same protocol on both."""

from functools import cache

from django.conf import settings
from django.http import HttpRequest

from whetstone.core.storage.gateway import PartInfo, SignedRequest, Storage, check_key
from whetstone.core.storage.local import LocalStorage
from whetstone.core.storage.s3 import S3Settings, S3Storage

__all__ = ["PartInfo", "SignedRequest", "Storage", "check_key", "local_storage", "storage", "url_as_seen_by"]


@cache
def storage() -> Storage:
    """The store that the settings name; one per process."""
    if settings.STORAGE_KIND == "s3":
        return S3Storage(
            S3Settings(
                endpoint=settings.S3_ENDPOINT,
                public_endpoint=settings.S3_PUBLIC_ENDPOINT,
                bucket=settings.S3_BUCKET,
                region=settings.S3_REGION,
            )
        )
    return local_storage()


@cache
def local_storage() -> LocalStorage:
    return LocalStorage(root=settings.WHETSTONE_DATA_DIR / "files", base_url=settings.WHETSTONE_PUBLIC_URL)


def url_as_seen_by(request: HttpRequest, url: str) -> str:
    """A link to our own /files/ under the name by which this client reached us; S3 links stay as they are.

    The page may be open at localhost while the public address says 127.0.0.1, and its security policy
    lets it send bytes to its own origin only.
    """
    base = f"{settings.WHETSTONE_PUBLIC_URL}/files/"
    if url.startswith(base):
        return request.build_absolute_uri(f"/files/{url.removeprefix(base)}")
    return url
