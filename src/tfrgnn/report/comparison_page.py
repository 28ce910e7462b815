"""The page of a comparison: ratio to HEFT with intervals, the distributions, and the table."""

from dataclasses import asdict
from html import escape
from typing import Any

from tfrgnn.evaluation.compare import Comparison
from tfrgnn.report.page import MANY, facts, page
from tfrgnn.report.palette import method_colour


def comparison_page(comparison: Comparison) -> str:
    """The HTML of a comparison's page."""
    methods = list(dict.fromkeys(row.method for row in comparison.rows))
    data: dict[str, Any] = {
        "rows": [asdict(row) for row in comparison.rows],
        "makespans_s": [[float(f"{x:.6g}") for x in o.makespan_s.tolist()] for o in comparison.outcomes],
        "methods": methods,
        "colours": [method_colour(method) for method in methods],
        "settings": comparison.settings,
    }
    settings = comparison.settings
    title = f"{len(methods)} methods on {settings['cluster']}"
    rows = [
        ("workflows", str(len({row.workflow for row in comparison.rows}))),
        ("machines", f"{settings['machines']}, {settings['volatile_machines']} volatile, {settings['racks']} racks"),
        ("network MB/s", f"{settings['network']['intra_rack_mb_s']:g} in a rack, "
                         f"{settings['network']['inter_rack_mb_s']:g} between"),
        ("repair", f"mean {settings['repair']['mean_s']:g} s, sigma {settings['repair']['sigma']:g}"),
        ("traces", f"{settings['traces']}, seed {settings['seed']}"),
        ("horizon", f"{settings['horizon_factor']:g} x HEFT without failures"),
    ]  # fmt: skip
    body = f"""<header><h1>{escape(title)}</h1>{facts(rows)}</header>
<main>
<p class="controls"><label>Workflow <select id="workflow"></select></label>
<label>Scale <select id="scale"></select></label></p>
<figure><figcaption>Mean makespan over HEFT's in the same traces, with 95 % intervals; below 1 is better.
The oracle is the best of the paper's portfolio, chosen in hindsight: a bound for that, not a method.
<span id="ratio-note"></span>{_past_horizon(comparison)}</figcaption>
<div id="ratio" class="chart"></div></figure>
<figure><figcaption>Makespans over all traces at the chosen scale</figcaption>
<div id="distribution" class="chart"></div></figure>
<figure><figcaption>All rows; click a heading to sort</figcaption>
<div class="scroll"><table id="table"></table></div></figure>
</main>"""
    return page(title, body, data, ("comparison.js",))


def _past_horizon(comparison: Comparison) -> str:
    """Where the means are the horizon's more than the failures'."""
    far = [row for row in comparison.rows if row.past_horizon_share > MANY]
    if not far:
        return ""
    worst = max(far, key=lambda row: row.past_horizon_share)
    scales = ", ".join(f"{scale:g}" for scale in sorted({row.scale for row in far}))
    return (
        f"<br><strong>At scale {scales} many traces ran past the horizon, where nothing fails any more (up to "
        f"{worst.past_horizon_share:.0%}, {escape(worst.method)}): means there are too low, and ratios too near 1."
        "</strong>"
    )
