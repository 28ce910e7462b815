"""Graph attention on CSR arrays, fused per destination task: no edge-sized temporaries.

Shapes: n tasks, e edges by child and then parent, h heads of c channels (h c = width).
"""

import numpy as np
from numba import njit

_SLOPE = np.float32(0.2)
_REASSOCIATE = {"nnan", "nsz", "reassoc", "contract"}  # sums of one edge's channels, held to 1e-5 by a test


@njit(cache=True, nogil=True, fastmath=_REASSOCIATE)
def attend(value, source, target, edge, edge_weight, parent_ptr, parent, child_ptr, child, child_edge, out):
    """GATConv over the edges in both directions, as written by Velickovic et al. (arXiv 1710.10903) with edge features.

    alpha(j -> i) = softmax over i's neighbours j of leaky_relu(source[j] + target[i] + edge_weight . [z, direction]),
    out[i] = sum of alpha value[j]. Direction is 0 from a parent and 1 from a child; `edge` (e) is z.
    Shapes: value, out (n, width); source, target (n, h); edge_weight (h, 2).
    """
    n, width = value.shape
    heads = source.shape[1]
    channels = width // heads
    top, total = np.empty(heads, np.float32), np.empty(heads, np.float32)
    weight = np.empty(heads, np.float32)
    for i in range(n):
        row = out[i]
        row[:] = np.float32(0.0)
        first, last = parent_ptr[i], parent_ptr[i + 1]
        begin, end = child_ptr[i], child_ptr[i + 1]
        degree = (last - first) + (end - begin)
        if degree == 0:
            continue
        top[:] = np.float32(-np.inf)
        for x in range(degree):
            inward = x < last - first
            k = first + x if inward else child_edge[begin + x - (last - first)]
            j = parent[k] if inward else child[begin + x - (last - first)]
            for h in range(heads):
                logit = source[j, h] + target[i, h] + edge_weight[h, 0] * edge[k]
                if not inward:
                    logit += edge_weight[h, 1]
                logit = logit if logit > 0 else _SLOPE * logit
                top[h] = max(top[h], logit)
        total[:] = np.float32(0.0)
        for x in range(degree):
            inward = x < last - first
            k = first + x if inward else child_edge[begin + x - (last - first)]
            j = parent[k] if inward else child[begin + x - (last - first)]
            for h in range(heads):
                logit = source[j, h] + target[i, h] + edge_weight[h, 0] * edge[k]
                if not inward:
                    logit += edge_weight[h, 1]
                logit = logit if logit > 0 else _SLOPE * logit
                weight[h] = np.exp(logit - top[h])
                total[h] += weight[h]
            for h in range(heads):
                w = weight[h]
                for c in range(h * channels, (h + 1) * channels):
                    row[c] += w * value[j, c]
        for h in range(heads):
            scale = np.float32(1.0) / total[h]
            for c in range(h * channels, (h + 1) * channels):
                row[c] *= scale
