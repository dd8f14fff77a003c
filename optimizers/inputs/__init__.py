"""Inputs for calibration, comparison and measurement: from sample data, else made within each input's range."""
