"""Who may sign in, the workspaces they belong to and their tokens."""
