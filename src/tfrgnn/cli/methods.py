"""`tfrgnn methods`: the catalogue."""

from tfrgnn.cli.inputs import AsJson
from tfrgnn.cli.show import print_json, print_table


def command(as_json: AsJson = False) -> None:
    """List the methods with their options and papers."""
    from tfrgnn.schedulers.catalogue import methods, option_text

    rows = [
        {"name": m.name, "options": option_text(m.options), "summary": m.summary, "paper": m.paper}
        for m in methods().values()
    ]
    bound = {
        "name": "oracle",
        "options": "",
        "summary": "a bound, not a method: the best of the paper's portfolio in hindsight; in compare only",
        "paper": "Yang, Zeng, Yang: TFR-GNN, section 5.3",
    }
    rows.append(bound)
    if as_json:
        print_json(rows)
    else:
        print_table("Methods", ("name", "options", "what it does", "paper"), [tuple(r.values()) for r in rows], left=4)
