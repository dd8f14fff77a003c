"""What uploads say over HTTP."""

from datetime import datetime
from typing import Annotated, Literal

from ninja import Schema
from pydantic import AfterValidator, Field, StringConstraints

from whetstone.core.text import PlainName

UploadStateName = Literal["receiving", "completed", "aborted", "expired"]
PurposeName = Literal["model", "dataset"]
Sha256 = Annotated[str, StringConstraints(pattern=r"^[0-9a-fA-F]{64}$"), AfterValidator(str.lower)]


class UploadIn(Schema):
    filename: str = Field(min_length=1, max_length=1000, examples=["detector.onnx"])
    size_bytes: int = Field(ge=0, lt=2**53, examples=[4745517])
    sha256: Sha256 = Field(
        description="Of the whole file, in hexadecimal.",
        examples=["9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"],
    )
    purpose: PurposeName = "model"
    model_name: PlainName | None = Field(
        None,
        description="The model to add a version to, or to make; left out: the file's name.",
        examples=["detector"],
    )


class UploadOut(Schema):
    id: str = Field(examples=["upl_01k6q0000000000000000000aa"])
    state: UploadStateName
    purpose: PurposeName
    filename: str
    size_bytes: int
    sha256: str
    part_size: int = Field(description="Bytes in every part but the last.")
    part_count: int
    received_parts: list[int] = Field(description="Numbers of the parts that have arrived whole.")
    received_bytes: int
    expires_at: datetime
    created_at: datetime
    model_id: str | None
    version_id: str | None
    dataset_id: str | None


class PartsIn(Schema):
    part_numbers: list[int] = Field(min_length=1, max_length=100, examples=[[1, 2, 3]])


class SignedPart(Schema):
    part_number: int
    url: str = Field(description="Send the part's bytes here; works for an hour, without a token.")
    method: str = Field(examples=["PUT"])
    headers: dict[str, str] = Field(description="To send with it.")


class PartsOut(Schema):
    parts: list[SignedPart]
