"""The pages are whole, open offline, and draw their charts in a real browser without a complaint."""

import json
import re
import shutil
import subprocess

import pytest

from tfrgnn import compare, plan
from tfrgnn.evaluation.compare import DEFAULT_METHODS
from tfrgnn.generate.clusters import generate_cluster
from tfrgnn.generate.workflows import generate_workflow
from tfrgnn.model.workflow import Task, Workflow
from tfrgnn.report.comparison_page import comparison_page
from tfrgnn.report.plan_page import plan_page

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here")
CLUSTER = generate_cluster(16, 1)


def _open(html, folder):
    """The page's DOM after its scripts have run, and what it wrote to the console."""
    path = folder / "page.html"
    path.write_text(html, encoding="utf-8")
    result = subprocess.run(
        [
            CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
            "--disable-background-networking", "--disable-component-update", "--disable-sync",
            f"--user-data-dir={folder / 'profile'}", "--enable-logging=stderr", "--v=0", "--window-size=1400,1200",
            "--virtual-time-budget=10000", "--dump-dom", path.as_uri(),
        ],
        capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip
    return result.stdout, [line for line in result.stderr.splitlines() if "CONSOLE" in line]


def _data(html):
    return json.loads(re.search(r'id="data">(.*?)</script>', html, re.DOTALL).group(1))


@pytest.fixture(scope="module")
def plan_html():
    return plan_page(plan(generate_workflow("montage", 2000, 1), CLUSTER, "ft-heft", 2.0), traces=50)


@pytest.fixture(scope="module")
def comparison_html():
    workflows = [generate_workflow("montage", 60, 1), generate_workflow("cycles", 67, 1)]
    return comparison_page(compare(workflows, CLUSTER, traces=10))


@needs_chromium
def test_a_plan_of_2000_tasks_is_drawn(plan_html, tmp_path):
    dom, console = _open(plan_html, tmp_path)
    assert console == []
    assert 'data-drawn="3"' in dom
    assert dom.count('role="img"') == 2
    assert dom.count('class="trace bars') == 1


@needs_chromium
def test_a_comparison_is_drawn(comparison_html, tmp_path):
    dom, console = _open(comparison_html, tmp_path)
    assert console == []
    assert 'data-drawn="2"' in dom
    assert dom.count('class="trace scatter') == len(DEFAULT_METHODS)
    assert dom.count('class="trace boxes') == len(DEFAULT_METHODS)
    assert dom.count("<tr>") == 1 + 2 * 4 * len(DEFAULT_METHODS)


def test_pages_load_nothing_from_elsewhere(plan_html, comparison_html):
    for html in (plan_html, comparison_html):
        assert not re.search(r'<(script|link|img|iframe)[^>]+(src|href)="(?!data:)', html)
        assert "default-src 'none'" in html


@needs_chromium
def test_a_second_copy_is_called_so_with_its_type_and_reason(plan_html, tmp_path):
    said = "<pre id='said'></pre><script>document.getElementById('said').textContent = [DATA.planned, DATA.trace].map(" \
        "bars => bars.task.map((_, k) => describe(bars, k)).join('\\n--\\n')).join('\\n--\\n')</script></body>"  # fmt: skip
    dom, console = _open(plan_html.replace("</body>", said), tmp_path)
    assert console == []
    hovers = re.search(r'<pre id="said">(.*?)</pre>', dom, re.DOTALL).group(1).split("\n--\n")
    data = _data(plan_html)
    first = data["planned"]["machine"]
    bars = [(bars["task"][k], bars["machine"][k], bars["kind"][k])
            for bars in (data["planned"], data["trace"]) for k in range(len(bars["task"]))]  # fmt: skip
    assert len(bars) == len(hovers)
    for (task, machine, kind), hover in zip(bars, hovers, strict=True):
        assert (", second copy\n" in hover) == (machine != first[task])
        assert ("Why: a second copy" in hover) == (machine != first[task])
        assert ("Lost:" in hover) == (kind == 2)
        assert data["types"][data["tasks"]["type"][task]] in hover


def test_the_horizon_of_a_page_can_be_moved():
    made = plan(generate_workflow("montage", 60, 1), CLUSTER, "heft", 0.5)
    near, far = (re.search(r"past horizon</dt><dd>(\d+)%", plan_page(made, 20, 0, factor)) for factor in (1.0, 1e4))
    assert int(near.group(1)) > int(far.group(1)) == 0


def test_the_page_holds_the_plan_and_one_trace(plan_html):
    data = _data(plan_html)
    assert len(data["tasks"]["id"]) == 2000
    assert len(data["planned"]["task"]) == 2000 + data["planned"]["kind"].count(1)
    assert data["trace"]["kind"].count(2) > 0  # lost work
    assert len(data["makespans_s"]) == 50
    assert sum(machine["volatile"] for machine in data["machines"]) == 6


@needs_chromium
def test_names_from_files_are_text_and_never_markup(tmp_path):
    name = "</script><script>console.error('boo')</script><b>&"
    workflow = Workflow.from_tasks(name, [Task(name, 1.0, name), Task("b", 2.0)], [(name, "b", 5)])
    dom, console = _open(plan_page(plan(workflow, CLUSTER), traces=1), tmp_path)
    assert console == []
    assert 'data-drawn="3"' in dom
    dom, console = _open(comparison_page(compare([workflow], CLUSTER, ["heft"], [0], traces=1)), tmp_path)
    assert console == []
    assert 'data-drawn="2"' in dom
