"""The generator of the WfCommons package (the extra `wfcommons`)."""

import random

import pytest

from tfrgnn.errors import UnknownNameError

pytest.importorskip("wfcommons", reason="pip install 'tfrgnn[wfcommons]' for its generator")
from tfrgnn.generate.wfcommons import generate_with_wfcommons

pytestmark = pytest.mark.filterwarnings("ignore")


def test_same_seed_same_shape_and_the_global_generator_is_left_alone():
    random.seed(5)
    before = random.getstate()
    first, again = (generate_with_wfcommons("montage", 100, 7) for _ in range(2))
    assert random.getstate() == before
    assert 60 <= first.tasks <= 100
    assert first.work_s.tolist() == again.work_s.tolist()
    assert "mProject" in first.type_names


def test_an_unknown_recipe_is_refused():
    with pytest.raises(UnknownNameError, match="did you mean 'montage'"):
        generate_with_wfcommons("montge", 100)
