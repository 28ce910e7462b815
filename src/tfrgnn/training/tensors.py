"""A scenario as the tensors that the torch network takes."""

import torch
from torch import Tensor

from tfrgnn.costs.estimates import Estimates
from tfrgnn.policy.features import features_of, rack_bias, standardised, type_rows
from tfrgnn.policy.forward import activity_of
from tfrgnn.policy.weights import Weights


def tensors_of(estimates: Estimates, budget: float, weights: Weights) -> dict[str, Tensor]:
    """The inputs of `TfrGnn.forward`, standardised with the constants of `weights`."""
    raw, costs, w = features_of(estimates, budget), estimates.costs, weights
    flow, cluster = costs.workflow, costs.cluster
    rack = torch.tensor(cluster.rack, dtype=torch.long)
    parent = torch.tensor(flow.edge_parent, dtype=torch.long)
    child = torch.tensor(flow.edge_child, dtype=torch.long)
    volume = torch.tensor(standardised(raw.edge, w["edge_mean"], w["edge_sd"]))
    direction = torch.cat([torch.zeros_like(volume), torch.ones_like(volume)])
    near = torch.tensor(rack_bias(cluster.network), dtype=torch.float32)
    rows = torch.tensor(type_rows(flow.type_names, w.vocabulary))
    return {
        "task": torch.tensor(standardised(raw.task, w["task_mean"], w["task_sd"])),
        "type": rows[torch.tensor(flow.type_index, dtype=torch.long)],
        "machine": torch.tensor(standardised(raw.machine, w["machine_mean"], w["machine_sd"])),
        "rack": rack % w.preset.rack_rows,
        "context": torch.tensor(standardised(raw.context, w["context_mean"], w["context_sd"])),
        "edge_index": torch.cat([torch.stack([parent, child]), torch.stack([child, parent])], dim=1),
        "edge": torch.stack([torch.cat([volume, volume]), direction], dim=1),
        "log_bandwidth": near[(rack[:, None] == rack[None, :]).long()],
        "criticality": torch.tensor(costs.criticality, dtype=torch.float32),
        "downtime": torch.tensor(estimates.downtime, dtype=torch.float32),
        "activity": torch.tensor(activity_of(estimates.downtime), dtype=torch.float32),
    }
