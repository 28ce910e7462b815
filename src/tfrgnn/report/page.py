"""Puts data, scripts and styles into one HTML file."""

from html import escape
from importlib.resources import files
from typing import Any

import msgspec

MANY = 0.05  # the share of traces past the horizon from which on a page warns

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline' 'unsafe-eval'; img-src data: blob:">
<link rel="icon" href="data:,">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
{body}
<script type="application/json" id="data">{data}</script>
<script>{plotly}</script>
<script>{script}</script>
</body>
</html>
"""  # noqa: E501


def page(title: str, body: str, data: dict[str, Any], scripts: tuple[str, ...]) -> str:
    """The HTML of a page: `body` has the places that the scripts fill from `data`."""
    from plotly.offline import get_plotlyjs

    text = msgspec.json.encode(data).decode("utf-8").replace("<", "\\u003c")
    return _PAGE.format(
        title=escape(title),
        style=asset("page.css"),
        body=body,
        data=text,
        plotly=get_plotlyjs(),
        script="\n".join(asset(name) for name in ("common.js", *scripts)),
    )


def asset(name: str) -> str:
    """A file that belongs to the pages."""
    return files(__package__).joinpath("assets", name).read_text(encoding="utf-8")


def facts(rows: list[tuple[str, str]]) -> str:
    """Key figures side by side."""
    cells = "".join(f"<div><dt>{escape(name)}</dt><dd>{escape(value)}</dd></div>" for name, value in rows)
    return f'<dl class="facts">{cells}</dl>'
