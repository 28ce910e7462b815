"""`tfrgnn train`: new weights for the policy."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tfrgnn.cli.inputs import keep_inputs
from tfrgnn.cli.show import number, print_table, progress_bar, progress_bars
from tfrgnn.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from tfrgnn.policy.weights import Weights
    from tfrgnn.training.scenarios import Corpus


def command(
    data: Annotated[Path, typer.Option(help="Folder with the workflows, in folders named after their application.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="Weight file to write (.safetensors).")],
    preset: Annotated[str, typer.Option(help="Architecture.")] = "paper",
    steps: Annotated[int, typer.Option(min=1, help="Updates.")] = 650,
    seed: Annotated[int, typer.Option(min=0, max=2**32 - 1, help="Same seed, same weights on the same machine.")] = 0,
    algorithm: Annotated[str, typer.Option(help="distil, or a policy gradient: scst, rloo, ppo.")] = "distil",
    resume: Annotated[bool, typer.Option("--resume", help="Go on from the checkpoint beside the output.")] = False,
    cache: Annotated[
        Path | None, typer.Option(help="Folder for the teacher's labels; beside the output by default.")
    ] = None,
) -> None:
    """Train the policy; needs the extra `train`.

    Distillation keeps its labels as they are made, and from the first step on Ctrl-C keeps a checkpoint for --resume.
    """
    from tfrgnn.formats.files import check_writable
    from tfrgnn.provenance import provenance

    keep_inputs([*data.rglob("*.json"), cache], [output])
    check_writable(output)
    about = provenance()
    for module in ("torch", "torch_geometric"):
        if find_spec(module) is None:
            raise InputError(f"training needs {module}; pip install 'tfrgnn[train]'")
    if algorithm == "distil":
        cache = cache or output.with_name(f"{output.name}.labels")
        weights, facts = _distil(data, output, preset, steps, seed, resume, cache)
    elif resume:
        raise InputError("--resume goes with --algorithm distil")
    else:
        weights, facts = _reinforce(data, preset, steps, seed, algorithm)
    _save(weights, output, about)
    if algorithm == "distil":
        _checkpoint(output).unlink(missing_ok=True)
    print_table("Training", ("", ""), [("weights", str(output)), ("steps", steps), *facts])


def _distil(
    data: Path, output: Path, preset: str, steps: int, seed: int, resume: bool, cache: Path
) -> "tuple[Weights, list[tuple[str, str]]]":
    from tfrgnn.training.distil import Config, Point, train
    from tfrgnn.training.scenarios import load_corpus
    from tfrgnn.training.teacher import Labels

    config = Config(preset=preset, steps=steps, seed=seed)
    checkpoint, corpus, ratios = _checkpoint(output), load_corpus(data), list[str]()
    watched = _watched(corpus)
    with (
        progress_bars(("labels", steps * config.batch), ("training", steps)) as (labelled, advance),
        _ending_steps() as stopping,
    ):

        def told(point: Point) -> None:
            if point.ratio is not None:
                ratios.append(f", {watched} {point.ratio:.3f} after {point.step}")
            advance(1, f"loss {point.loss:.3f}, agreement {point.agreement:.2f}{''.join(ratios[-1:])}")
            if stopping():
                typer.echo(f"tfrgnn: {checkpoint} is kept; --resume goes on after step {point.step}", err=True)
                raise KeyboardInterrupt

        weights, curve = train(config, corpus, Labels(cache), checkpoint, resume=resume, told=told, labelled=labelled)
    last = curve[-1]
    return weights, [
        ("task types with rows of their own", str(len(weights.types))),
        ("loss", number(last.loss)),
        ("agreement with the teacher", number(last.agreement)),
        (f"{watched} to HEFT", number(last.ratio)),
    ]


def _checkpoint(output: Path) -> Path:
    return output.with_name(f"{output.name}.checkpoint")


@contextmanager
def _ending_steps() -> Iterator[Callable[[], bool]]:
    """Gives what to ask after each step: from the first time on, Ctrl-C waits for the next."""
    before, heard = signal.getsignal(signal.SIGINT), []

    def hear(number: int, frame: object) -> None:
        heard.append(number)

    def stopping() -> bool:
        signal.signal(signal.SIGINT, hear)
        return bool(heard)

    try:
        yield stopping
    finally:
        signal.signal(signal.SIGINT, before)


def _reinforce(
    data: Path, preset: str, steps: int, seed: int, algorithm: str
) -> "tuple[Weights, list[tuple[str, str]]]":
    from tfrgnn.training.reinforce import ALGORITHMS, ReinforceConfig, ReinforcePoint, reinforce
    from tfrgnn.training.scenarios import load_corpus

    if algorithm not in ALGORITHMS:
        raise UnknownNameError("training algorithm", algorithm, ("distil", *ALGORITHMS))
    with progress_bar(algorithm, steps) as advance:

        def told(point: ReinforcePoint) -> None:
            advance(1, f"samples {point.sampled:.3f}, best {point.best:.3f}, greedy {point.greedy:.3f} of HEFT")

        corpus = load_corpus(data)
        weights, curve = reinforce(ReinforceConfig(algorithm, preset, steps, seed), corpus, told)
    last = curve[-1]
    return weights, [
        ("samples' mean ratio to HEFT", number(last.sampled)),
        ("greedy ratio to HEFT", number(last.greedy)),
        (f"{_watched(corpus)} to HEFT", number(last.ratio)),
    ]


def _watched(corpus: "Corpus") -> str:
    """What the training is watched by; with too few instances to hold any back, those of the training."""
    return f"{'held-back' if corpus.held_back else 'training'} ratio"


def _save(weights: "Weights", output: Path, about: dict[str, str]) -> None:
    from tfrgnn.policy.weights import save_weights

    save_weights(replace(weights, card={**weights.card, **about}), output)
