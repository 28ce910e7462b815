"""The same network in torch, for training: store, reset, forward."""

import torch
from torch import Tensor, nn
from torch.nn.functional import softplus
from torch_geometric.nn import GATConv

from tfrgnn.policy.presets import (
    CONTEXT_FEATURES,
    EDGE_FEATURES,
    MACHINE_FEATURES,
    TASK_FEATURES,
    Preset,
    count_parameters,
)

__all__ = ["Guided", "TfrGnn", "TopologyAttention", "count_parameters"]

_START_THETA, _START_GAMMA, _START_ALPHA = 0.5, 1.5, 0.5


class Guided:
    """The outputs of a forward pass: `bias` (n, p), `replication` logits (n), gated, and `residual` (n), gated."""

    def __init__(self, bias: Tensor, replication: Tensor, residual: Tensor) -> None:
        self.bias, self.replication, self.residual = bias, replication, residual


class TopologyAttention(nn.Module):
    """Dense multi-head attention over the machines with an additive bias on the logits."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.query, self.key, self.value, self.out = (nn.Linear(width, width, bias=False) for _ in range(4))

    def forward(self, machine: Tensor, log_bandwidth: Tensor) -> Tensor:
        """Shapes: machine (p, width), log_bandwidth (p, p)."""
        p, width = machine.shape
        query, key, value = (
            layer(machine).view(p, self.heads, -1).transpose(0, 1) for layer in (self.query, self.key, self.value)
        )
        logits = query @ key.transpose(1, 2) / (width / self.heads) ** 0.5 + log_bandwidth
        mixed = torch.softmax(logits, dim=-1) @ value
        out: Tensor = self.out(mixed.transpose(0, 1).reshape(p, width))
        return out


class TfrGnn(nn.Module):
    """Dependency attention over tasks, topology attention over machines, cross attention, and the gated fault head.

    Differs from the paper in one thing: the priority's residual is multiplied by a(s), too. The paper leaves it
    ungated, so its equality with HEFT at s = 0 holds only while the residual is zero.
    """

    def __init__(self, preset: Preset) -> None:
        super().__init__()
        p, w = preset, preset.width
        self.preset = preset
        self.type_embedding = nn.Embedding(p.type_rows, p.type_width)
        self.rack_embedding = nn.Embedding(p.rack_rows, p.rack_width)
        self.task_encoder = nn.Linear(TASK_FEATURES + p.type_width + CONTEXT_FEATURES, w)
        self.machine_encoder = nn.Linear(MACHINE_FEATURES + p.rack_width + CONTEXT_FEATURES, w)
        self.dependency = nn.ModuleList(
            GATConv(w, w // p.heads, p.heads, edge_dim=EDGE_FEATURES, add_self_loops=False, bias=False)
            for _ in range(p.dependency_layers)
        )
        self.dependency_norm = nn.ModuleList(nn.LayerNorm(w) for _ in range(p.dependency_layers))
        self.topology = TopologyAttention(w, p.heads)
        self.topology_norm = nn.LayerNorm(w)
        self.cross_task = nn.Linear(w, p.cross_width, bias=False)
        self.cross_machine = nn.Linear(w, p.cross_width, bias=False)
        self.gamma_head = _head(CONTEXT_FEATURES, p.hidden)
        self.replication_head = _head(2 * w + CONTEXT_FEATURES, p.hidden)
        self.priority_head = _head(w, p.hidden)
        self.theta = nn.Parameter(torch.tensor(_START_THETA))
        self.gamma = nn.Parameter(torch.tensor(_START_GAMMA))
        self.alpha = nn.Parameter(torch.tensor(_START_ALPHA))
        for parameter in self.priority_head[2].parameters():
            nn.init.zeros_(parameter)

    def forward(self, x: dict[str, Tensor]) -> Guided:
        """Shapes of x, standardised: task (n, 9), type (n), machine (p, 5), rack (p), context (6), edge_index (2, 2e),
        edge (2e, 2), log_bandwidth (p, p); not standardised: criticality (n), downtime (p), activity ().
        """
        context = x["context"]
        task = self._encode(self.task_encoder, x["task"], self.type_embedding(x["type"]), context)
        if self.preset.dependency:
            for attention, norm in zip(self.dependency, self.dependency_norm, strict=True):
                task = norm(task + attention(task, x["edge_index"], x["edge"]))
        machine = self._encode(self.machine_encoder, x["machine"], self.rack_embedding(x["rack"]), context)
        if self.preset.topology:
            machine = self.topology_norm(machine + self.topology(machine, x["log_bandwidth"]))
        pooled = torch.cat([machine.mean(dim=0), context]).expand(len(task), -1)
        logits = self.replication_head(torch.cat([task, pooled], dim=1)).squeeze(1)
        return Guided(
            bias=self._bias(task, machine, x),
            replication=logits - 10.0 * (1.0 - x["activity"]),
            residual=x["activity"] * self.priority_head(task).squeeze(1) / softplus(self.alpha),
        )

    def _bias(self, task: Tensor, machine: Tensor, x: dict[str, Tensor]) -> Tensor:
        """a(s) theta tanh(cross) - gamma(ctx) kappa delta, each part if its switch is on."""
        bias = torch.zeros(len(task), len(machine), dtype=task.dtype)
        if self.preset.cross:
            cross = self.cross_task(task) @ self.cross_machine(machine).T / self.preset.cross_width**0.5
            bias = bias + x["activity"] * softplus(self.theta) * torch.tanh(cross)
        if self.preset.fault:
            gamma = softplus(self.gamma + self.gamma_head(x["context"]).squeeze(0))
            bias = bias - gamma * torch.outer(x["criticality"], x["downtime"])
        return bias

    @staticmethod
    def _encode(layer: nn.Module, features: Tensor, embedding: Tensor, context: Tensor) -> Tensor:
        return torch.relu(layer(torch.cat([features, embedding, context.expand(len(features), -1)], dim=1)))


def _head(inputs: int, hidden: int) -> nn.Sequential:
    return nn.Sequential(nn.Linear(inputs, hidden), nn.ReLU(), nn.Linear(hidden, 1))
