"""Without failures TFR-GNN is HEFT, task by task and bit by bit, whatever the weights are."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.cases import INSTANCES, needs_instances, random_case

from tfrgnn import load_workflow, plan
from tfrgnn.costs.estimates import Estimates
from tfrgnn.generate.clusters import generate_cluster
from tfrgnn.generate.workflows import generate_workflow
from tfrgnn.model.cluster import Cluster, Machine
from tfrgnn.model.failures import FailureModel
from tfrgnn.model.scenario import Scenario
from tfrgnn.policy.forward import guide
from tfrgnn.policy.presets import PRESETS
from tfrgnn.policy.weights import random_weights, shipped_weights
from tfrgnn.schedulers.tfr_gnn import guided_plan


def _estimates(workflow, cluster, scale):
    return Estimates.of(Scenario(workflow, cluster, FailureModel(scale)))


def _same(mine, heft):
    for name in ("order", "machine", "start_s", "finish_s", "replica"):
        assert getattr(mine, name).tobytes() == getattr(heft, name).tobytes()
    assert mine.replicas == 0


@needs_instances
def test_on_all_real_instances_with_the_shipped_and_with_random_weights():
    cluster = generate_cluster(48, 0)
    random = random_weights("paper", 1, spread=0.5)
    for path in INSTANCES:
        workflow = load_workflow(path)
        estimates = _estimates(workflow, cluster, 0.0)
        heft = plan(workflow, cluster, "heft")
        _same(plan(workflow, cluster, "tfr-gnn"), heft)
        _same(guided_plan(estimates, random, 1.0), heft)


@settings(max_examples=150, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    weights=st.integers(0, 10_000),
    spread=st.sampled_from([0.05, 0.5, 5.0, 100.0]),
    preset=st.sampled_from(sorted(PRESETS)),
    budget=st.sampled_from([0.0, 0.1, 1.0]),
)
def test_on_any_case_with_any_weights(seed, weights, spread, preset, budget):
    workflow, cluster = random_case(seed)
    mine = guided_plan(_estimates(workflow, cluster, 0.0), random_weights(preset, weights, spread), budget)
    _same(mine, plan(workflow, cluster, "heft"))


def test_it_is_a_property_of_the_numbers():
    """Every bias is exactly zero, and every replication logit is below zero or shut by the gate."""
    estimates = _estimates(generate_workflow("montage", 100, 1), generate_cluster(16, 1), 0.0)
    guidance = guide(random_weights("paper", 3, spread=2.0), estimates, 0.1)
    tasks = np.arange(100, dtype=np.int32)
    assert not (guidance.affinity(tasks) + guidance.tilt(tasks)).any()
    assert guidance.activity == 0.0
    assert not guidance.wants_replica.any()
    assert not guidance.residual.any()


def test_a_cluster_that_never_fails_gives_heft_at_any_scale():
    cluster = Cluster("calm", tuple(Machine(f"m{m}", speed=1.0 + m) for m in range(4)))
    workflow = generate_workflow("cycles", 67, 1)
    _same(plan(workflow, cluster, "tfr-gnn", 4.0), plan(workflow, cluster, "heft"))


def test_under_failures_it_differs_and_replicas_stay_within_the_budget():
    workflow, cluster = generate_workflow("montage", 200, 1), generate_cluster(32, 1)
    assert plan(workflow, cluster, "tfr-gnn", 2.0).machine.tolist() != plan(workflow, cluster, "heft").machine.tolist()
    eager = shipped_weights("paper")
    tensors = {**eager.tensors, "replication_head.2.bias": np.array([50.0], np.float32)}
    made = guided_plan(_estimates(workflow, cluster, 2.0), type(eager)("paper", tensors, eager.types), 0.1)
    assert made.replicas == 20
