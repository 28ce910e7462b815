"""Writes src/tfrgnn/corpus/wfinstances.json: the path and content hash of each real instance here.

Run as `python tools/make_manifest.py` with the instances in $TFRGNN_DATA. Instances of the corpus that are not
here are listed without a hash: they are downloaded, and checked by being read. Together they are as many as the paper
says it has.
"""

import json
import os
from pathlib import Path

from tfrgnn.formats.wfformat import load_workflow

ELSEWHERE = [
    *(f"cycles/cycles-chameleon-{points}l-{crops}c-{values}p-001"
      for points in (1, 2, 5, 10) for crops in (1, 2, 3) for values in (9, 12)),
    *(f"montage/montage-chameleon-{survey}-001" for survey in ("2mass-10d", "2mass-15d", "2mass-20d", "dss-20d")),
]  # fmt: skip
TARGET = Path(__file__).parent.parent / "src" / "tfrgnn" / "corpus" / "wfinstances.json"


def main() -> None:
    data = Path(os.environ.get("TFRGNN_DATA", "../shared/data")) / "wfinstances"
    files: dict[str, str | None] = {
        path.relative_to(data).as_posix(): load_workflow(path).content_hash for path in data.rglob("*.json")
    }
    files = {**{f"pegasus/{name}.json": None for name in ELSEWHERE}, **files}
    lines = ",\n".join(f" {json.dumps(name)}: {json.dumps(known)}" for name, known in sorted(files.items()))
    TARGET.write_text(f"{{\n{lines}\n}}\n")


if __name__ == "__main__":
    main()
