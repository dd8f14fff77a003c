"""The engine's command line: run, probe, inspect, bench."""
