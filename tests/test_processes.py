"""Work in processes: the same results from one or two, nothing left behind when the caller is stopped or killed."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tfrgnn.processes import in_processes

ROOT = Path(__file__).parents[1]
SCRIPT = """
import os, sys, time
from pathlib import Path
from tfrgnn.processes import in_processes

def work(folder):
    (Path(folder) / str(os.getpid())).touch()
    time.sleep(60)

if __name__ == "__main__":
    with in_processes(work, [sys.argv[1]] * 4, 2) as results:
        list(results)
"""


@pytest.mark.parametrize("processes", [1, 2])
def test_each_item_comes_with_its_result(processes):
    with in_processes(abs, [-3, 2, -1], processes) as results:
        assert sorted(results) == [(-3, 3), (-1, 1), (2, 2)]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_an_error_of_a_worker_reaches_the_caller():
    with pytest.raises(TypeError), in_processes(abs, ["x", "y"], 2) as results:
        list(results)


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGKILL], ids=["interrupted", "killed"])
def test_no_worker_outlives_its_parent(tmp_path, end):
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    (tmp_path / "workers").mkdir()
    parent = subprocess.Popen(
        [sys.executable, script, tmp_path / "workers"], stderr=subprocess.PIPE, start_new_session=True
    )
    wait_for(lambda: len(list((tmp_path / "workers").iterdir())) == 2)
    parent.send_signal(end)
    parent.communicate(timeout=30)
    workers = [int(path.name) for path in (tmp_path / "workers").iterdir()]
    wait_for(lambda: not any(is_running(pid) for pid in workers))


def is_running(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{pid}/stat")
    return not stat.exists() or stat.read_text().rsplit(")", 1)[1].split()[0] != "Z"


def wait_for(condition, seconds=30):
    for _ in range(10 * seconds):
        if condition():
            return
        time.sleep(0.1)
    raise AssertionError("waited in vain")
