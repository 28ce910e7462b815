"""What plans are worth: one simulated, many compared, and the bound in hindsight."""
