"""How the engine carries out one job: read it, prepare, measure, report."""
