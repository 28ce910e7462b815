"""Monte Carlo over traces: what happens to a plan when machines fail."""
