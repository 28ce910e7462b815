"""`tfrgnn train`: new weights for the policy."""

import signal
from pathlib import Path
from typing import Annotated

import typer

from tfrgnn.cli.show import number, print_table, progress_bar
from tfrgnn.errors import InputError


def command(
    data: Annotated[Path, typer.Option(help="Folder with the workflows, in folders named after their application.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="Weight file to write (.safetensors).")],
    preset: Annotated[str, typer.Option(help="Architecture.")] = "paper",
    steps: Annotated[int, typer.Option(min=1, help="Updates.")] = 650,
    seed: Annotated[int, typer.Option(min=0, help="Same seed, same weights on the same machine.")] = 0,
    resume: Annotated[bool, typer.Option("--resume", help="Go on from the checkpoint beside the output.")] = False,
    cache: Annotated[
        Path | None, typer.Option(help="Folder for the teacher's labels; beside the output by default.")
    ] = None,
) -> None:
    """Train the policy by distillation; needs the extra `train`. Ctrl-C keeps a checkpoint for --resume."""
    from dataclasses import replace

    from tfrgnn.formats.files import check_writable
    from tfrgnn.policy.presets import find_preset
    from tfrgnn.policy.weights import save_weights
    from tfrgnn.provenance import provenance

    try:
        from tfrgnn.training.distil import Config, Point, train
    except ImportError as error:
        raise InputError(f"training needs {error.name}; pip install 'tfrgnn[train]'") from None
    from tfrgnn.training.scenarios import load_corpus
    from tfrgnn.training.teacher import Labels

    find_preset(preset)
    check_writable(output)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # so that an interruption can save the checkpoint
    config = Config(preset=preset, steps=steps, seed=seed)
    corpus = load_corpus(data)
    labels = Labels(cache or output.with_name(f"{output.name}.labels"))
    checkpoint = output.with_name(f"{output.name}.checkpoint")
    with (
        progress_bar("labels", steps * config.batch) as labelled,
        progress_bar("training", steps) as advance,
    ):

        def told(point: Point) -> None:
            ratio = "" if point.ratio is None else f", held-back ratio {point.ratio:.3f}"
            advance(1, f"loss {point.loss:.3f}, agreement {point.agreement:.2f}{ratio}")

        weights, curve = train(config, corpus, labels, checkpoint, resume=resume, told=told, labelled=labelled)
    save_weights(replace(weights, card={**weights.card, **provenance()}), output)
    checkpoint.unlink(missing_ok=True)
    last = curve[-1]
    facts = [
        ("weights", str(output)),
        ("steps", steps),
        ("loss", number(last.loss)),
        ("agreement with the teacher", number(last.agreement)),
        ("held-back ratio to HEFT", number(last.ratio)),
    ]
    print_table("Training", ("", ""), facts)
