"""The commands as a user runs them."""

import csv
import io
import json
import resource
import signal
import subprocess
import sys
import time

import pytest
from tests.cases import INSTANCES
from typer.testing import CliRunner

from tfrgnn import __version__
from tfrgnn.cli.app import app

ROW_FIELDS = {
    "workflow", "tasks", "edges", "machines", "scale", "method", "planned_makespan_s", "mean_makespan_s", "ci95_low_s",
    "ci95_high_s", "p95_s", "p99_s", "cvar95_s", "ratio_to_heft", "wasted_s", "redundant_s", "utilisation",
    "past_horizon_share", "plan_ms", "simulate_ms", "seed", "version",
}  # fmt: skip


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def call(*words, code=0):
        result = CliRunner().invoke(app, [str(word) for word in words])
        assert result.exit_code == code, result.output
        return result

    return call


@pytest.fixture
def files(run):
    run("generate", "workflow", "montage", "--tasks", 60, "--seed", 1, "-o", "w.json")
    run("generate", "cluster", "--machines", 8, "-o", "c.yaml")
    return run


def _command(*words, **options):
    return subprocess.run(
        [sys.executable, "-m", "tfrgnn", *words], capture_output=True, text=True, timeout=60, check=False, **options
    )


def test_inspect(files):
    assert "valid" in files("inspect", "w.json").stdout
    summary = json.loads(files("inspect", "w.json", "--json").stdout)[0]
    assert (summary["tasks"], summary["depth"]) == (60, 8)
    assert sum(row["tasks"] for row in summary["types"]) == 60
    assert {"edges", "width", "work_s", "edge_bytes", "ccr", "gaps"} <= set(summary)


def test_plan_simulate(files):
    files("plan", "w.json", "--cluster", "c.yaml", "--method", "heft", "--scale", 2, "-o", "plan.json")
    assert "mean_makespan_s" in files("simulate", "plan.json", "--traces", 40, "--seed", 7).stdout
    row = json.loads(files("simulate", "plan.json", "--traces", 5, "--seed", 7, "--json").stdout)
    same = next(csv.DictReader(io.StringIO(files("simulate", "plan.json", "--traces", 5, "--seed", 7, "--csv").stdout)))
    assert float(same["mean_makespan_s"]) == row["mean_makespan_s"]
    calm = json.loads(files("simulate", "plan.json", "--scale", 0, "--json").stdout)
    assert calm["mean_makespan_s"] == calm["planned_makespan_s"] == row["planned_makespan_s"]


def test_plan_json_is_the_plan_file(files, tmp_path):
    printed = files("plan", "w.json", "-c", "c.yaml", "-o", "plan.json", "--json").stdout
    assert json.loads(printed) == json.loads((tmp_path / "plan.json").read_text())
    assert set(json.loads(printed)["tasks"][0]) == {
        "id", "position", "machine", "replicas", "planned_start_s", "planned_finish_s",
    }  # fmt: skip


def test_a_plan_on_a_generated_cluster_can_be_simulated(files, tmp_path):
    files("plan", "w.json", "--machines", 6, "--cluster-seed", 3, "--volatile", 0.5, "-o", "plan.json")
    files("simulate", "plan.json", "--traces", 3)
    (tmp_path / "w.json").rename(tmp_path / "moved.json")
    assert "is not at w.json any more; give it by --workflow" in files("simulate", "plan.json", code=2).stderr
    files("simulate", "plan.json", "--workflow", "moved.json", "--traces", 3)


def test_compare(files):
    options = ("--cluster", "c.yaml", "--methods", "heft,r-heft[beta=3],oracle", "--scales", "0,2", "--traces", 6)
    table = files("compare", "w.json", *options).stdout
    assert "r-heft[beta=3]" in table
    assert "bound" in table
    assert "repair (mean_s 60, sigma 0.5)" in table
    rows = json.loads(files("compare", "w.json", *options, "--json").stdout)
    assert len(rows) == 6
    assert set(rows[0]) >= ROW_FIELDS
    assert {row["version"] for row in rows} == {__version__}
    again = list(csv.DictReader(io.StringIO(files("compare", "w.json", *options, "--csv").stdout)))
    assert [row["method"] for row in again] == [row["method"] for row in rows]


def test_methods(run):
    names = {row["name"] for row in json.loads(run("methods", "--json").stdout)}
    assert names >= {
        "heft", "heft-insertion", "cpop", "peft", "min-min", "max-min", "random", "r-heft", "ft-heft", "oracle",
        "reliable-heft",
    }  # fmt: skip
    assert "beta=2" in run("methods").stdout


