"""Our exceptions come back whole from another process."""

import pickle

import pytest

from tfrgnn import errors

MADE = (
    errors.InputError("x"), errors.UnknownNameError("method", "hfet", ["heft"]), errors.FormatError("f.json", "is odd", "a[0]"),
    errors.OtherFileError("f.json", "is a plan"), errors.CycleError("c"), errors.OutputError("o"),
)  # fmt: skip


@pytest.mark.parametrize("error", MADE, ids=lambda error: type(error).__name__)
def test_an_error_survives_its_way_through_a_pipe(error):
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert str(again) == str(error)
    assert again.exit_code == error.exit_code
