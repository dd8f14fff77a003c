"""The project's settings, addresses and start-up checks."""
