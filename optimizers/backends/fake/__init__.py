"""A deterministic backend for the platform's tests and demos: no model is opened, nothing is timed."""
