"""The failures that a job or an uploaded file can end in: one stable code each, with its next step.

    Failure (what is stored and shown)
      side user    the file or the request must change
      side limit   a stated limit was reached; a smaller job or a larger limit helps
      side system  ours to mend; retried where a retry can help

`CATALOG` holds one sentence and one next step per code. A message may be made more exact where it
is raised; the code and its meaning never change.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from optimizers.spec.names import Side


@dataclass(frozen=True)
class ErrorKind:
    """`retryable`: whether running the same job again can end differently."""

    code: str
    side: Side
    message: str
    hint: str
    retryable: bool = False


@dataclass(frozen=True)
class Failure:
    """What went wrong, in one sentence for a person and a code for a program. Never a trace or a path."""

    code: str
    side: Side
    message: str
    hint: str
    retryable: bool = False
    detail: Mapping[str, bool | int | float | str] = field(default_factory=dict)


class WhetstoneFailure(Exception):
    """Raise to end a job or a check with a code from the catalog."""

    def __init__(
        self, code: str, message: str = "", hint: str = "", **detail: str | int | float | bool
    ) -> None:
        self.failure = failure(code, message, hint, **detail)
        super().__init__(f"{code}: {self.failure.message}")


def failure(code: str, message: str = "", hint: str = "", **detail: str | int | float | bool) -> Failure:
    """A Failure of the catalog's kind, with a more exact sentence where one is given."""
    kind = CATALOG[code]
    return Failure(code, kind.side, message or kind.message, hint or kind.hint, kind.retryable, detail)


