"""The network's forward pass without torch: NumPy for the dense parts, one kernel for the graph attention.

Shapes: n tasks, e edges, p machines, width w. All in float32 but the failure-activity gate and the tilt, which must be
exactly zero without failures and are computed in float64.
"""

from dataclasses import dataclass
from math import exp, log1p, tanh

import numpy as np
from numpy.typing import NDArray

from tfrgnn import kernels
from tfrgnn.costs.blocks import blocks
from tfrgnn.costs.estimates import Estimates
from tfrgnn.policy.features import features_of, rack_bias, standardised, type_rows
from tfrgnn.policy.weights import Weights

Float32 = NDArray[np.float32]
Float64 = NDArray[np.float64]

_GATE_SLOPE = 4.0
_REPLICATION_GATE = 10.0
_NORM_EPSILON = np.float32(1e-5)


@dataclass(frozen=True, eq=False)
class Guidance:
    """What the network supplies to the decode; biases in units of the mean computation cost.

    The bias of task i on machine m is affinity + tilt: activity theta tanh(<task_i, machine_m>) - lean_i downtime_m.

    Shapes: `task` (n, c), `machine` (p, c), scaled so that their product is the cross attention; `lean` (n) is
    gamma kappa; `downtime` (p); `replication` (n), the gated logits; `residual` (n), to be added to the
    normalised upward rank.
    """

    activity: float
    theta: float
    task: Float32
    machine: Float32
    lean: Float64
    downtime: Float64
    replication: Float64
    residual: Float64

    def affinity(self, tasks: NDArray[np.int32]) -> Float32:
        """What the cross attention adds for some tasks on every machine (k, p); 0 without failures."""
        cross = self.task[tasks] @ self.machine.T
        np.tanh(cross, out=cross)
        cross *= np.float32(self.activity * self.theta)
        return cross

    def tilt(self, tasks: NDArray[np.int32]) -> Float64:
        """What the failure-gated tilt adds for some tasks on every machine (k, p); 0 without failures."""
        return np.outer(-self.lean[tasks], self.downtime)

    @property
    def wants_replica(self) -> NDArray[np.bool_]:
        """Tasks whose gate says sigmoid > 1/2; none without failures, whatever the weights are."""
        if self.activity == 0.0:
            return np.zeros(self.replication.size, np.bool_)
        return self.replication > 0.0


def activity_of(downtime: Float64) -> float:
    """The failure-activity gate a(s) = tanh(4 mean delta), exactly 0 without failures."""
    return tanh(_GATE_SLOPE * float(downtime.mean()))


def guide(weights: Weights, estimates: Estimates, budget: float) -> Guidance:
    """The forward pass for one scenario."""
    w, preset, costs = weights, weights.preset, estimates.costs
    raw = features_of(estimates, budget)
    context = standardised(raw.context, w["context_mean"], w["context_sd"])
    task = _encode_tasks(w, estimates, standardised(raw.task, w["task_mean"], w["task_sd"]), context)
    if preset.dependency:
        edge = standardised(raw.edge, w["edge_mean"], w["edge_sd"])
        for layer in range(preset.dependency_layers):
            task = _dependency(w, layer, task, edge, estimates)
    machine = _encode_machines(w, estimates, standardised(raw.machine, w["machine_mean"], w["machine_sd"]), context)
    if preset.topology:
        machine = _topology(w, machine, estimates)
    downtime = estimates.downtime
    activity = activity_of(downtime)
    gamma = _softplus(float(w["gamma"]) + float(_head(w, "gamma", context[None])[0])) if preset.fault else 0.0
    pooled = np.concatenate([machine.mean(axis=0), context])
    logits = _head(w, "replication", task, pooled).astype(np.float64) - _REPLICATION_GATE * (1.0 - activity)
    return Guidance(
        activity=activity,
        theta=_softplus(float(w["theta"])) if preset.cross else 0.0,
        task=task @ w["cross_task.weight"].T,
        machine=machine @ w["cross_machine.weight"].T / np.float32(np.sqrt(preset.cross_width)),
        lean=gamma * costs.criticality,
        downtime=downtime,
        replication=logits,
        residual=_residual(w, task, activity),
    )


def _residual(w: Weights, task: Float32, activity: float) -> Float64:
    """a(s) MLP(h) / softplus(alpha): the priority's residual in units of the normalised upward rank."""
    if activity == 0.0 or (not w["priority_head.2.weight"].any() and not w["priority_head.2.bias"].any()):
        return np.zeros(len(task))
    return activity * _head(w, "priority", task).astype(np.float64) / _softplus(float(w["alpha"]))


