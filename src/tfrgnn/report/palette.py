"""Colours that people with colour-blindness can tell apart (Okabe and Ito); a method has the same one everywhere."""

TYPE_COLOURS = (
    "#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#8c6d31", "#f0e442", "#7a5195",
    "#003a5c", "#f7cf80", "#00543d", "#8f3f6b", "#bfe3f7", "#4d3a17", "#a39a00", "#c9b6dd",
)  # fmt: skip
METHOD_COLOURS = {
    "heft": "#333333",
    "heft-insertion": "#888888",
    "r-heft": "#0072b2",
    "ft-heft": "#e69f00",
    "reliable-heft": "#009e73",
    "peft": "#56b4e9",
    "cpop": "#7a5195",
    "min-min": "#8c6d31",
    "max-min": "#b5a33c",
    "random": "#bbbbbb",
    "tfr-gnn": "#d55e00",
    "oracle": "#cc79a7",
    "scst": "#999933",
    "rloo": "#882255",
    "ppo": "#332288",
}


def method_colour(method: str) -> str:
    """The colour of a method, whatever its options."""
    return METHOD_COLOURS.get(method.partition("[")[0], "#555555")


def type_colours(names: tuple[str, ...]) -> list[str]:
    """A colour per task type, from the beginning again after the sixteenth."""
    return [TYPE_COLOURS[k % len(TYPE_COLOURS)] for k in range(len(names))]
