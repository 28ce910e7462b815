"""The paper's oracle: the best of its portfolio, chosen in hindsight on the evaluation's own traces.

A bound on what any one member can reach, not a method: nobody has the traces beforehand.
"""

from tfrgnn.simulation.outcome import Outcome

ORACLE = "oracle"
PORTFOLIO = (
    "heft",
    "r-heft[beta=1]",
    "r-heft",
    "r-heft[beta=3]",
    "r-heft[beta=5]",
    "ft-heft[budget=0.05]",
    "ft-heft",
    "ft-heft[budget=0.15]",
)


def best_in_hindsight(outcomes: dict[str, Outcome]) -> str:
    """The member of least mean makespan; the earlier in the portfolio among equals."""
    return min(PORTFOLIO, key=lambda member: outcomes[member].mean_makespan_s.mean)
