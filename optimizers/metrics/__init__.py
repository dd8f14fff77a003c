"""From raw samples to figures: percentiles, steadiness, what else used the processor, memory."""
