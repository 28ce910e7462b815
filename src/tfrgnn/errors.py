"""Our exceptions, one tree: what a user can mend is an InputError, what the machine refused an OutputError."""

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any


def shorten(text: str, most: int = 80) -> str:
    """A text as it can stand in a sentence: the middle of a long one is left out."""
    return text if len(text) <= most else f"{text[: most // 2]}...{text[-most // 2 :]}"


class TfrgnnError(Exception):
    """Anything that tfrgnn reports in one sentence. `exit_code` is what the command line ends with."""

    exit_code = 1

    def __reduce__(self) -> Any:
        """As its sentence, whatever it was made from, so that it comes back whole from another process."""
        return _again, (type(self), self.args)


def _again(kind: type[TfrgnnError], sentence: tuple[Any, ...]) -> TfrgnnError:
    error = kind.__new__(kind)
    error.args = sentence
    return error


class InputError(TfrgnnError):
    """A value, file or option that breaks a rule; the sentence names the value, the rule and the way out."""

    exit_code = 2


class FormatError(InputError):
    """A file that is not what it should be; names the file and the place in it."""

    def __init__(self, path: object, problem: str, place: str = "") -> None:
        where = f"{path}, at {place}" if place else f"{path}"
        super().__init__(f"{where}: {problem}")


class OtherFileError(FormatError):
    """A file of ours, but of another kind than was asked for."""


class CycleError(InputError):
    """A workflow whose edges lead back to where they began."""


class UnknownNameError(InputError):
    """A name that is not in a catalogue, with the nearest one that is."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        names = sorted(known)
        near = get_close_matches(name.lower(), names, n=1, cutoff=0.5)
        hint = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(names) or 'none'}"
        super().__init__(f"no {kind} {name!r}; {hint}")


class PlanError(InputError):
    """A plan that does not fit its workflow or cluster; names the first broken constraint."""


class DivergedError(TfrgnnError):
    """A training that led to weights no plan can be made with."""


class OutputError(TfrgnnError):
    """An output that could not be written."""
