"""The language that the platform, the runner and the engine share. Standard library only.

Everything here is a frozen dataclass that turns into JSON and back (`codec`), or a catalog of
names with one definition each (`errors`, `metrics`).
"""
