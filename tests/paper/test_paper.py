"""The runner loses and repeats nothing, and tables say what the rows say."""

import json
import re

import pytest

pytest.importorskip("matplotlib", reason="pip install 'tfrgnn[paper]' for the figures")

from tests.cases import DATA, needs_instances
from typer.testing import CliRunner

from tfrgnn.cli.app import app
from tfrgnn.errors import InputError
from tfrgnn.formats.wfwriter import save_workflow
from tfrgnn.generate.workflows import generate_workflow
from tfrgnn.paper import runner, timing
from tfrgnn.paper.figures import FIGURES
from tfrgnn.paper.learning import learning_findings
from tfrgnn.paper.measures import best_of, mean_of
from tfrgnn.paper.reproduce import BEFOREHAND, Job, all_suites
from tfrgnn.paper.runner import Rows, run_cell
from tfrgnn.paper.suites import POLICY, Cell, suites, workflow_of
from tfrgnn.paper.tables import TABLES, Entry, Table, latex, markdown
from tfrgnn.paper.verdicts import FAILS, HOLDS, OPEN, above, apart, below, everywhere, paired, together, within
from tfrgnn.policy.weights import random_weights, save_weights
from tfrgnn.simulation.outcome import Estimate


@pytest.fixture
def data(tmp_path):
    folder = tmp_path / "data"
    folder.mkdir()
    for name in ("one", "two"):
        save_workflow(generate_workflow("montage", 60, len(name), like="montage-dss-05d-001"), folder / f"{name}.json")
    return folder


CELLS = [
    Cell("test", "montage", name, 8, cluster, scale, ("heft", "r-heft", "ft-heft[budget=0.1]"), traces=5)
    for name in ("one", "two")
    for cluster in (0, 1)
    for scale in (0.0, 2.0)
]


def _quiet(done):
    pass


def test_rows_are_identical_from_one_and_from_two_processes(data, tmp_path):
    one = Rows(tmp_path / "1").run(data, CELLS, 1, _quiet)
    two = Rows(tmp_path / "2").run(data, CELLS, 2, _quiet)
    assert one == two
    assert (tmp_path / "1/test.jsonl").read_bytes() == (tmp_path / "2/test.jsonl").read_bytes()
    assert len(one) == len(CELLS) * 3
    assert [row["method"] for row in one[:3]] == ["heft", "r-heft", "ft-heft[budget=0.1]"]
    assert not any("ms" in key for row in one for key in row)
    assert one[0]["instance"] == "one"
    line = json.loads((tmp_path / "1/test.jsonl").read_text().splitlines()[0])
    assert line["about"] == {}
    assert line["cell"]["cluster_seed"] == 0


def test_an_interrupted_run_goes_on_where_it_stopped(data, tmp_path, monkeypatch):
    whole = Rows(tmp_path / "whole").run(data, CELLS, 1, _quiet)
    ran = []

    def stop_at_five(folder, weights, cell):
        if len(ran) == 5:
            raise KeyboardInterrupt
        ran.append(cell)
        return run_cell(folder, weights, cell)

    monkeypatch.setattr(runner, "run_cell", stop_at_five)
    with pytest.raises(KeyboardInterrupt):
        Rows(tmp_path / "cut").run(data, CELLS, 1, _quiet)
    with (tmp_path / "cut/test.part").open("a") as file:
        file.write('\n{"key": "torn off in the mid')
    monkeypatch.setattr(runner, "run_cell", lambda *args: ran.append(args[-1]) or run_cell(*args))
    told = []
    assert Rows(tmp_path / "cut").run(data, CELLS, 1, told.append) == whole
    assert ran == CELLS
    assert Rows(tmp_path / "cut").read(CELLS) == whole
    with pytest.raises(InputError, match="lacks 1 cells of test"):
        Rows(tmp_path / "cut").read([*CELLS, Cell("test", "montage", "one", 9, 0, 0.0, ("heft",))])
    assert sum(told) == len(CELLS)
    assert (tmp_path / "cut/test.jsonl").read_bytes() == (tmp_path / "whole/test.jsonl").read_bytes()
    assert not (tmp_path / "cut/test.part").exists()


def test_a_changed_cell_is_run_and_an_unchanged_one_is_not(data, tmp_path, monkeypatch):
    Rows(tmp_path).run(data, CELLS, 1, _quiet)
    ran = []
    monkeypatch.setattr(runner, "run_cell", lambda *args: ran.append(args[-1]) or run_cell(*args))
    other = Cell("test", "montage", "one", 8, 7, 1.0, ("heft",), traces=5)
    Rows(tmp_path).run(data, [*CELLS, other], 1, _quiet)
    assert ran == [other]
    ran.clear()
    save_workflow(generate_workflow("montage", 61, 9), data / "one.json")
    workflow_of.cache_clear()
    Rows(tmp_path).run(data, CELLS, 1, _quiet)
    assert ran == [cell for cell in CELLS if cell.instance == "one"]


