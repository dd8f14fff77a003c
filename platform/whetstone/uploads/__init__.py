"""A stranger's bytes on their way in, not yet a model."""
