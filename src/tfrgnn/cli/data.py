"""`tfrgnn data fetch`: the real workflows, over the network."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from tfrgnn.cli.show import progress_bar


class Corpus(StrEnum):
    """What can be fetched."""

    wfinstances = "wfinstances"


def fetch(
    corpus: Annotated[Corpus, typer.Argument(help="The corpus.")],
    folder: Annotated[Path, typer.Argument(help="Folder to put it in.")],
    url: Annotated[str, typer.Option(help="Where it lies; the corpus' own repository by default.")] = "",
) -> None:
    """Download the WfCommons instances; run again to go on after an interruption."""
    from tfrgnn.corpus.fetch import SOURCE, manifest
    from tfrgnn.corpus.fetch import fetch as download

    total = len(manifest())
    unknown = sum(known is None for known in manifest().values())
    with progress_bar("files", total) as progress:
        fetched = download(folder, url or SOURCE, progress)
    checked = f"{total - unknown} checked by their content, {unknown} by their form only"
    typer.echo(f"{folder}: {total} files, {fetched} downloaded; {checked}")
