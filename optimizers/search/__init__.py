"""Which recipes to try, and in which order."""
