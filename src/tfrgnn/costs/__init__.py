"""Numbers derived from a model: what a scheduler may know before anything runs."""
