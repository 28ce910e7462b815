"""The corpus is downloaded, checked and gone on with, against a server on this machine."""

import json
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from typer.testing import CliRunner

from tfrgnn.cli.app import app
from tfrgnn.corpus import fetch as fetching
from tfrgnn.corpus.fetch import FetchError, fetch, manifest
from tfrgnn.errors import InputError
from tfrgnn.formats.wfformat import load_workflow
from tfrgnn.formats.wfwriter import save_workflow
from tfrgnn.generate.workflows import generate_workflow


class _Server(BaseHTTPRequestHandler):
    """Serves bytes, ranges of them, and on wish only the first part of a file."""

    def __init__(self, content, seen, cut, *args):
        self.content, self.seen, self.cut = content, seen, cut
        super().__init__(*args)

    def do_GET(self):
        name = self.path.lstrip("/")
        self.seen.append((name, self.headers.get("Range")))
        if name not in self.content:
            self.send_error(404)
            return
        body, first = self.content[name], 0
        if wanted := self.headers.get("Range"):
            first = int(wanted.removeprefix("bytes=").rstrip("-"))
            if first >= len(body):
                self.send_error(416)
                return
        self.send_response(206 if first else 200)
        self.send_header("Content-Length", str(len(body) - first))
        self.end_headers()
        self.wfile.write(body[first : self.cut.get(name)])

    def log_message(self, *args):
        pass


@pytest.fixture
def server(tmp_path, monkeypatch):
    content, seen, cut, known = {}, [], {}, {}
    for seed in range(3):
        path = tmp_path / "source.json"
        save_workflow(generate_workflow("montage", 60, seed), path)
        name = f"pegasus/montage/{seed}.json"
        content[name] = path.read_bytes()
        known[name] = load_workflow(path).content_hash if seed else None
    monkeypatch.setattr(fetching, "manifest", lambda: known)
    http = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Server, content, seen, cut))
    thread = Thread(target=http.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{http.server_port}", content, seen, cut
    http.shutdown()
    http.server_close()
    thread.join()


def test_what_is_missing_is_downloaded_and_what_is_right_is_kept(server, tmp_path):
    url, content, seen, _ = server
    assert fetch(tmp_path / "data", url) == 3
    for name, body in content.items():
        assert (tmp_path / "data" / name).read_bytes() == body
    (tmp_path / "data" / "pegasus/montage/1.json").write_text("broken")
    seen.clear()
    assert fetch(tmp_path / "data", url) == 1
    assert [name for name, _ in seen] == ["pegasus/montage/1.json"]


def test_a_broken_download_is_gone_on_with(server, tmp_path):
    url, content, seen, cut = server
    cut["pegasus/montage/1.json"] = 1000
    with pytest.raises(FetchError, match="the download broke off"):
        fetch(tmp_path, url)
    assert (tmp_path / "pegasus/montage/1.json.part").stat().st_size == 1000
    assert not (tmp_path / "pegasus/montage/1.json").exists()
    cut.clear()
    seen.clear()
    assert fetch(tmp_path, url) == 2
    assert seen[0] == ("pegasus/montage/1.json", "bytes=1000-")
    assert (tmp_path / "pegasus/montage/1.json").read_bytes() == content["pegasus/montage/1.json"]
    assert not list(tmp_path.rglob("*.part"))


def test_another_workflow_in_its_place_is_refused(server, tmp_path):
    url, content, _, _ = server
    content["pegasus/montage/2.json"] = content["pegasus/montage/1.json"]
    with pytest.raises(FetchError, match="wrong content hash"):
        fetch(tmp_path, url)
    assert not (tmp_path / "pegasus/montage/2.json").exists()


def test_another_version_of_the_format_is_the_same_workflow(server, tmp_path):
    url, content, _, _ = server
    document = json.loads(content["pegasus/montage/1.json"])
    content["pegasus/montage/1.json"] = json.dumps({**document, "schemaVersion": "1.6"}).encode()
    assert fetch(tmp_path, url) == 3


def test_failures_are_one_sentence(server, tmp_path):
    url, content, _, _ = server
    del content["pegasus/montage/0.json"]
    result = CliRunner().invoke(app, ["data", "fetch", "wfinstances", str(tmp_path), "--url", url])
    assert result.exit_code == 1
    assert result.stderr.endswith(
        f"tfrgnn: {url}/pegasus/montage/0.json: the server answers 404 Not Found; 2 of 3 files are there\n"
    )
    assert sorted(path.name for path in tmp_path.rglob("*.json") if path.name != "source.json") == ["1.json", "2.json"]
    nobody = CliRunner().invoke(app, ["data", "fetch", "wfinstances", str(tmp_path), "--url", "http://127.0.0.1:9"])
    assert nobody.exit_code == 1
    assert "cannot be reached: " in nobody.stderr
    with pytest.raises(InputError, match="is no address"):
        fetch(tmp_path, "file:///etc")


def test_the_manifest_lists_the_corpus():
    table = manifest()
    assert len(table) == 135  # as many as the paper says it has
    assert sum(known is not None for known in table.values()) == 120
    assert all(name.startswith("pegasus/") and ".." not in name for name in table)
