"""Synthetic workflows with the shapes and scales of seven real applications, and mixed clusters."""
