"""Inputs for calibration, comparison and measurement: sample data, or made within each range."""
