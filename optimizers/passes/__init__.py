"""Transformations, model to model."""