def test_a_method_of_the_users_own(files, tmp_path):
    (tmp_path / "mine.py").write_text(
        "from tfrgnn.schedulers.catalogue import scheduler\n"
        "from tfrgnn.schedulers.decoding import list_schedule\n"
        "@scheduler('by-work', summary='largest first', paper='none')\n"
        "def by_work(estimates):\n"
        "    return list_schedule(estimates.costs, estimates.costs.workflow.work_s)\n"
    )
    files("--load", "mine.py", "compare", "w.json", "-c", "c.yaml", "--methods", "by-work", "--traces", 2)


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (("inspect", "nowhere.json"), 2, "nowhere.json: cannot be read: No such file or directory"),
        (("plan", "w.json"), 2, "give the machines either by --cluster FILE or by --machines N"),
        (("plan", "w.json", "--machines", 0), 2, "number of machines is 0; it must be a whole number"),
        (("plan", "w.json", "--machines", 4, "--scale", "nan"), 2, "scale is nan"),
        (("plan", "w.json", "--machines", 4, "-m", "hfet"), 2, "did you mean 'heft'?"),
        (("plan", "w.json", "--machines", 4, "-m", "oracle"), 2, "use compare"),
        (
            ("plan", "w.json", "--machines", 4, "-o", "no/such/plan.json"),
            1,
            "plan.json: cannot be written: its folder does not exist",
        ),
        (("plan", "w.json", "--machines", 4, "-o", "/dev/full"), 1, "No space left on device"),
        (("plan", "w.json", "--machines", 4, "--report", "no/page.html"), 1, "no/page.html: cannot be written"),
        (("compare", "w.json", "--machines", 4, "--scales", "1,x"), 2, "--scales: '1,x' is not a list of numbers"),
        (("compare", "w.json", "--machines", 4, "--methods", ","), 2, "nothing to compare"),
        (("compare", "w.json", "--machines", 4, "--scales", "1e12"), 2, "lower the scale"),
        (("simulate", "w.json"), 2, "w.json: is a workflow, not a plan"),
        (("generate", "workflow", "montge", "--tasks", 9, "-o", "x.json"), 2, "did you mean 'montage'?"),
        (("generate", "cluster", "--machines", 9, "-o", "x.txt"), 2, "ends in .yaml, .yml or .json"),
        (("--load", "w.json", "methods"), 2, "methods are loaded from a Python file"),
    ],
)
def test_a_mistake_is_one_sentence_and_an_exit_code(files, words, code, sentence):
    result = files(*words, code=code)
    assert sentence in result.stderr
    assert result.stderr.startswith("tfrgnn: ")
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("plan", "w.json", "-c", "c.yaml", "--cluster-seed", 3), "--cluster-seed and --volatile go with --machines"),
        (("compare", "w.json", "-c", "c.yaml", "--json", "--csv"), "give either --json or --csv, not both"),
        (("compare", "w.json", "w.json", "-c", "c.yaml"), "a workflow file is given twice"),
        (("compare", "w.json", "-c", "c.yaml", "--traces", 10**20), "their number is 100000000000000000000"),
        (("generate", "cluster", "--machines", 3, "--seed", "9" * 400, "-o", "x.yaml"), "seed is 9999"),
        (("plan", "w.json", "-c", "c.yaml", "-m", f"random[seed={'9' * 400}]"), "is not a number from 0 to 1e+15"),
    ],
)
def test_what_contradicts_itself_or_is_beyond_measure_is_refused(files, words, sentence):
    result = files(*words, code=2)
    assert sentence in result.stderr
    assert result.stderr.count("\n") == 1
    assert len(result.stderr) < 800


def test_a_report_that_cannot_be_written_is_noticed_before_the_work(files):
    assert (
        "its folder does not exist"
        in files("compare", "w.json", "-c", "c.yaml", "--report", "no/p.html", code=1).stderr
    )


def test_two_workflows_of_one_name_are_told_apart_by_their_files(files, tmp_path):
    (tmp_path / "again.json").write_text((tmp_path / "w.json").read_text())
    words = ("compare", "w.json", "again.json", "-c", "c.yaml", "--methods", "heft", "--scales", "0", "--json")
    assert [row["workflow"] for row in json.loads(files(*words).stdout)] == ["w", "again"]


def test_a_method_that_breaks_is_one_sentence(files, tmp_path):
    (tmp_path / "bad.py").write_text(
        "from tfrgnn.schedulers.catalogue import scheduler\n"
        "@scheduler('broken', summary='', paper='')\n"
        "def broken(estimates):\n"
        "    return 1 / 0\n"
    )
    result = files("--load", "bad.py", "plan", "w.json", "-c", "c.yaml", "-m", "broken", code=1)
    assert result.stderr == "tfrgnn: unexpected ZeroDivisionError: division by zero (TFRGNN_DEBUG=1 shows where)\n"