def test_weights_without_a_curve_have_a_page_too(tmp_path):
    """As those of policy gradients, whose curve has no loss."""
    for draw, names in (FIGURES[10], FIGURES[11]):
        rows = [
            row for name in names for row in Job(tmp_path, tmp_path).rows([name], _quiet)[name] if name != "training"
        ]
        assert draw(rows) is not None
    rows = {name: Job(tmp_path, tmp_path).rows([name], _quiet)[name] for name in BEFOREHAND} | {"training": []}
    assert "no curve of a distillation" in {
        f.evidence.split(" come with ")[-1].strip(".") for f in learning_findings(rows)
    }


def test_a_weight_file_whose_path_cannot_be_spelt_is_refused_at_once(tmp_path):
    with pytest.raises(InputError, match="no comma or bracket"):
        Job(tmp_path, tmp_path, weights=tmp_path / "a,b.safetensors")


def test_times_are_measured_anew_for_another_workflow(tmp_path, monkeypatch):
    folder = tmp_path / "data"
    folder.mkdir()
    monkeypatch.setattr(timing, "TIMING", (("montage", "one"),))
    monkeypatch.setattr(timing, "_SECONDS", 0.0)
    job = Job(folder, tmp_path / "out", quick=True)
    measured = []
    for size in (60, 60, 70):
        save_workflow(generate_workflow("montage", size, 0), folder / "one.json")
        workflow_of.cache_clear()
        measured.append(job.rows(["timing"], _quiet)["timing"])
    assert measured[0] == measured[1]
    assert [rows[0]["tasks"] for rows in measured] == [60, 60, 70]


def test_other_weights_stand_in_for_the_shipped_ones(data, tmp_path):
    cell = Cell("test", "montage", "one", 8, 0, 2.0, ("heft", POLICY, "tfr-gnn[preset=paper-no-cross]"), traces=5)
    path = tmp_path / "w.safetensors"
    save_weights(random_weights("paper", 1), path)
    shipped, own = (Rows(tmp_path / str(k), weights=w).run(data, [cell], 1, _quiet) for k, w in enumerate((None, path)))
    assert [row["method"] for row in own] == list(cell.methods)
    assert own[1]["mean_makespan_s"] != shipped[1]["mean_makespan_s"]
    assert (own[0], own[2]) == (shipped[0], shipped[2])


@pytest.mark.parametrize(
    ("vary", "value"),
    [("rack_size", 2.0), ("bandwidth", 0.01), ("repair_mean_s", 600.0), ("horizon_factor", 2.0), ("work_factor", 10.0),
     ("sigma", 1.0), ("volatile", 0.9)],
)  # fmt: skip
def test_every_constant_that_a_suite_varies_changes_something(data, vary, value):
    plain = Cell("test", "montage", "one", 24, 0, 1.0, ("heft",), traces=5)
    varied = Cell("test", "montage", "one", 24, 0, 1.0, ("heft",), traces=5, vary=vary, value=value)
    assert run_cell(data, None, plain)[0]["mean_makespan_s"] != run_cell(data, None, varied)[0]["mean_makespan_s"]


def test_every_table_and_figure_has_its_suites():
    known = set(all_suites())
    for _, names in [*TABLES.values(), *FIGURES.values()]:
        assert set(names) <= known
    for suite in [*suites(False).values(), *suites(True).values()]:
        assert len(set(suite.cells)) == len(suite.cells)
        assert all(cell.suite == suite.name for cell in suite.cells)


def test_a_mean_over_scenarios_and_its_interval():
    """Three instances on two clusters; instances' means 1, 2, 3 and clusters' 1.5, 2.5."""
    values = {("x", 0): 0.5, ("x", 1): 1.5, ("y", 0): 1.5, ("y", 1): 2.5, ("z", 0): 2.5, ("z", 1): 3.5}
    rows = [{"method": "a", "instance": i, "cluster_seed": c, "ratio_to_heft": v} for (i, c), v in values.items()]
    found = mean_of(rows, method="a")
    assert found.mean == 2.0
    # 1 / 3 between the instances with 2 degrees of freedom, 0.5 / 2 between the clusters with 1; together
    # (7/12)^2 / (1/18 + 1/16) = 2.88, so Student's t for 2: 4.302653
    assert found.high - found.mean == pytest.approx(4.302653 * (7 / 12) ** 0.5)
    assert mean_of(rows, these=True, method="a").high == pytest.approx(2.0 + 12.706205 * 0.5)
    assert mean_of(rows[:1]).low is None
    assert mean_of(rows, method="c") is None


