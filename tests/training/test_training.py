"""Training: the same seed gives the same weights, whether interrupted or not."""

import pytest

pytest.importorskip("torch", reason="pip install 'tfrgnn[train]' for torch")
pytest.importorskip("torch_geometric", reason="pip install 'tfrgnn[train]' for torch-geometric")

from tests.reference.costs import SlowCosts
from tests.reference.decode import SlowPlan, arrival
from typer.testing import CliRunner

from tfrgnn.cli.app import app
from tfrgnn.errors import DivergedError, FormatError, InputError
from tfrgnn.evaluation.oracle import PORTFOLIO
from tfrgnn.formats.wfwriter import save_workflow
from tfrgnn.generate.workflows import generate_workflow
from tfrgnn.policy.weights import load_weights, save_weights
from tfrgnn.training.distil import Config, teacher_forced_rows, train
from tfrgnn.training.reinforce import ReinforceConfig, reinforce
from tfrgnn.training.scenarios import TRAINING_FAMILIES, draw_recipes, load_corpus
from tfrgnn.training.teacher import Labels, teach

CONFIG = Config(steps=6, batch=2, watch_every=2, constants_from=6)


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    folder = tmp_path_factory.mktemp("data")
    for family in TRAINING_FAMILIES:
        (folder / family).mkdir()
        for seed in range(5):
            save_workflow(generate_workflow(family, 40 + 7 * seed, seed), folder / family / f"{seed}.json")
    return folder


@pytest.fixture(scope="module")
def corpus(data):
    return load_corpus(data)


@pytest.fixture(scope="module")
def labels(tmp_path_factory):
    return Labels(tmp_path_factory.mktemp("labels"))


@pytest.fixture(scope="module")
def whole(corpus, labels, tmp_path_factory):
    folder = tmp_path_factory.mktemp("whole")
    weights, curve = train(CONFIG, corpus, labels, folder / "checkpoint")
    save_weights(weights, folder / "w.safetensors")
    return (folder / "w.safetensors").read_bytes(), curve


def test_same_seed_same_bytes(whole, corpus, labels, tmp_path):
    weights, _ = train(CONFIG, corpus, labels, tmp_path / "checkpoint")
    save_weights(weights, tmp_path / "w.safetensors")
    assert (tmp_path / "w.safetensors").read_bytes() == whole[0]


@pytest.mark.parametrize("stop_after", [1, 2, 5])
def test_an_interrupted_run_goes_on_to_the_same_bytes(whole, corpus, labels, tmp_path, stop_after):
    def interrupt(point):
        if point.step == stop_after:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train(CONFIG, corpus, labels, tmp_path / "checkpoint", told=interrupt)
    weights, curve = train(CONFIG, corpus, labels, tmp_path / "checkpoint", resume=True)
    save_weights(weights, tmp_path / "w.safetensors")
    assert (tmp_path / "w.safetensors").read_bytes() == whole[0]
    assert curve == whole[1]


def test_another_seed_gives_other_weights(whole, corpus, labels, tmp_path):
    from dataclasses import replace

    weights, _ = train(replace(CONFIG, seed=1), corpus, labels, tmp_path / "checkpoint")
    save_weights(weights, tmp_path / "w.safetensors")
    assert (tmp_path / "w.safetensors").read_bytes() != whole[0]


def test_the_curve_has_every_step_and_a_ratio_now_and_then(whole):
    assert [point.step for point in whole[1]] == [1, 2, 3, 4, 5, 6]
    assert [point.ratio is not None for point in whole[1]] == [False, True] * 3


def test_a_checkpoint_of_another_configuration_is_refused(corpus, labels, tmp_path):
    from dataclasses import replace

    def interrupt(point):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train(CONFIG, corpus, labels, tmp_path / "checkpoint", told=interrupt)
    with pytest.raises(InputError, match=r"another run \(seed\)"):
        train(replace(CONFIG, seed=5), corpus, labels, tmp_path / "checkpoint", resume=True)
    with pytest.raises(InputError, match=r"another run \(data\)"):
        train(CONFIG, replace(corpus, held_back=()), labels, tmp_path / "checkpoint", resume=True)
    with pytest.raises(InputError, match="there is no checkpoint"):
        train(CONFIG, corpus, labels, tmp_path / "nothing", resume=True)
    (tmp_path / "checkpoint").write_bytes(b"nonsense")
    with pytest.raises(FormatError, match="is not a readable checkpoint"):
        train(CONFIG, corpus, labels, tmp_path / "checkpoint", resume=True)


