"""MLPerf's scenarios as plain loops. SingleStream: one query at a time. Offline: saturated, by batch."""