def test_scenarios_that_share_all_do_not_count_twice():
    rows = [{"instance": i, "cluster_seed": c, "ratio_to_heft": v} for i, c, v in (("x", 0, 1.0), ("y", 1, 2.0))]
    once, ten_times = mean_of(rows), mean_of(rows * 10)
    assert (ten_times.low, ten_times.high) == (once.low, once.high)


def test_verdicts_hang_on_the_whole_interval():
    low, wide, high = Estimate(0.8, 0.7, 0.9), Estimate(0.8, 0.5, 1.1), Estimate(1.2, 1.1, 1.3)
    assert [below(e, 1.0) for e in (low, wide, high, Estimate(0.5, None, None), None)] == [
        HOLDS, OPEN, FAILS, OPEN, OPEN
    ]  # fmt: skip
    assert [above(e, 1.0) for e in (low, wide, high)] == [FAILS, OPEN, HOLDS]
    assert together({"a": HOLDS, "b": HOLDS}) == HOLDS
    assert together({"a": HOLDS, "b": OPEN}) == "holds for a"
    assert together({"a": FAILS, "b": OPEN}) == FAILS
    assert together({"a": OPEN}) == OPEN
    assert [within(e, 0.6, 1.0) for e in (low, wide, high, None)] == [HOLDS, OPEN, FAILS, OPEN]
    assert [apart(high, low), apart(low, high), apart(low, wide)] == [HOLDS, FAILS, OPEN]
    assert everywhere({"a": HOLDS, "b": HOLDS}) == HOLDS
    assert everywhere({"a": HOLDS, "b": OPEN}) == OPEN
    assert everywhere({"a": HOLDS, "b": OPEN, "c": FAILS}) == FAILS


def test_ratios_are_taken_within_a_scenario():
    rows = [
        {"instance": i, "cluster_seed": c, "machines": 8, "scale": 1.0, "vary": "", "value": 0.0, "method": m,
         "mean_makespan_s": s}
        for i, c, m, s in (("x", 0, "a", 1.0), ("x", 0, "b", 2.0), ("y", 0, "a", 30.0), ("y", 0, "b", 20.0))
    ]  # fmt: skip
    assert paired(rows, "a", "b").mean == 1.0
    assert [row["mean_makespan_s"] for row in best_of(rows, ("a", "b"), "best")] == [1.0, 20.0]


def test_tables_in_markdown_and_latex():
    table = Table(
        1, "x", "A_b 5 %", ("m", "n"), (("r_1", (Entry(Estimate(0.5, 0.4, 0.6), 0.7),)), ("s", (Entry(None),)))
    )
    assert markdown(table).splitlines()[2:] == ["| r_1 | 0.500 ± 0.100 [0.700] |", "| s | - |"]
    text = latex(table)
    assert r"A\_b 5 \%" in text
    assert r"r\_1 & 0.500 $\pm$ 0.100 [0.700] \\" in text
    assert "the paper's numbers in brackets" in text


def test_a_missing_instance_is_named(tmp_path):
    with pytest.raises(InputError, match="tfrgnn data fetch"):
        workflow_of(tmp_path, "montage", "nothing")
    assert workflow_of(tmp_path, "montage", "generated-200").tasks == 200


@pytest.mark.parametrize("words", [("table", "99"), ("figure", "1")])
def test_an_unknown_number_is_refused(words, tmp_path):
    result = CliRunner().invoke(app, ["paper", *words, "--data", str(tmp_path), "-o", str(tmp_path)])
    assert result.exit_code == 2
    assert "there is no" in result.stderr


def test_the_list_of_results():
    result = CliRunner().invoke(app, ["paper", "list"])
    assert result.exit_code == 0
    assert "figure" in result.stdout


@needs_instances
def test_one_table_and_one_figure_from_raw_files(tmp_path):
    for words in (("table", "3"), ("figure", "3")):
        result = CliRunner().invoke(
            app, ["paper", *words, "--data", str(DATA), "-o", str(tmp_path), "--quick", "--processes", "1"]
        )
        assert result.exit_code == 0, result.output
    made = tmp_path / "quick"
    assert re.search(r"\| cycles \| [\d.]+", (made / "tables/table-3-applications.md").read_text())
    assert (made / "figures/figure-3-intensity.pdf").read_bytes().startswith(b"%PDF")
    assert (made / "figures/figure-3-intensity.png").read_bytes().startswith(b"\x89PNG")
    rows = [json.loads(line) for line in (made / "rows/intensity.jsonl").read_text().splitlines()]
    calm = [row for line in rows for row in line["rows"] if line["cell"]["scale"] == 0.0]
    assert {row["ratio_to_heft"] for row in calm} == {1.0}
