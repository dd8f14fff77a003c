"""Adapters of inference libraries, one folder each with the same files. They do not know each other."""
