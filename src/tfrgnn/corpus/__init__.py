"""The real workflows that results rest on, and how to get them."""
