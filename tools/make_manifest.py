"""Writes src/tfrgnn/corpus/wfinstances.json: the path and content hash of each real instance here.

Run as `python tools/make_manifest.py` with the instances in $TFRGNN_DATA. Instances that the paper has and this machine
does not are listed without a hash: they are downloaded, and checked by being read.
"""

import json
import os
from pathlib import Path

from tfrgnn.formats.wfformat import load_workflow

ELSEWHERE = [
    "cycles/cycles-chameleon-10l-1c-12p-001", "cycles/cycles-chameleon-10l-2c-9p-001",
    "cycles/cycles-chameleon-10l-3c-9p-001", "cycles/cycles-chameleon-2l-2c-12p-001",
    "cycles/cycles-chameleon-2l-3c-12p-001", "cycles/cycles-chameleon-5l-1c-12p-001",
    "cycles/cycles-chameleon-5l-2c-12p-001", "cycles/cycles-chameleon-5l-3c-12p-001",
    "cycles/cycles-chameleon-5l-3c-9p-001", "montage/montage-chameleon-dss-20d-001",
]  # fmt: skip
TARGET = Path(__file__).parent.parent / "src" / "tfrgnn" / "corpus" / "wfinstances.json"


def main() -> None:
    data = Path(os.environ.get("TFRGNN_DATA", "../shared/data")) / "wfinstances"
    files: dict[str, str | None] = {
        path.relative_to(data).as_posix(): load_workflow(path).content_hash for path in data.rglob("*.json")
    }
    files |= {f"pegasus/{name}.json": None for name in ELSEWHERE}
    lines = ",\n".join(f" {json.dumps(name)}: {json.dumps(known)}" for name, known in sorted(files.items()))
    TARGET.write_text(f"{{\n{lines}\n}}\n")


if __name__ == "__main__":
    main()
