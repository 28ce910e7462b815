"""The forward pass without torch equals the one with it."""

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="pip install 'tfrgnn[train]' for torch")
pytest.importorskip("torch_geometric", reason="pip install 'tfrgnn[train]' for torch-geometric")

from tests.cases import INSTANCES, needs_instances, random_case  # noqa: E402

from tfrgnn import load_workflow  # noqa: E402
from tfrgnn.costs.blocks import blocks  # noqa: E402
from tfrgnn.costs.estimates import Estimates  # noqa: E402
from tfrgnn.generate.clusters import generate_cluster  # noqa: E402
from tfrgnn.generate.workflows import generate_workflow  # noqa: E402
from tfrgnn.model.failures import FailureModel  # noqa: E402
from tfrgnn.model.scenario import Scenario  # noqa: E402
from tfrgnn.policy.forward import guide  # noqa: E402
from tfrgnn.policy.network import TfrGnn  # noqa: E402
from tfrgnn.policy.presets import PRESETS, count_parameters, find_preset, parameter_shapes  # noqa: E402
from tfrgnn.policy.weights import random_weights, shipped_weights  # noqa: E402
from tfrgnn.training.tensors import tensors_of  # noqa: E402

TOLERANCE = 1e-5


def _network(weights):
    network = TfrGnn(weights.preset)
    state = {name: torch.tensor(weights[name]) for name in parameter_shapes(weights.preset)}
    network.load_state_dict(state, strict=True)
    return network.double()


def _gap(weights, network, workflow, cluster, scale):
    """The largest difference in bias, replication and residual, from a pass of torch in float64."""
    estimates = Estimates.of(Scenario(workflow, cluster, FailureModel(scale)))
    mine = guide(weights, estimates, 0.1)
    tensors = tensors_of(estimates, 0.1, weights)
    with torch.no_grad():
        theirs = network({name: x.double() if x.is_floating_point() else x for name, x in tensors.items()})
    tasks = np.arange(workflow.tasks, dtype=np.int32)
    pairs = (
        (mine.affinity(tasks) + mine.tilt(tasks), theirs.bias),
        (mine.replication, theirs.replication),
        (mine.residual, theirs.residual),
    )
    return max(float(np.abs(a - b.numpy()).max()) for a, b in pairs)


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("seed", range(8))
def test_on_random_graphs_with_random_weights(preset, seed):
    weights = random_weights(preset, seed)
    workflow, cluster = random_case(seed)
    assert _gap(weights, _network(weights), workflow, cluster, 1.0) <= TOLERANCE


def test_on_more_machines_than_one_block_of_the_topology_attention_holds():
    weights, cluster = shipped_weights("paper"), generate_cluster(1500, 0)
    assert len(list(blocks(1500, 1500))) > 1
    assert _gap(weights, _network(weights), generate_workflow("montage", 60, 0), cluster, 2.0) <= TOLERANCE


@needs_instances
def test_on_every_real_instance_with_the_shipped_weights():
    weights = shipped_weights("paper")
    network, cluster = _network(weights), generate_cluster(48, 0)
    gaps = {path.stem: _gap(weights, network, load_workflow(path), cluster, 2.0) for path in INSTANCES}
    assert {name: gap for name, gap in gaps.items() if gap > TOLERANCE} == {}


@pytest.mark.parametrize("name", PRESETS)
def test_the_network_has_the_tensors_of_its_preset(name):
    network = TfrGnn(find_preset(name))
    shapes = {key: tuple(value.shape) for key, value in network.state_dict().items()}
    assert shapes == parameter_shapes(find_preset(name))
    assert sum(value.numel() for value in network.parameters()) == count_parameters(name)
