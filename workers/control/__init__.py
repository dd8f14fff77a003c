"""Thin trusted tasks with the database: relay effects, sweep and reap jobs, expire uploads; the schedule."""
