"""What a run showed: tables, Pareto front, cost, recommendation."""
