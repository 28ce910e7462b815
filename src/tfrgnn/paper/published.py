"""The paper's own numbers, table by table."""

EFFICIENCY = {
    "random": (7.767, 0.187),
    "cpop": (1.365, 0.636),
    "min-min": (1.265, 0.610),
    "max-min": (1.277, 0.659),
    "peft": (1.127, 0.718),
    "heft": (1.000, 0.832),
    "tfr-gnn": (1.000, 0.832),
}
INTENSITY = {
    "heft": (1.000, 1.000, 1.000, 1.000, 1.000, 1.000),
    "r-heft": (1.000, 0.906, 0.870, 0.950, 0.916, 0.928),
    "ft-heft": (1.000, 1.029, 0.984, 1.006, 1.004, 0.977),
    "tfr-gnn": (1.000, 0.832, 0.779, 0.853, 0.890, 0.903),
    "oracle": (1.000, 0.830, 0.792, 0.864, 0.881, 0.899),
}
# r-heft and tfr-gnn at s = 2, then at s = 4
APPLICATIONS = {
    "1000genome": (0.964, 0.787, 0.955, 0.917),
    "montage": (0.913, 0.827, 0.875, 0.877),
    "epigenomics": (0.950, 0.889, 0.907, 0.892),
    "cycles": (0.973, 0.911, 0.973, 0.926),
}
ABLATION = {
    "paper": 0.853,
    "paper-no-dependency": 0.879,
    "paper-no-topology": 0.894,
    "paper-no-cross": 0.885,
    "paper-no-fault": 0.934,
}
# (application, tasks): tfr-gnn and r-heft at s = 2, then at s = 4
GENERALISATION = {
    ("seismology", 501): (0.945, 0.929, 0.993, 1.006),
    ("soykb", 416): (0.593, 0.756, 0.753, 0.991),
    ("srasearch", 64): (0.924, 0.967, 0.888, 0.953),
    ("montage", 2122): (0.997, 1.001, 0.999, 1.001),
    ("cycles", 874): (1.011, 1.024, 1.006, 1.013),
    ("seismology", 1101): (0.981, 0.999, 0.950, 0.969),
}
MOST_REDUNDANT = 0.23  # of FT-HEFT, in "HEFT makespan-equivalents"
# tasks: heft, peft, tfr-gnn in milliseconds
TIMING = {
    22: (1.1, 8.4, 7.5),
    156: (7.1, 62.2, 12.6),
    310: (22.3, 218.1, 30.6),
    438: (22.2, 189.4, 33.5),
    515: (21.9, 182.9, 36.4),
    748: (55.6, 496.8, 74.3),
    874: (39.2, None, 58.4),
    1101: (45.0, None, 74.9),
    1738: (128.2, None, 181.2),
    2122: (151.3, None, 294.6),
    4846: (386.9, None, 701.1),
}
