"""The onnx library's own opinion, after the static checks: operators it knows, and its checker."""

from __future__ import annotations

from pathlib import Path

from optimizers.formats.onnx.checks import STANDARD_DOMAINS
from optimizers.formats.onnx.facts import ModelFacts, NodeFacts, each_node, normal_domain
from optimizers.spec.errors import WhetstoneFailure
from optimizers.text import safe_message, safe_name


def check_with_library(path: Path, model: ModelFacts) -> None:
    """UNKNOWN_OP with node and operator, or INVALID_GRAPH with the checker's message."""
    import onnx

    local = {function.key[:2] for function in model.functions}
    known: dict[tuple[str, str], bool] = {}
    for node in each_node(model.main.nodes):
        key = (normal_domain(node.domain), node.op)
        if key in local or key[0] not in STANDARD_DOMAINS:
            continue
        if key not in known:
            known[key] = _defined(key, model.opsets.get(key[0], 1))
        if not known[key]:
            raise _unknown(node, model.opsets.get(key[0], 1))
    try:
        onnx.checker.check_model(str(path), full_check=False)
    except (onnx.checker.ValidationError, ValueError, RuntimeError) as error:
        raise WhetstoneFailure(
            "INVALID_GRAPH", f"ONNX's checker says: {_first_line(str(error), path)}"
        ) from None


def _defined(key: tuple[str, str], opset: int) -> bool:
    import onnx

    try:
        schema = onnx.defs.get_schema(key[1], opset, key[0])
    except onnx.defs.SchemaError:
        return False
    return not schema.deprecated


def _unknown(node: NodeFacts, opset: int) -> WhetstoneFailure:
    op, name = safe_name(node.op, 80), safe_name(node.name, 80)
    message = f"Node '{name}' uses operator {op}, which ONNX does not define in opset {opset}."
    return WhetstoneFailure("UNKNOWN_OP", message, operator=op, node=name, opset=opset)


def _first_line(text: str, path: Path) -> str:
    head = text.strip().split("\n\n==> ", 1)[0]
    return safe_message(head, (path.parent,))
