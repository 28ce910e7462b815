"""Downloads the WfCommons instances, file by file: what is there and right is kept, what was begun is gone on with.

A file is right if the workflow in it has the content hash of the manifest, whatever version of WfFormat it is written
in: the corpus is rewritten from time to time, and its content is not.
"""

import json
import re
from collections.abc import Callable
from http.client import HTTPException
from importlib.resources import files
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from tfrgnn.errors import InputError, OutputError, TfrgnnError
from tfrgnn.formats.wfformat import load_workflow

SOURCE = "https://raw.githubusercontent.com/wfcommons/WfInstances/main"
_ADDRESS = re.compile(r"https?://([\w.-]+|\[[0-9a-fA-F:.]+\])(:\d{1,5})?(/[!-~]*)?", re.ASCII)
_TIMEOUT_S = 30.0
_CHUNK = 1 << 16
_SERVER_FAULT = 500  # and above: the file may be there another time


class FetchError(OutputError):
    """A download that failed; what was done is kept."""


class RefusedError(FetchError):
    """One file that the server does not have, or not as it should be; the others may still come."""


def manifest() -> dict[str, str | None]:
    """The corpus: path -> content hash, or None where it is not known here."""
    text = files(__package__).joinpath("wfinstances.json").read_text(encoding="utf-8")
    table: dict[str, str | None] = json.loads(text)
    return table


def fetch(folder: Path, url: str = SOURCE, progress: Callable[[int], None] = lambda done: None) -> int:
    """Brings the corpus below `folder`; returns how many files were downloaded.

    A file that is refused does not keep the others from coming; a server that is out of reach ends it at once.
    """
    if not _ADDRESS.fullmatch(url):
        raise InputError(f"{url}: is no address; one is like https://HOST/FOLDER, with :PORT if need be")
    fetched, refused = 0, []
    for name, known in manifest().items():
        target = folder / name
        if not _is_right(target, known):
            try:
                _download(f"{url.rstrip('/')}/{name}", target, known)
                fetched += 1
            except RefusedError as error:
                refused.append(error)
        progress(1)
    if refused:
        others = f"; {len(refused) - 1} more were refused" if len(refused) > 1 else ""
        there = len(manifest()) - len(refused)
        raise FetchError(f"{refused[0]}{others}; {there} of {len(manifest())} files are there")
    return fetched


def _is_right(path: Path, known: str | None) -> bool:
    """Whether the file is a workflow, and the one that the manifest means."""
    if not path.is_file():
        return False
    try:
        return known in (None, load_workflow(path).content_hash)
    except TfrgnnError:
        return False


def _download(url: str, target: Path, known: str | None) -> None:
    part = target.with_name(f"{target.name}.part")
    if target.is_dir():
        raise OutputError(f"{target}: cannot be written: Is a directory")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        part.touch()
    except OSError as error:
        raise OutputError(f"{error.filename}: cannot be written: {error.strerror}") from None
    try:
        if not _receive(url, part, known):
            part.unlink()
            raise RefusedError(f"{url}: is not the workflow of the manifest (wrong content hash); it was not kept")
        part.replace(target)
    except HTTPError as error:
        if not part.stat().st_size:
            part.unlink()
        answer = f"{url}: the server answers {error.code} {error.reason}"
        if error.code >= _SERVER_FAULT:
            raise FetchError(f"{answer}; run the command again to go on") from None
        raise RefusedError(answer) from None
    except URLError as error:
        if not part.stat().st_size:
            part.unlink()
        raise FetchError(f"{url}: cannot be reached: {error.reason}; run the command again to go on") from None
    except (OSError, HTTPException) as error:
        raise FetchError(f"{url}: the download broke off: {error}; run the command again to go on") from None


def _receive(url: str, part: Path, known: str | None) -> bool:
    """Receives into `part`, from where it ends or else anew; whether it is right then."""
    begun = part.stat().st_size > 0
    _append(url, part)
    if begun and not _is_right(part, known):  # what was there may be of an older file
        part.write_bytes(b"")
        _append(url, part)
    return _is_right(part, known)


def _append(url: str, part: Path) -> None:
    """Receives into `part`, from where it ends if the server can do that."""
    have = part.stat().st_size if part.exists() else 0
    request = Request(url, headers={"Range": f"bytes={have}-"} if have else {})
    try:
        with urlopen(request, timeout=_TIMEOUT_S) as answer:
            expected = answer.headers.get("Content-Length")
            received = 0
            with part.open("ab" if answer.status == 206 else "wb", buffering=0) as file:  # Ctrl-C loses nothing
                while chunk := answer.read1(_CHUNK):
                    file.write(chunk)
                    received += len(chunk)
    except HTTPError as error:
        if error.code != 416:  # 416: there is nothing behind what we have
            raise
        error.close()
        return
    if expected is not None and expected.isdecimal() and received < int(expected):
        raise HTTPException(f"{received} of {expected} bytes came")
