"""One published method per file, and a catalogue that finds them by name."""
