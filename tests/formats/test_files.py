"""Outputs are written whole or not at all."""

import os
import tempfile
from pathlib import Path

import pytest

from tfrgnn.errors import FormatError, OutputError
from tfrgnn.formats import files
from tfrgnn.formats.files import open_buffer, write_text


def test_a_file_is_replaced_whole_and_keeps_the_usual_rights(tmp_path):
    path = tmp_path / "out.json"
    path.write_text("old")
    write_text(path, "new")
    assert path.read_text() == "new"
    assert [entry.name for entry in tmp_path.iterdir()] == ["out.json"]
    mask = os.umask(0)
    os.umask(mask)
    assert path.stat().st_mode & 0o777 == 0o666 & ~mask


def test_a_full_disk_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch):
    path = tmp_path / "out.json"
    path.write_text("old")

    def full(descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(files.os, "fsync", full)
    with pytest.raises(OutputError, match=r"out\.json: cannot be written: No space left on device"):
        write_text(path, "new")
    assert path.read_text() == "old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["out.json"]


def test_an_interruption_leaves_nothing_half_written(tmp_path, monkeypatch):
    def interrupted(descriptor):
        raise KeyboardInterrupt

    monkeypatch.setattr(files.os, "fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_text(tmp_path / "out.json", "new")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("where", ["missing/out.json", "."])
def test_a_path_that_cannot_be_written_is_named(tmp_path, where):
    with pytest.raises(OutputError, match="cannot be written"):
        write_text(tmp_path / where, "x")


def test_a_device_is_written_to_directly():
    with pytest.raises(OutputError, match="No space left"):
        write_text(files.Path("/dev/full"), "x")


def test_an_endless_stream_is_refused(monkeypatch):
    monkeypatch.setattr(files, "_STREAM_LIMIT", 1000)
    with pytest.raises(FormatError, match="is a stream of more than"), open_buffer(files.Path("/dev/zero")):
        pass


def test_a_link_is_followed_and_rights_are_kept(tmp_path):
    (tmp_path / "real.json").write_text("old")
    (tmp_path / "real.json").chmod(0o600)
    (tmp_path / "link.json").symlink_to("real.json")
    write_text(tmp_path / "link.json", "new")
    assert (tmp_path / "link.json").is_symlink()
    assert (tmp_path / "real.json").read_text() == "new"
    assert (tmp_path / "real.json").stat().st_mode & 0o777 == 0o600


def test_a_byte_order_mark_is_passed_over(tmp_path):
    (tmp_path / "f.json").write_bytes(b"\xef\xbb\xbf[1]")
    assert files.read_json(tmp_path / "f.json", list[int]) == [1]


def test_a_file_in_shared_memory_is_replaced_whole_as_anywhere(monkeypatch):
    if not os.access("/dev/shm", os.W_OK):
        pytest.skip("there is no /dev/shm here")
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        path = Path(folder) / "out.json"
        path.write_text("old")

        def full(descriptor):
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(files.os, "fsync", full)
        with pytest.raises(OutputError, match="No space left"):
            write_text(path, "new")
        assert path.read_text() == "old"


def test_a_name_of_the_greatest_length_can_be_written(tmp_path):
    path = tmp_path / ("\u4e2d" * 80 + ".json")
    write_text(path, "x")
    assert path.read_text() == "x"
