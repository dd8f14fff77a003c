"""Model formats: detect by content, check before any library sees the bytes, describe."""
