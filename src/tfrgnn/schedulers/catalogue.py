"""The methods by name, with their options: `r-heft[beta=3]` is the method `r-heft` with beta = 3."""

import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

from tfrgnn.costs.estimates import Estimates
from tfrgnn.errors import InputError, UnknownNameError, shorten
from tfrgnn.model.checks import LARGEST
from tfrgnn.schedulers.decoding import Placement

_SPELLING = re.compile(r"([^\[\]=,\s]+)(?:\[([^\[\]]*)\])?")
_RESERVED = ("oracle",)
_registry: dict[str, "Method"] = {}


@dataclass(frozen=True)
class Method:
    """A scheduler in the catalogue: what it is, where it was published, its options and their defaults."""

    name: str
    summary: str
    paper: str
    function: Callable[..., Placement]
    options: dict[str, Any]

    @property
    def built_in(self) -> bool:
        """Whether it is ours, and not loaded from a file of the user's."""
        return self.function.__module__.startswith("tfrgnn.")

    def place(self, estimates: Estimates, **options: Any) -> Placement:
        return self.function(estimates, **options)


@dataclass(frozen=True)
class MethodCall:
    """A method with the options that a user chose; `str` gives its one canonical spelling."""

    method: Method
    options: dict[str, Any]

    def place(self, estimates: Estimates) -> Placement:
        return self.method.place(estimates, **self.options)

    def __str__(self) -> str:
        chosen = option_text(self.options)
        return f"{self.method.name}[{chosen}]" if chosen else self.method.name


def scheduler(name: str, *, summary: str, paper: str) -> Callable[[Callable[..., Placement]], Callable[..., Placement]]:
    """Puts a function of `Estimates` into the catalogue; its keyword-only arguments are the options."""

    def register(function: Callable[..., Placement]) -> Callable[..., Placement]:
        match = _SPELLING.fullmatch(name)
        if name in _registry or name in _RESERVED or not match or match.group(2) is not None:
            raise InputError(f"cannot add a method {name!r}: the name is taken, or not one plain word")
        parameters = inspect.signature(function).parameters.values()
        options = {p.name: p.default for p in parameters if p.kind is p.KEYWORD_ONLY}
        if inspect.Parameter.empty in options.values():
            raise InputError(f"cannot add a method {name!r}: each of its options needs a default")
        _registry[name] = Method(name, summary, paper, function, options)
        return function

    return register


@cache
def _load_all() -> None:
    package = __package__ or "tfrgnn.schedulers"
    for module in iter_modules(import_module(package).__path__):
        import_module(f"{package}.{module.name}")


def methods() -> dict[str, Method]:
    """Every method by name, in alphabetical order."""
    _load_all()
    return dict(sorted(_registry.items()))


def parse_method(text: str) -> MethodCall:
    """The method that a text like `heft` or `r-heft[beta=3]` names."""
    match = _SPELLING.fullmatch(text.strip())
    if not match:
        raise InputError(
            f"cannot read the method {text!r}; write name or name[option=value,...], no comma or bracket in a value"
        )
    name, brackets = match.groups()
    known = methods()
    if name in _RESERVED:
        raise InputError(f"{text.strip()!r}: {name} is a bound and no method; compare takes it by its plain name")
    if name not in known:
        raise UnknownNameError("method", name, [*known, *_RESERVED])
    method = known[name]
    options: dict[str, Any] = {}
    for part in filter(None, (brackets or "").split(",")):
        key, equals, value = (word.strip() for word in part.partition("="))
        if key not in method.options:
            raise UnknownNameError(f"option (of method {name})", key, method.options)
        if not equals or key in options:
            raise InputError(f"method {text!r}: write each option once, as {key}=value")
        options[key] = _read(f"method {name}, option {key}", value, method.options[key])
    return MethodCall(method, {k: v for k, v in options.items() if v != method.options[k]})


def load_methods(path: Path) -> None:
    """Runs a Python file of the user's, whose `@scheduler` functions join the catalogue."""
    spec = spec_from_file_location(f"tfrgnn_methods_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise InputError(f"{path}: methods are loaded from a Python file, ending in .py")
    before = set(methods())
    module = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
    except Exception as error:
        raise InputError(f"{path}: cannot be loaded: {type(error).__name__}: {error}") from error
    if set(methods()) == before:
        raise InputError(f"{path}: defines no new method; put @scheduler(...) before a function")


def option_text(options: dict[str, Any]) -> str:
    """Options and their defaults as a user writes them."""
    return ",".join(f"{name}={_spell(value)}" for name, value in sorted(options.items()))


def split_methods(text: str) -> list[str]:
    """The texts between the commas of a list, except those inside brackets."""
    return [part.strip() for part in re.split(r",(?![^\[]*\])", text) if part.strip()]


def _read(owner: str, text: str, default: Any) -> Any:
    if isinstance(default, bool):
        if text not in ("true", "false"):
            raise InputError(f"{owner}: {text!r} is not true or false")
        return text == "true"
    if isinstance(default, str):
        if not text:
            raise InputError(f"{owner}: has no value; write {owner.rsplit(' ', 1)[1]}=VALUE or leave it out")
        return text
    kind = int if isinstance(default, int) else float
    try:
        value = kind(text)
    except ValueError:
        word = "a whole number" if kind is int else "a number"
        raise InputError(f"{owner}: {text!r} is not {word}") from None
    least = -LARGEST if isinstance(default, (int, float)) and default < 0 else 0.0
    if not least <= value <= LARGEST:
        raise InputError(f"{owner}: {shorten(text)!r} is not a number from {least:g} to {LARGEST:g}")
    return value


def _spell(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        short = f"{value:g}"
        return short if float(short) == value else repr(value)
    return str(value)