def _encode_tasks(w: Weights, estimates: Estimates, features: Float32, context: Float32) -> Float32:
    """relu(W [features, type embedding, context] + b): the constant and the type's part once, not per task."""
    workflow = estimates.costs.workflow
    weight, d = w["task_encoder.weight"], features.shape[1]
    kinds = w["type_embedding.weight"][type_rows(workflow.type_names, w.vocabulary)]
    width = kinds.shape[1]
    by_type = kinds @ weight[:, d : d + width].T + (weight[:, d + width :] @ context + w["task_encoder.bias"])
    hidden = features @ weight[:, :d].T
    hidden += by_type[workflow.type_index]
    np.maximum(hidden, np.float32(0), out=hidden)
    return hidden


def _encode_machines(w: Weights, estimates: Estimates, features: Float32, context: Float32) -> Float32:
    racks = w["rack_embedding.weight"][estimates.costs.cluster.rack % w.preset.rack_rows]
    both = np.concatenate([features, racks, np.broadcast_to(context, (len(features), context.size))], axis=1)
    hidden: Float32 = both @ w["machine_encoder.weight"].T + w["machine_encoder.bias"]
    np.maximum(hidden, np.float32(0), out=hidden)
    return hidden


def _dependency(w: Weights, layer: int, task: Float32, edge: Float32, estimates: Estimates) -> Float32:
    """LayerNorm(h + GATConv(h)) over the edges in both directions."""
    name, heads = f"dependency.{layer}", w.preset.heads
    value = task @ w[f"{name}.lin.weight"].T
    by_head = value.reshape(len(value), heads, -1)
    source = np.einsum("nhc,hc->nh", by_head, w[f"{name}.att_src"][0])
    target = np.einsum("nhc,hc->nh", by_head, w[f"{name}.att_dst"][0])
    edge_map = w[f"{name}.lin_edge.weight"].reshape(heads, -1, 2)
    edge_weight = np.einsum("hck,hc->hk", edge_map, w[f"{name}.att_edge"][0])
    flow, out = estimates.costs.workflow, np.empty_like(value)
    kernels.attention.attend(
        value, source, target, edge, edge_weight, flow.parent_ptr, flow.edge_parent, flow.child_ptr, flow.child,
        flow.child_edge, out,
    )  # fmt: skip
    out += task
    return _normalised(out, w[f"dependency_norm.{layer}.weight"], w[f"dependency_norm.{layer}.bias"])


def _topology(w: Weights, machine: Float32, estimates: Estimates) -> Float32:
    """LayerNorm(g + attention(g)) over all machines, with log B added to the logits; in blocks of machines."""
    heads, width = w.preset.heads, machine.shape[1]
    channels = width // heads
    rack, network = estimates.costs.cluster.rack, estimates.costs.cluster.network
    query, key, value = (machine @ w[f"topology.{name}.weight"].T for name in ("query", "key", "value"))
    far, near = rack_bias(network).astype(np.float32)
    mixed = np.empty_like(machine)
    for begin, end in blocks(len(machine), len(machine)):
        bias = np.where(rack[begin:end, None] == rack[None, :], near, far)
        for h in range(heads):
            part = slice(h * channels, (h + 1) * channels)
            logits = query[begin:end, part] @ key[:, part].T / np.float32(np.sqrt(channels)) + bias
            logits -= logits.max(axis=1, keepdims=True)
            share = np.exp(logits, out=logits)
            share /= share.sum(axis=1, keepdims=True)
            mixed[begin:end, part] = share @ value[:, part]
    mixed = machine + mixed @ w["topology.out.weight"].T
    return _normalised(mixed, w["topology_norm.weight"], w["topology_norm.bias"])


def _head(w: Weights, name: str, rows: Float32, shared: Float32 | None = None) -> Float32:
    """A two-layer head over [rows, shared] (rows); what all rows share is multiplied once."""
    weight, d = w[f"{name}_head.0.weight"], rows.shape[1]
    offset = w[f"{name}_head.0.bias"]
    if shared is not None:
        offset = offset + weight[:, d:] @ shared
    hidden = rows @ weight[:, :d].T
    hidden += offset
    np.maximum(hidden, np.float32(0), out=hidden)
    out: Float32 = hidden @ w[f"{name}_head.2.weight"][0] + w[f"{name}_head.2.bias"][0]
    return out


def _normalised(rows: Float32, weight: Float32, bias: Float32) -> Float32:
    """Layer norm over the last axis, in place."""
    rows -= rows.mean(axis=1, keepdims=True)
    variance = np.einsum("nw,nw->n", rows, rows) / np.float32(rows.shape[1])
    rows *= (np.float32(1) / np.sqrt(variance + _NORM_EPSILON))[:, None]
    rows *= weight
    rows += bias
    return rows


def _softplus(x: float) -> float:
    return x if x > 30 else log1p(exp(x))
