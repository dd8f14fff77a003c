"""Runs, jobs, attempts and measurements: the state machine and the leases."""
