"""One self-contained HTML page from a plan or a comparison; it opens offline."""
