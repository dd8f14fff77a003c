"""Errors, ids, the storage gateway, dispatch and the outbox. Knows no other app."""