def test_a_narrow_terminal_cuts_no_number(files, tmp_path):
    words = [sys.executable, "-m", "tfrgnn", "compare", "w.json", "-c", "c.yaml", "--traces", "2"]
    script = f"import os, pty, sys\nos.environ['COLUMNS'] = '60'\nsys.exit(pty.spawn({words!r}))"
    result = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=True
    )
    assert "\u2026" not in result.stdout
    assert "reliable-heft" in result.stdout


def test_a_closed_stdout_and_an_odd_encoding_are_no_error(files, tmp_path):
    base = f"{sys.executable} -m tfrgnn"
    for command in (
        f"{base} methods >&-",
        f"PYTHONIOENCODING=ascii {base} inspect w.json",
        f"{base} --help > /dev/full",
    ):
        result = subprocess.run(
            command, shell=True, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
        )
        assert "Traceback" not in result.stderr


def test_misuse_ends_with_2(files):
    files("plan", "w.json", "--bogus", code=2)
    files("compare", "w.json", "--machines", 4, "--traces", 0, code=2)
    files("nonsense", code=2)


def test_a_full_disk_leaves_no_half_written_plan(files, tmp_path):
    """A real limit on the size of files, as a full disk would be."""

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))

    words = ("plan", "w.json", "--cluster", "c.yaml", "-o", "plan.json")
    assert _command(*words, cwd=tmp_path).returncode == 0  # so that compiled code is cached already
    (tmp_path / "plan.json").unlink()
    result = _command(*words, cwd=tmp_path, preexec_fn=limit)
    assert result.returncode == 1
    assert result.stderr == "tfrgnn: plan.json: cannot be written: File too large\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["c.yaml", "w.json"]


