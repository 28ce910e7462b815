"""The learned policy: a small graph network that guides the same decode as HEFT's."""
