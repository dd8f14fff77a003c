"""ONNX: a walk over the bytes first, then the onnx library, in a process that may be lost."""
