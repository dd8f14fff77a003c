"""The built-in recipes. Order is the order of trying: the baseline first, then what most often wins."""

from __future__ import annotations

from optimizers.spec.names import Precision
from optimizers.spec.recipe import PassSpec, Recipe

AS_UPLOADED = Recipe(
    id="as-uploaded",
    label="As uploaded",
    description="ONNX Runtime with every graph optimization off: the model as it came. The baseline.",
    backend="onnxruntime",
    precision=Precision.FP32,
    options={"graph_optimization": "disable"},
    is_baseline=True,
)

BUILTIN: tuple[Recipe, ...] = (
    AS_UPLOADED,
    Recipe(
        id="ort-optimized",
        label="ONNX Runtime",
        description="ONNX Runtime with all graph optimizations, fp32.",
        backend="onnxruntime",
        precision=Precision.FP32,
        options={"graph_optimization": "all"},
    ),
    Recipe(
        id="openvino-f32",
        label="OpenVINO fp32",
        description="OpenVINO with fp32 forced and the latency hint.",
        backend="openvino",
        precision=Precision.FP32,
        options={"performance_hint": "latency"},
    ),
    Recipe(
        id="openvino-f32-avx2",
        label="OpenVINO fp32, AVX2",
        description="fp32 forced, with AVX2 kernels: faster than AVX-512 ones on some processors.",
        backend="openvino",
        precision=Precision.FP32,
        options={"performance_hint": "latency", "instruction_set": "avx2"},
    ),
    Recipe(
        id="openvino-bf16",
        label="OpenVINO bf16",
        description="OpenVINO in bf16, its own default on CPUs that have it.",
        backend="openvino",
        precision=Precision.BF16,
        options={"performance_hint": "latency"},
    ),
    Recipe(
        id="ort-int8",
        label="ONNX Runtime int8",
        description="Static int8 (QDQ, u8 activations, s8 weights per channel, MinMax), ONNX Runtime.",
        backend="onnxruntime",
        precision=Precision.INT8,
        passes=(
            PassSpec(
                "ort_static_int8", {"activation": "uint8", "per_channel": True, "calibration": "minmax"}
            ),
        ),
        options={"graph_optimization": "all"},
    ),
    Recipe(
        id="openvino-int8",
        label="OpenVINO int8",
        description="Post-training int8 through NNCF, OpenVINO.",
        backend="openvino",
        precision=Precision.INT8,
        passes=(PassSpec("nncf_int8", {"preset": "performance"}),),
        options={"performance_hint": "latency"},
    ),
)

FAKE: tuple[Recipe, ...] = (
    Recipe(
        "fake-baseline",
        "Fake baseline",
        "For the platform's own tests.",
        "fake",
        Precision.FP32,
        is_baseline=True,
    ),
    Recipe(
        "fake-fast",
        "Fake fast",
        "For the platform's own tests.",
        "fake",
        Precision.FP32,
        options={"speed": 2.0},
    ),
    Recipe(
        "fake-failing",
        "Fake failing",
        "For the platform's own tests.",
        "fake",
        Precision.FP32,
        options={"fail": "RUNTIME_ERROR"},
    ),
)


def builtin_recipes(*, fake: bool = False) -> tuple[Recipe, ...]:
    """The recipes that a run tries by default; with `fake`, only those of the fake backend."""
    return FAKE if fake else BUILTIN


def recipe_by_id(recipe_id: str, *, fake: bool = False) -> Recipe | None:
    """The built-in recipe of that id, or None."""
    return next((recipe for recipe in builtin_recipes(fake=fake) if recipe.id == recipe_id), None)
