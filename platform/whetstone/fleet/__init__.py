"""Hosts, the targets they serve and what those cost."""
