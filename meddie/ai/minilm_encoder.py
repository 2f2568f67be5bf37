"""The encoder of all-MiniLM-L6-v2 as an ONNX graph.

The quick graph has weights of 7 bits: products of 8 bits overflow without VNNI
(onnxruntime issue 6004). A text has another vector in a batch than alone.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from tempfile import NamedTemporaryFile
from typing import Any

import numpy as np
import numpy.typing as npt
from onnx import ModelProto, TensorProto
from onnx.helper import make_node, make_opsetid, make_tensor_value_info
from onnx.numpy_helper import from_array
from onnxruntime import GraphOptimizationLevel, InferenceSession, SessionOptions

LAYERS = 6
HEADS = 12
EPSILON = 1e-12
LARGEST_WEIGHT = 63
ONNX_FORMAT, ONNX_OPERATORS = 10, 18
MICROSOFT = "com.microsoft"
PROVIDER = "CPUExecutionProvider"
OF_MICROSOFT = frozenset({"BiasGelu", "DynamicQuantizeMatMul", "MultiHeadAttention"})

Array = npt.NDArray[np.float32]
# From embeddings (texts, tokens, 384) and lengths to the same shape; thread-safe.
Encoder = Callable[[Array, npt.NDArray[np.int32]], Array]
Tensors = Callable[[str], Array]  # gives a tensor by its name in the weights' file


def load(tensor: Tensors, *, quick: bool) -> Encoder:
    options = SessionOptions()
    options.intra_op_num_threads = 1  # the other processors are for who else runs here
    # Beyond "basic", additions and norms become one node that takes twice their time.
    options.graph_optimization_level = GraphOptimizationLevel.ORT_ENABLE_BASIC
    with NamedTemporaryFile(suffix=".onnx") as file:
        # Given the bytes themselves, a session would keep them: 43 MB.
        file.write(_onnx(tensor, quick=quick))
        file.flush()
        session = InferenceSession(file.name, options, providers=[PROVIDER])

    def encode(embedded: Array, lengths: npt.NDArray[np.int32]) -> Array:
        given = {"embedded": embedded, "lengths": lengths}
        encoded: Array = session.run(["encoded"], given)[0]
        return encoded

    return encode


def _onnx(tensor: Tensors, *, quick: bool) -> bytes:
    graph = _Graph(tensor, quick=quick)
    x = graph.norm("embedded", "embeddings.LayerNorm")
    for number in range(LAYERS):
        x = _layer(graph, x, f"encoder.layer.{number}")
    return graph.serialised(x)


def _layer(graph: "_Graph", x: str, at: str) -> str:
    heads = [f"{at}.attention.self.{part}" for part in ("query", "key", "value")]
    weights = np.concatenate([graph.tensor(f"{head}.weight") for head in heads])
    biases = np.concatenate([graph.tensor(f"{head}.bias") for head in heads])
    parts = graph.split(graph.linear(x, weights))
    bias = graph.constant(biases)
    attended = graph.node(
        "MultiHeadAttention", *parts, bias, "lengths", num_heads=HEADS
    )
    x = graph.residual(x, attended, f"{at}.attention.output")
    wide = graph.linear(x, graph.tensor(f"{at}.intermediate.dense.weight"))
    bias = graph.constant(graph.tensor(f"{at}.intermediate.dense.bias"))
    return graph.residual(x, graph.node("BiasGelu", wide, bias), f"{at}.output")


def _empty() -> ModelProto:
    """A model without nodes. Filling it in place avoids a copy of 43 MB."""
    model = ModelProto(ir_version=ONNX_FORMAT)
    model.opset_import.append(make_opsetid("", ONNX_OPERATORS))
    model.opset_import.append(make_opsetid(MICROSOFT, 1))
    model.graph.name = "minilm"
    shape: list[str | int | None] = ["texts", "tokens", "numbers"]
    model.graph.input.extend(
        [
            make_tensor_value_info("embedded", TensorProto.FLOAT, shape),
            make_tensor_value_info("lengths", TensorProto.INT32, ["texts"]),
        ]
    )
    model.graph.output.append(
        make_tensor_value_info("encoded", TensorProto.FLOAT, shape)
    )
    return model


@dataclass
class _Graph:
    """Methods append nodes and return the names of their outputs."""

    tensor: Tensors
    quick: bool = field(kw_only=True)
    model: ModelProto = field(default_factory=_empty)

    def node(self, kind: str, *inputs: str, **options: Any) -> str:
        name = f"n{len(self.model.graph.node)}"
        self._append(kind, inputs, [name], **options)
        return name

    def split(self, x: str) -> list[str]:
        names = [f"n{len(self.model.graph.node)}.{part}" for part in range(3)]
        self._append("Split", [x], names, axis=-1, num_outputs=3)
        return names

    def constant(self, values: npt.NDArray[np.generic]) -> str:
        constants = self.model.graph.initializer
        name = f"c{len(constants)}"
        constants.add().CopyFrom(from_array(np.ascontiguousarray(values), name))
        return name

    def linear(self, x: str, weight: Array, bias: Array | None = None) -> str:
        """`weight` has the shape (outputs, inputs)."""
        biases = [] if bias is None else [self.constant(bias)]
        if self.quick:
            whole, scale = _rounded(weight)
            zeros = np.zeros(len(scale), np.int8)
            inputs = [self.constant(part) for part in (whole.T, scale, zeros)]
            return self.node("DynamicQuantizeMatMul", x, *inputs, *biases)
        product = self.node("MatMul", x, self.constant(weight.T))
        return self.node("Add", product, *biases) if biases else product

    def residual(self, x: str, other: str, at: str) -> str:
        """Add a dense layer of `other` to `x`, and normalise."""
        weight, bias = (
            self.tensor(f"{at}.dense.weight"),
            self.tensor(f"{at}.dense.bias"),
        )
        both = self.node("Add", x, self.linear(other, weight, bias))
        return self.norm(both, f"{at}.LayerNorm")

    def norm(self, x: str, at: str) -> str:
        parts = [self.constant(self.tensor(f"{at}.{p}")) for p in ("weight", "bias")]
        return self.node("LayerNormalization", x, *parts, epsilon=EPSILON)

    def serialised(self, last: str) -> bytes:
        self._append("Identity", [last], ["encoded"])
        return bytes(self.model.SerializeToString())

    def _append(
        self, kind: str, inputs: Sequence[str], outputs: list[str], **options: Any
    ) -> None:
        domain = MICROSOFT if kind in OF_MICROSOFT else ""
        node = make_node(kind, inputs, outputs, domain=domain, **options)
        self.model.graph.node.append(node)


def _rounded(weight: Array) -> tuple[npt.NDArray[np.int8], Array]:
    """Whole numbers, and the scale of each row."""
    scale = np.abs(weight).max(axis=1) / np.float32(LARGEST_WEIGHT)
    return np.rint(weight / scale[:, None]).astype(np.int8), scale
