"""Rules of an upload: how a file is cut into parts, and which of them are there."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from whetstone.core.storage import PartInfo

MIB = 1024**2
MAX_PARTS = 10_000  # S3's
MIN_PART_BYTES = 5 * MIB  # S3's, for every part but the last


def part_size_for(size_bytes: int, preferred: int) -> int:
    """`preferred`, or the next whole MiB that keeps the file within S3's 10,000 parts."""
    needed = -(-size_bytes // MAX_PARTS)
    return max(preferred, MIN_PART_BYTES, -(-needed // MIB) * MIB)


@dataclass(frozen=True, slots=True)
class Cut:
    """A file of `size_bytes` in parts of `part_size`, the last one shorter."""

    size_bytes: int
    part_size: int

    @property
    def count(self) -> int:
        return -(-self.size_bytes // self.part_size)

    def size_of(self, number: int) -> int:
        return min(self.part_size, self.size_bytes - (number - 1) * self.part_size)

    def arrived(self, parts: Iterable[PartInfo]) -> list[PartInfo]:
        """The parts that belong to the file and have their right size, by number."""
        right = {
            p.number: p for p in parts if 1 <= p.number <= self.count and p.size == self.size_of(p.number)
        }
        return [right[number] for number in sorted(right)]

    def wrong(self, parts: Iterable[PartInfo]) -> list[int]:
        """Numbers of parts that have arrived with another size, or that the file does not have."""
        return sorted(p.number for p in parts if p.number > self.count or p.size != self.size_of(p.number))

    def missing(self, parts: Sequence[PartInfo]) -> list[int]:
        there = {part.number for part in parts}
        return [number for number in range(1, self.count + 1) if number not in there]
