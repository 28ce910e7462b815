"""A gigabyte of nonsense ends in one sentence, in seconds, and in less memory than a workstation has."""

import subprocess
import sys

import pytest

SIZE = 1 << 30
AT_MOST_16_GIB = "import resource; resource.setrlimit(resource.RLIMIT_AS, (16 << 30,) * 2); "
LOAD = "import sys; from pathlib import Path; import tfrgnn; tfrgnn.load_{kind}(Path(sys.argv[1]))"
HEAD = b'{"name":"a","schemaVersion":"1.5","workflow":{"specification":{"tasks":['
FILLINGS = {
    "zeros": (b"", b"\0", b""),
    "brackets": (b"", b"[", b""),
    "an endless text": (b'{"name": "', b"x", b"}"),
    "a list of numbers": (b'{"machines": [0', b",0", b"]}"),
    "tasks without a name": (HEAD, b'{"id":""},', b'{"id":""}]}}}'),
    "tasks in tasks": (HEAD, b'{"id":"a","x":', b""),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["workflow", "cluster", "plan"])
@pytest.mark.parametrize("filling", FILLINGS)
def test_a_gigabyte_of(filling, kind, tmp_path):
    begin, middle, end = FILLINGS[filling]
    path = tmp_path / "nonsense.json"
    with path.open("wb") as file:
        file.write(begin)
        block = middle * ((1 << 20) // len(middle))
        for _ in range(SIZE // len(block)):
            file.write(block)
        file.write(end)
    code = AT_MOST_16_GIB + LOAD.format(kind=kind)
    result = subprocess.run(
        [sys.executable, "-c", code, path], capture_output=True, text=True, timeout=120, check=False
    )
    path.unlink()
    assert result.returncode == 1
    assert "tfrgnn.errors." in result.stderr.splitlines()[-1]