def test_a_reader_that_goes_away_is_no_error_to_shout_about(files, tmp_path):
    command = f"{sys.executable} -m tfrgnn plan w.json -c c.yaml --json | head -1"
    result = subprocess.run(command, shell=True, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert result.stderr == ""


def test_a_full_disk_behind_stdout_is_one_sentence(files, tmp_path):
    with open("/dev/full", "w") as full:  # noqa: PTH123
        result = subprocess.run(
            [sys.executable, "-m", "tfrgnn", "methods", "--json"],
            cwd=tmp_path, stdout=full, stderr=subprocess.PIPE, text=True, timeout=60, check=False,
        )  # fmt: skip
    assert result.returncode == 1
    assert result.stderr == "tfrgnn: output cannot be written: No space left on device\n"


def test_ctrl_c_ends_a_long_comparison_at_once_and_cleanly(files, tmp_path):
    files("generate", "workflow", "montage", "--tasks", 3000, "-o", "big.json")
    words = ("compare", "big.json", "--machines", "48", "--traces", "20000", "--scales", "1,2,4", "--report", "p.html")
    process = subprocess.Popen(
        [sys.executable, "-m", "tfrgnn", *words],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    time.sleep(4)
    assert process.poll() is None
    before = time.monotonic()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert time.monotonic() - before < 5
    assert (process.returncode, out, err) == (130, "", "tfrgnn: interrupted\n")
    assert not (tmp_path / "p.html").exists()


def test_help_and_version_need_no_heavy_import(tmp_path):
    heavy = "numpy numba plotly msgspec yaml rich.table torch matplotlib"
    code = (
        "import sys; sys.argv = ['tfrgnn', '--version']\n"
        "import tfrgnn.cli.app as a\n"
        "try: a.app()\n"
        f"except SystemExit: print([m for m in {heavy.split()!r} if m in sys.modules])\n"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert result.stdout.splitlines() == [f"tfrgnn {__version__}", "[]"]
    assert "Plans workflow DAGs" in _command("--help").stdout


@pytest.mark.skipif(not INSTANCES, reason="the real instances are not here; set TFRGNN_DATA")
def test_a_real_instance_from_file_to_numbers(run):
    run("plan", INSTANCES[0], "--machines", 16, "-m", "r-heft", "--scale", 1, "-o", "plan.json")
    assert json.loads(run("simulate", "plan.json", "--json").stdout)["mean_makespan_s"] > 0


def test_compare_passes_over_plans_and_clusters_among_its_files(files):
    files("plan", "w.json", "-c", "c.yaml", "-o", "plan.json")
    files("generate", "cluster", "--machines", 4, "-o", "cluster.json")
    words = ("--methods", "heft", "--scales", "0", "--traces", 2, "--json")
    result = files("compare", "cluster.json", "plan.json", "w.json", "-c", "c.yaml", *words)
    assert len(json.loads(result.stdout)) == 1
    assert "plan.json: is a plan, not a workflow; passed over" in result.stderr
    assert "cluster.json: is a cluster, not a workflow; passed over" in result.stderr
    assert "is a plan, not a workflow" in files("compare", "plan.json", "-c", "c.yaml", code=2).stderr
    assert "none of the files" in files("compare", "plan.json", "cluster.json", "-c", "c.yaml", code=2).stderr


@pytest.mark.parametrize(
    "words",
    [("-o", "w.json"), ("-o", "./c.yaml"), ("-o", "p.json", "--report", "p.json"), ("--report", "w.json")],
)
def test_an_output_never_takes_the_place_of_an_input_or_another_output(files, tmp_path, words):
    before = (tmp_path / "w.json").read_bytes()
    assert "give the output another name" in files("plan", "w.json", "-c", "c.yaml", *words, code=2).stderr
    assert (tmp_path / "w.json").read_bytes() == before


def test_traces_past_the_horizon_are_said_aloud(files):
    files("plan", "w.json", "-c", "c.yaml", "--scale", 50, "-o", "plan.json", "--report", "plan.html")
    assert "ran past the horizon" in files("simulate", "plan.json").stdout
    words = ("--methods", "heft", "--scales", "50", "--traces", 5, "--report", "compare.html")
    assert "ratios too near 1" in files("compare", "w.json", "-c", "c.yaml", *words).stdout
    farther = json.loads(files("simulate", "plan.json", "--scale", 1, "--horizon", 1000, "--json").stdout)
    assert farther["past_horizon_share"] == 0.0
    assert farther["horizon_s"] == pytest.approx(1000 * farther["planned_makespan_s"])
    files("plan", "w.json", "-c", "c.yaml", "--scale", 1, "--report", "plan.html", "--horizon", 1000)


def test_what_goes_to_stdout_is_not_mixed_with_what_is_said_about_it(files, tmp_path):
    for words in (
        ("generate", "workflow", "montage", "--tasks", "60", "--seed", "1", "-o", "/dev/stdout"),
        ("plan", "w.json", "-c", "c.yaml", "-o", "/dev/stdout"),
        ("plan", "w.json", "-c", "c.yaml", "--json", "-o", "/dev/stdout"),
    ):
        with (tmp_path / "out.json").open("w") as out:
            subprocess.run([sys.executable, "-m", "tfrgnn", *words], cwd=tmp_path, stdout=out, timeout=60, check=True)
        document = json.loads((tmp_path / "out.json").read_text())
        if words[0] == "plan":
            assert document["workflow"]["path"] == "w.json"
    page = _command("plan", "w.json", "-c", "c.yaml", "--report", "/dev/stdout", cwd=tmp_path)
    assert page.stdout.rstrip().endswith("</html>")


def test_no_file_is_left_of_a_plan_whose_page_cannot_be_made(files, tmp_path):
    words = ("w.json", "-c", "c.yaml", "-o", "p.json", "--report", "p.html", "--scale", "1e15")
    assert "lower the scale" in files("plan", *words, code=2).stderr
    assert not (tmp_path / "p.json").exists()


def test_a_plan_whose_workflow_cannot_lie_where_it_says(files, tmp_path):
    files("plan", "w.json", "-c", "c.yaml", "-o", "plan.json")
    text = (tmp_path / "plan.json").read_text()
    (tmp_path / "plan.json").write_text(text.replace('"path": "w.json"', f'"path": "{"x" * 300}"'))
    assert "give it by --workflow" in files("simulate", "plan.json", code=2).stderr


def test_names_are_printed_as_they_are(files, tmp_path):
    (tmp_path / "w.json").rename(tmp_path / "odd [x] :smile: .json")
    assert "odd [x] :smile: .json" in files("inspect", "odd [x] :smile: .json").stdout
    files("plan", "odd [x] :smile: .json", "-c", "c.yaml", "-o", "p :smile:.json")
    assert "p :smile:.json" in files("plan", "odd [x] :smile: .json", "-c", "c.yaml", "-o", "p :smile:.json").stdout


def test_a_scale_given_twice_counts_once(files):
    words = ("--methods", "heft", "--scales", "0,0.0,1", "--traces", 2, "--json")
    assert len(json.loads(files("compare", "w.json", "-c", "c.yaml", *words).stdout)) == 2


def test_names_are_suggested_whatever_their_case(files):
    for wrong, near in (("HEFT", "'heft'"), ("orcle", "'oracle'")):
        words = ("w.json", "-c", "c.yaml", "--methods", wrong)
        assert f"did you mean {near}?" in files("compare", *words, code=2).stderr
    words = ("w.json", "-c", "c.yaml", "--methods", "oracle[beta=2]")
    assert "oracle is a bound and no method" in files("compare", *words, code=2).stderr


def test_help_shows_how_options_of_a_method_are_written(run):
    assert "r-heft[beta=3]" in " ".join(run("compare", "--help").stdout.split())