_FILE = {
    "EMPTY_FILE": ("The file is empty.", "Export the model again and upload the result."),
    "NOT_A_MODEL": (
        "The file is not a model in a known format.",
        "Upload an ONNX file, or a zip with one inside.",
    ),
    "TRUNCATED": (
        "The file ends before the model does.",
        "Upload it again; compare its size with the original.",
    ),
    "LFS_POINTER": (
        "The file is a git-LFS pointer, not the model.",
        "Run `git lfs pull`, then upload the file.",
    ),
    "CHECKSUM_MISMATCH": ("The bytes received do not have the stated SHA-256.", "Upload the file again."),
    "UNSUPPORTED_FORMAT": ("This format cannot be read yet.", "Export the model as ONNX and upload that."),
    "UNSAFE_FORMAT": (
        "This format runs code when it is opened.",
        "Export the model as ONNX and upload that.",
    ),
    "UNSAFE_PICKLE": (
        "The file holds a pickle that would run code.",
        "Export the model as ONNX and upload that.",
    ),
    "WEIGHTS_ONLY_NO_GRAPH": (
        "The file holds weights but no graph.",
        "Export it with `torch.onnx.export(model, ...)`.",
    ),
    "NATIVE_CODE_REFUSED": ("The package holds native code.", "Upload the model without compiled libraries."),
    "MALFORMED_SAFETENSORS": ("The safetensors header is not valid.", "Save the tensors again."),
    "MALFORMED": ("The file does not follow its format.", "Export the model again."),
}
_ONNX = {
    "NO_GRAPH": ("The ONNX file has no graph.", "Export the model again with its graph."),
    "NO_OPSET": ("The ONNX file does not say which opset it uses.", "Export it again with an opset_import."),
    "IR_TOO_NEW": (
        "The ONNX IR version is newer than this platform reads.",
        "Export with an older ONNX release.",
    ),
    "OPSET_UNSUPPORTED": (
        "No engine here supports this opset.",
        "Export with an opset named in the message.",
    ),
    "UNKNOWN_OP": (
        "The graph uses an operator that ONNX does not define.",
        "Replace it, or export it as standard ops.",
    ),
    "CUSTOM_OP_UNSUPPORTED": (
        "The graph uses a custom operator domain.",
        "Export it with standard ONNX operators.",
    ),
    "GRAPH_CYCLE": ("The graph has a cycle.", "Export the model again; an ONNX graph must be acyclic."),
    "DANGLING_INPUT": ("A node reads a tensor that nothing produces.", "Export the model again."),
    "MISSING_TYPE": ("An input or output has no type.", "Export again with typed inputs and outputs."),
    "BAD_SHAPE": (
        "A tensor's shape is negative or too large to be real.",
        "Correct the shape and export again.",
    ),
    "DATA_SIZE_MISMATCH": ("A tensor's data does not fit its shape.", "Export the model again."),
    "UNKNOWN_DTYPE": ("A tensor has a data type that ONNX does not define.", "Export the model again."),
    "INVALID_GRAPH": (
        "ONNX's own checker refuses the model.",
        "Mend what the message names and export again.",
    ),
    "EXTERNAL_DATA_PATH": ("External data may only lie beside the model.", "Use plain relative file names."),
    "EXTERNAL_DATA_NOT_FILE": ("External data must be a plain file.", "Pack plain files only."),
    "EXTERNAL_DATA_MISSING": (
        "The model's external data was not uploaded.",
        "Zip the model and the named files.",
    ),
    "EXTERNAL_DATA_KEY": (
        "External data has a key that ONNX does not define.",
        "Save the model again with onnx.",
    ),
    "DATA_RANGE": ("External data reaches past the end of its file.", "Upload the whole data file."),
    "GRAPH_TOO_LARGE": ("The graph has more nodes than can be handled.", "Simplify or split the model."),
    "FUNCTION_CYCLE": ("A model function calls itself.", "ONNX functions must not recurse; export again."),
    "NESTING_TOO_DEEP": ("Subgraphs are nested too deeply.", "Flatten the control flow and export again."),
    "INPUT_SHAPE_NEEDED": ("Dynamic axes have no size.", "Give a size for each axis that is named."),
    "INPUT_SHAPE_INVALID": ("The model cannot run at these input sizes.", "Choose other sizes for the axes."),
    "INPUT_TOO_LARGE": ("The inputs would be too large.", "Choose smaller sizes for the axes."),
    "INPUT_UNSUPPORTED": ("No input can be made for this type.", "Upload sample data for this model."),
    "SAMPLE_DATA_INVALID": (
        "The sample data does not fit the model's inputs.",
        "Give one array per input, by name.",
    ),
}
_WARNINGS = {
    "EMPTY_INPUT": (
        "An input has a size of zero.",
        "Give it a positive size; an empty input is not measured.",
    ),
    "NON_FINITE_WEIGHTS": (
        "Weights hold NaN or infinity.",
        "Outputs may not be comparable; check the training.",
    ),
    "NONDETERMINISTIC": (
        "The model draws random numbers.",
        "Its outputs are not compared; fix the seed to compare.",
    ),
    "ALREADY_QUANTIZED": ("The model is already quantized.", "int8 recipes start from an fp32 model."),
    "STATIC_BATCH": (
        "The batch size is fixed in the file.",
        "Export with a dynamic batch axis to compare batches.",
    ),
    "BAKED_BATCH": (
        "The batch axis is declared dynamic but fixed inside.",
        "Export without constant reshapes.",
    ),
}
_ARCHIVE = {
    "ARCHIVE_PATH": ("The archive has a member with an unsafe path.", "Pack plain relative names."),
    "ARCHIVE_LINK": ("The archive has a link or a device.", "Pack plain files only."),
    "ARCHIVE_RATIO": (
        "The archive expands far beyond its size.",
        "Pack the model with ordinary compression.",
    ),
    "ARCHIVE_TOO_LARGE": (
        "The archive expands to more than is allowed.",
        "Pack only the model and its data.",
    ),
    "ARCHIVE_UNSUPPORTED": ("The archive is encrypted or of an unknown kind.", "Use a plain zip."),
    "ARCHIVE_AMBIGUOUS": (
        "The archive has several or no models, or names that collide.",
        "Pack exactly one model.",
    ),
    "ARCHIVE_CORRUPT": ("The archive is damaged.", "Pack it again and upload it."),
}
_RUN_USER = {
    "RUNTIME_ERROR": (
        "The model failed while it ran.",
        "Run it locally with the same sizes to find the node.",
    ),
    "COMPILE_ERROR": ("The engine could not compile the model.", "See the log; other engines may run it."),
    "UNSUPPORTED_OPERATOR": ("The engine has no implementation of an operator.", "Use another engine."),
    "PRECISION_NOT_EFFECTIVE": (
        "The engine ran in another precision than asked.",
        "Read the result as its label says.",
    ),
    "DEVICE_NOT_EFFECTIVE": ("The engine ran on another device than asked.", "Check the target's drivers."),
    "PRECISION_UNSUPPORTED": (
        "This machine has no instructions for that precision.",
        "Choose another target.",
    ),
    "NOTHING_TO_QUANTIZE": ("The model has nothing that int8 could speed up.", "Use the fp32 recipes."),
    "OUTPUT_NON_FINITE": (
        "The artifact gives NaN or infinity where the model does not.",
        "Do not deploy it.",
    ),
    "CRASHED": (
        "The engine process crashed.",
        "The model or the engine has a fault; other engines may run it.",
    ),
    "BASELINE_FAILED": (
        "The uploaded model itself does not run, so nothing can be compared.",
        "See its own job.",
    ),
}
_LIMITS = {
    "TIME_LIMIT": ("The job took longer than its time limit.", "Use a smaller input, or allow more time."),
    "COMPILE_TIME_LIMIT": (
        "Compiling took longer than its limit.",
        "Simplify the model, or allow more time.",
    ),
    "MEMORY_LIMIT": ("The job needed more memory than its limit.", "Use smaller inputs or a larger target."),
    "DISK_LIMIT": ("The job wrote more than its scratch space.", "Use a smaller model or a larger target."),
    "OUTPUT_LIMIT": (
        "The job printed more than it may.",
        "This protects the platform; the result was dropped.",
    ),
    "DEADLINE_PASSED": (
        "The run's deadline passed before the job ended.",
        "Start the run with a longer limit.",
    ),
}
_SYSTEM = {
    "PROTOCOL_ERROR": (
        "The engine's answer was not in the agreed form.",
        "Nothing was stored; tell us.",
        False,
    ),
    "ENGINE_FAULT": ("The engine has a fault of its own.", "Tell us the job's id.", False),
    "WORKER_LOST_REPEATEDLY": (
        "The worker was lost three times on this job.",
        "Try again, or another target.",
        True,
    ),
    "STORAGE_UNAVAILABLE": ("Files could not be read or written.", "It is tried again.", True),
    "SCRATCH_FULL": ("The worker's disk is full.", "It is tried again when there is room.", True),
    "TARGET_OFFLINE": ("The target is not online.", "Start its worker, or choose another target.", True),
    "BACKEND_MISSING": (
        "The target's worker lacks this engine.",
        "Install it there, or choose another target.",
        False,
    ),
    "PREREQUISITE_FAILED": ("A job that this one needs has failed.", "Mend that one first.", False),
}


def _catalog() -> dict[str, ErrorKind]:
    kinds: dict[str, ErrorKind] = {}
    for table, side in (
        (_FILE, Side.USER),
        (_ONNX, Side.USER),
        (_WARNINGS, Side.USER),
        (_ARCHIVE, Side.USER),
    ):
        kinds |= {code: ErrorKind(code, side, *texts) for code, texts in table.items()}
    kinds |= {code: ErrorKind(code, Side.USER, *texts) for code, texts in _RUN_USER.items()}
    kinds |= {code: ErrorKind(code, Side.LIMIT, *texts) for code, texts in _LIMITS.items()}
    kinds |= {code: ErrorKind(code, Side.SYSTEM, *rest) for code, rest in _SYSTEM.items()}
    return kinds


CATALOG: Mapping[str, ErrorKind] = _catalog()