def test_labels_are_made_once_and_by_content(corpus, tmp_path):
    recipes = draw_recipes(corpus, 5, 3)
    told = []
    Labels(tmp_path).prepare(recipes, told.append)
    files = {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
    assert sum(told) == 5
    told.clear()
    Labels(tmp_path).prepare(recipes, told.append)
    assert told == [5]
    assert {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()} == files
    stored, fresh = Labels(tmp_path)[recipes[0]], teach(recipes[0])
    assert stored.machine.tolist() == fresh.machine.tolist()
    assert stored.member == fresh.member
    assert stored.member in PORTFOLIO


def test_a_damaged_label_is_made_again(corpus, tmp_path):
    recipes = draw_recipes(corpus, 1, 3)
    labels = Labels(tmp_path)
    labels.prepare(recipes, lambda count: None)
    (path,) = tmp_path.iterdir()
    whole = path.read_bytes()
    path.write_bytes(whole[:20])
    assert labels[recipes[0]].machine.tolist() == teach(recipes[0]).machine.tolist()
    assert path.read_bytes() == whole


def test_mistakes_are_found_before_the_labels_are_made(data, tmp_path):
    words = ["train", "--data", str(data), "--cache", str(tmp_path / "cache")]
    for more, reason in (
        (["--preset", "papr", "-o", str(tmp_path / "w")], "did you mean 'paper'"),
        (["--resume", "-o", str(tmp_path / "w")], "there is no checkpoint"),
        (["-o", str(tmp_path / "nowhere/w")], "cannot be written"),
    ):
        result = CliRunner().invoke(app, [*words, *more])
        assert result.exit_code in (1, 2)
        assert reason in result.output
        assert not (tmp_path / "cache").exists()


def test_teacher_forced_rows_are_the_finish_times_behind_the_teachers_choices(corpus):
    recipe = draw_recipes(corpus, 8, 4)[5]
    estimates, label = recipe.estimates(), teach(recipe)
    rows = teacher_forced_rows(estimates, label)
    plan, slow = label.plan(estimates), SlowCosts(estimates.costs)
    so_far, avail = SlowPlan(), dict.fromkeys(slow.machines, 0.0)
    for i in plan.order.tolist():
        expected = [max(arrival(slow, so_far, i, m), avail[m]) + slow.duration(i, m) for m in slow.machines]
        assert rows[i].tolist() == expected
        copies = [(plan.machine[i], plan.start_s[i], plan.finish_s[i])]
        if plan.replica[i] >= 0:
            copies.append((plan.replica[i], plan.replica_start_s[i], plan.replica_finish_s[i]))
        so_far.copies[i] = copies
        for m, _, finish in copies:
            avail[m] = finish


def test_at_scale_0_the_teacher_is_heft(corpus):
    calm = [recipe for recipe in draw_recipes(corpus, 40, 1) if recipe.scale == 0.0]
    assert calm
    assert {teach(recipe).member for recipe in calm[:3]} == {"heft"}


def test_an_empty_folder_is_refused(tmp_path):
    with pytest.raises(InputError, match="no workflow of at most 700 tasks"):
        load_corpus(tmp_path)


def test_the_command(data, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = ["train", "--data", str(data), "--steps", "3", "--preset", "paper-no-cross", "-o", "w.safetensors"]
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 0, result.output
    weights = load_weights(tmp_path / "w.safetensors")
    assert weights.preset_name == "paper-no-cross"
    assert weights.card["config"]["steps"] == 3
    assert not (tmp_path / "w.safetensors.checkpoint").exists()
    wrong = CliRunner().invoke(app, [*words[:5], "--preset", "papr", "-o", "w.safetensors"])
    assert wrong.exit_code == 2


def test_a_copy_of_an_instance_is_not_trained_on_and_held_back_at_once(data, tmp_path):
    import shutil

    for name in ("a", "b"):
        shutil.copytree(data, tmp_path / name)
    twice, once = load_corpus(tmp_path), load_corpus(tmp_path / "a")
    assert (twice.training, twice.held_back) == (once.training, once.held_back)


def test_of_too_many_types_the_commonest_have_rows(corpus):
    every = corpus.types(1166)
    assert list(every) == sorted(every)
    few = corpus.types(3)
    assert len(few) == 3
    assert set(few) < set(every)


def test_a_damaged_checkpoint_is_refused_whatever_is_wrong_with_it(corpus, labels, tmp_path):
    def interrupt(point):
        raise KeyboardInterrupt

    path = tmp_path / "checkpoint"
    with pytest.raises(KeyboardInterrupt):
        train(CONFIG, corpus, labels, path, told=interrupt)
    whole = path.read_bytes()
    for old, new in (
        (b"adam.0.exp_avg_sq", b"adam.0.exp_avh_sq"), (b"adam.0.exp_avg", b"adam.9.exp_avg"), (b"theta", b"thetb"),
        (b"agree", b"agrea"), (b'\\"step\\": 1', b'\\"step\\": 2'), (whole[-8:], b"12345678"),
    ):  # fmt: skip
        assert old in whole
        path.write_bytes(whole.replace(old, new))
        with pytest.raises(FormatError, match="is not a readable checkpoint"):
            train(CONFIG, corpus, labels, path, resume=True)
    path.write_bytes(whole)
    train(CONFIG, corpus, labels, path, resume=True)


def test_a_diverged_training_says_so_and_writes_nothing(corpus, labels, tmp_path):
    from dataclasses import replace

    for steps in (1, 6):
        with pytest.raises(DivergedError, match="the training diverged"):
            train(replace(CONFIG, learning_rate=1e30, steps=steps), corpus, labels, tmp_path / "checkpoint")
    config = ReinforceConfig("rloo", steps=3, samples=2, traces=2, learning_rate=1e30, constants_from=6)
    with pytest.raises(DivergedError, match="the training diverged"):
        reinforce(config, corpus)


def test_an_input_is_not_written_over(data, tmp_path):
    target = next((data / "montage").iterdir())
    words = ["train", "--data", str(data), "--cache", str(tmp_path / "cache")]
    for more in (["-o", str(target)], ["-o", str(tmp_path / "cache")]):
        result = CliRunner().invoke(app, [*words, *more])
        assert result.exit_code == 2
        assert "is read or written here already" in result.stderr
