"""Checks and frozen arrays that the model's constructors share."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tfrgnn.errors import InputError, shorten

# What a speed, a rate or a time in seconds may be, so that no product of a few of them leaves float64.
SMALLEST, LARGEST = 1e-9, 1e15


def frozen_array(values: ArrayLike, dtype: type | None) -> NDArray[Any]:
    """A read-only, contiguous array; the caller's own array is copied unless nobody can write to it."""
    array = np.ascontiguousarray(values, dtype)
    if array is values and array.flags.writeable:
        array = array.copy()
    array.flags.writeable = False
    return array


def check_finite(name: str, values: NDArray[Any], owner: Callable[[int], str]) -> None:
    """Raises for the first value that is not a number from 0 to `LARGEST`; `owner(i)` says whose it is."""
    wrong = np.flatnonzero(~((values >= 0) & (values <= LARGEST)))
    if wrong.size:
        i = int(wrong[0])
        raise InputError(f"{owner(i)}: {name} is {values[i]:g}; it must be a number from 0 to {LARGEST:g}")


def check_number(owner: str, name: str, value: float, low: float = 0.0, high: float = LARGEST) -> None:
    """Raises unless `value` is a number from `low` to `high`."""
    if not low <= value <= high:
        raise InputError(f"{owner}: {name} is {_shown(value)}; it must be a number from {low:g} to {high:g}")


def check_whole(owner: str, name: str, value: object, low: int, high: float = LARGEST) -> None:
    """Raises unless `value` is a whole number from `low` to `high`."""
    if not isinstance(value, (int, np.integer)) or not low <= value <= high:
        raise InputError(f"{owner}: {name} is {value}; it must be a whole number from {low} to {high:.15g}")


def _shown(value: float) -> str:
    return shorten(str(value)) if isinstance(value, int) else f"{value:g}"
