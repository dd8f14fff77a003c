"""What runs on a target machine: claim, fetch, execute in a child process, report.

It opens strangers' files (through the engine, a child process), so it has no Django, no database and no
storage credentials: only this host's own credential for the platform's internal API.
"""
