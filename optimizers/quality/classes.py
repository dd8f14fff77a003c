"""What a model's outputs are, as far as the graph says: scores by class, or bounded like a probability."""

from __future__ import annotations

from dataclasses import dataclass

from optimizers.formats.onnx.facts import ModelFacts

_SCORES = {"Softmax", "LogSoftmax"}
_BOUNDED = {"Softmax", "Sigmoid", "HardSigmoid"}
_MOVES = {"Reshape", "Transpose", "Squeeze", "Unsqueeze", "Identity", "Cast", "Slice", "Flatten"}


@dataclass(frozen=True)
class OutputTraits:
    """`classes`: outputs whose last axis is one of classes, so that its arg-max means something.
    `bounded`: outputs between 0 and 1, whose natural scale is 1 however small their values are."""

    classes: frozenset[str] = frozenset()
    bounded: frozenset[str] = frozenset()


def output_traits(model: ModelFacts) -> OutputTraits:
    """[rows, classes] and what a softmax makes are scores; what a sigmoid or softmax makes is bounded."""
    makers = {name: node for node in model.main.nodes for name in node.outputs}
    classes, bounded = set(), set()
    for value in model.main.outputs:
        node = makers.get(value.name)
        shape = value.shape or ()
        if (node is not None and node.op in _SCORES) or (
            len(shape) == 2 and isinstance(shape[1], int) and shape[1] > 1
        ):
            classes.add(value.name)
        while node is not None and node.op in _MOVES and node.inputs:
            node = makers.get(node.inputs[0])
        if node is not None and node.op in _BOUNDED:
            bounded.add(value.name)
    return OutputTraits(frozenset(classes), frozenset(bounded))
