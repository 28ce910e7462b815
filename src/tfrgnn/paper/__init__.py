"""The TFR-GNN paper's results: suites, rows, tables, figures, and the page that sets them beside the paper's."""
