"""What README and docs say runs, and their numbers are those of the rows."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tfrgnn import load_cluster
from tfrgnn.schedulers import catalogue

ROOT = Path(__file__).parents[1]
PAGES = ("README.md", "docs/tutorial.md", "docs/heuristics.md", "docs/policy.md")
BLOCK = re.compile(r"^```(console|python)\n(.*?)^```", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", PAGES)
def test_every_block_of_a_page_runs(page, tmp_path):
    """In order, in one folder; a Python block that names a file is saved as that file."""
    script = []
    for language, text in BLOCK.findall((ROOT / page).read_text(encoding="utf-8")):
        if language == "console":
            script += [("console", line[2:]) for line in text.splitlines() if line.startswith("$ ")]
        elif named := re.match(r"# file: (\S+)\n", text):
            (tmp_path / named.group(1)).write_text(text)
        else:
            script.append(("python", text))
    assert script
    for language, text in script:
        words = text.replace("tfrgnn", f"{sys.executable} -m tfrgnn", 1) if language == "console" else None
        result = subprocess.run(
            words or [sys.executable, "-c", text],
            shell=words is not None, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False,
        )  # fmt: skip
        assert result.returncode == 0, f"{text}\n{result.stderr}"


def test_the_documented_cluster_file_loads(tmp_path):
    text = re.search(r"```yaml\n(.*?)```", (ROOT / "docs/formats.md").read_text(), re.DOTALL).group(1)
    (tmp_path / "c.yaml").write_text(text)
    assert load_cluster(tmp_path / "c.yaml").name == yaml.safe_load(text)["name"]


def test_tables_in_docs_are_those_of_the_rows():
    result = subprocess.run([sys.executable, ROOT / "tools/render_tables.py", "--check"], timeout=60, check=False)
    assert result.returncode == 0, "run tools/render_tables.py"


def test_links_between_pages_lead_somewhere():
    for page in [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")]:
        for target in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_the_changelog_names_every_method():
    text = (ROOT / "CHANGELOG.md").read_text()
    for name in catalogue.methods():
        if catalogue.methods()[name].function.__module__.startswith("tfrgnn.schedulers"):
            assert f"`{name}`" in text
