"""Takes the README's picture: `python tools/picture.py` plans, writes the page and photographs it with Chromium."""

import shutil
import subprocess
import tempfile
from pathlib import Path

from tfrgnn import plan
from tfrgnn.generate.clusters import generate_cluster
from tfrgnn.generate.workflows import generate_workflow
from tfrgnn.report.plan_page import plan_page

TARGET = Path(__file__).parent.parent / "docs" / "images" / "plan.png"


def main() -> None:
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        raise SystemExit("tools/picture.py: needs Chromium")
    html = plan_page(plan(generate_workflow("epigenomics", 221, 2), generate_cluster(24, 3), "r-heft", 1.0))
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "page.html"
        page.write_text(html, encoding="utf-8")
        subprocess.run(
            [
                chromium, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--hide-scrollbars",
                "--disable-background-networking", f"--user-data-dir={folder}/profile", "--window-size=1400,660",
                "--virtual-time-budget=8000", f"--screenshot={TARGET}", page.as_uri(),
            ],
            check=True, capture_output=True,
        )  # fmt: skip


if __name__ == "__main__":
    main()
