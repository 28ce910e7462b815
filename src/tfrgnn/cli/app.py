"""The commands and the options before them. Command modules import what they need inside, so that help is quick."""

from pathlib import Path
from typing import Annotated

import typer

from tfrgnn.cli import compare, data, generate, inspect, methods, paper, plan, simulate, train
from tfrgnn.cli.failure import in_one_sentence

app = typer.Typer(
    name="tfrgnn",
    help="Plans workflow DAGs on machines that differ and fail, and tells what a plan is worth before it runs.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(asked: bool) -> None:
    if asked:
        from tfrgnn import __version__

        typer.echo(f"tfrgnn {__version__}")
        raise typer.Exit


@app.callback()
@in_one_sentence
def _before(
    load: Annotated[
        list[Path] | None, typer.Option(help="Python file with methods of your own; may be given more than once.")
    ] = None,
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Version.")] = False,
) -> None:
    if load:
        from tfrgnn.schedulers.catalogue import load_methods

        for path in load:
            load_methods(path)


app.command("inspect")(in_one_sentence(inspect.command))
app.command("plan")(in_one_sentence(plan.command))
app.command("simulate")(in_one_sentence(simulate.command))
app.command("compare")(in_one_sentence(compare.command))
app.command("train")(in_one_sentence(train.command))
app.command("methods")(in_one_sentence(methods.command))

_generate = typer.Typer(help="Generate a workflow or a cluster.", no_args_is_help=True)
_generate.command("workflow")(in_one_sentence(generate.workflow))
_generate.command("cluster")(in_one_sentence(generate.cluster))
app.add_typer(_generate, name="generate")

_data = typer.Typer(help="Real workflows over the network.", no_args_is_help=True)
_data.command("fetch")(in_one_sentence(data.fetch))
app.add_typer(_data, name="data")


@_data.callback()
def _data_commands() -> None:
    """Keeps `fetch` a command of its own, though it is the only one."""


_paper = typer.Typer(help="The TFR-GNN paper's tables and figures; needs the extra `paper`.", no_args_is_help=True)
_paper.command("all")(in_one_sentence(paper.everything))
_paper.command("table")(in_one_sentence(paper.table))
_paper.command("figure")(in_one_sentence(paper.figure))
_paper.command("list")(in_one_sentence(paper.list_results))
app.add_typer(_paper, name="paper")
