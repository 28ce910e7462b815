"""Cluster files: YAML and JSON, their defaults, and every refusal."""

import pytest
from tests.cases import random_case

from tfrgnn import load_cluster
from tfrgnn.errors import FormatError, InputError
from tfrgnn.formats.cluster_file import save_cluster
from tfrgnn.generate.clusters import generate_cluster
from tfrgnn.model.cluster import Cluster, LognormalAffinity, Machine, Network, Repair, TableAffinity

EXAMPLE = """\
name: lab
machines:
  - {name: m0, speed: 1.0, rack: r0, mtbf_s: 3600, price_per_hour: 0.10}
  - {name: m1, speed: 2, rack: r1}
network: {intra_rack_mb_s: 1250, inter_rack_mb_s: 125, latency_s: 0}
repair: {mean_s: 60, sigma: 0.5}
affinity: {law: lognormal, sigma: 0.45, seed: 0}
"""


def _load(tmp_path, text, name="cluster.yaml"):
    path = tmp_path / name
    path.write_text(text)
    return load_cluster(path)


def test_the_documented_example(tmp_path):
    machines = (Machine("m0", 1.0, "r0", 3600.0, 0.1), Machine("m1", 2.0, "r1"))
    expected = Cluster("lab", machines, Network(1250, 125, 0), Repair(60, 0.5), LognormalAffinity(0.45, 0))
    assert _load(tmp_path, EXAMPLE) == expected


def test_what_is_left_out_has_its_default(tmp_path):
    cluster = _load(tmp_path, "name: x\nmachines: [{name: a}]")
    assert cluster == Cluster("x", (Machine("a", 1.0, "r0", None, 0.0),), Network(), Repair(), TableAffinity())


def test_exponents_without_a_point_are_numbers(tmp_path):
    assert _load(tmp_path, "name: x\nmachines: [{name: a, mtbf_s: 3e3}]").machines[0].mtbf_s == 3000.0


def test_a_table_of_affinities(tmp_path):
    cluster = _load(tmp_path, "name: x\nmachines: [{name: a}, {name: b}]\naffinity: {table: {fit: {b: 2}}}")
    assert cluster.affinity.row("fit", cluster.machine_names).tolist() == [1.0, 2.0]
    assert cluster.affinity.row("add", cluster.machine_names).tolist() == [1.0, 1.0]


@pytest.mark.parametrize("name", ["cluster.yaml", "cluster.json"])
@pytest.mark.parametrize("cluster", [generate_cluster(9, 4), random_case(7)[1], random_case(8)[1]])
def test_written_files_read_back_equal(tmp_path, name, cluster):
    save_cluster(cluster, tmp_path / name)
    assert load_cluster(tmp_path / name) == cluster


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("name: x\nmachines: []", "cluster 'x' has no machines; it needs at least one"),
        ("name: x\nmachines: [{name: a, sped: 1}]", "at machines[0]: object contains unknown field `sped`"),
        ("name: x\ncolour: red\nmachines: [{name: a}]", "object contains unknown field `colour`"),
        ("name: x\nmachines: [{name: a, speed: fast}]", "at machines[0].speed: expected `float`, got `str`"),
        ("name: x\nmachines: [{name: a, speed: 0}]", "machines[0]: machine 'a': speed is 0; it must be a number from"),
        ("name: x\nmachines: [{name: a, speed: .nan}]", "machine 'a': speed is nan"),
        ("name: x\nmachines: [{name: a, mtbf_s: -5}]", "machine 'a': mtbf_s is -5"),
        ("name: x\nmachines: [{name: a, price_per_hour: .inf}]", "price_per_hour is inf"),
        ("name: x\nmachines: [{name: a}, {name: a}]", "cluster 'x': machine name 'a' stands twice"),
        ("name: x\nmachines: [{name: ''}]", "cluster 'x': a machine has an empty name"),
        ("name: x\nmachines: [{name: a}]\nnetwork: {inter_rack_mb_s: 0}", "network: inter_rack_mb_s is 0"),
        ("name: x\nmachines: [{name: a}]\nnetwork: {latency_s: -1}", "network: latency_s is -1"),
        (
            "name: x\nmachines: [{name: a}]\nrepair: {sigma: 99}",
            "repair: sigma is 99; it must be a number from 0 to 10",
        ),
        ("name: x\nmachines: [{name: a}]\naffinity: {law: normal}", "law is 'normal'; it must be lognormal"),
        ("name: x\nmachines: [{name: a}]\naffinity: {table: {t: {z: 1}}}", "no machine (in the affinity table"),
        ("name: x\nmachines: [{name: a}]\naffinity: {table: {t: {a: 0}}}", "table.t.a is 0"),
        ("name: x\nmachines: [{name: a}]\naffinity: {law: lognormal, seed: -1}", "at affinity.seed"),
        (
            "name: x\nmachines: [{name: a}]\naffinity: {law: lognormal, table: {}}",
            "either a law with sigma and seed, or a table",
        ),
        ("name: x\nmachines: [{name: a}]\naffinity: {table: {}, sigma: 0.3}", "either a law with sigma and seed"),
        ("machines: [{name: a}]", "object missing required field `name`"),
        ("name: [", "at line 1, column 8: YAML is malformed"),
        ("- " * 100_000, "is nested too deeply"),
        ("name: x\nmachines: [{name: a, mtbf_s: 5, mtbf_s: 6}]", "the key 'mtbf_s' stands twice"),
        ("name: x\nmachines: [{<<: {name: a}}]", "merge keys are not read"),
        ("just words", "expected `object`, got `str`"),
        ("name: !!python/object:os.system x", "YAML is malformed"),
        ("\x00", "YAML is malformed"),
        ("", "expected `object`, got `null`"),
    ],
)
def test_a_broken_rule_is_named_with_file_and_place(tmp_path, text, sentence):
    with pytest.raises(FormatError) as caught:
        _load(tmp_path, text)
    assert str(tmp_path / "cluster.yaml") in str(caught.value)
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_json_file_is_read_as_json(tmp_path):
    with pytest.raises(FormatError, match="JSON is malformed"):
        _load(tmp_path, "name: x", "cluster.json")
    with pytest.raises(FormatError, match="truncated"):
        _load(tmp_path, '{"name": ', "cluster.json")


def test_a_huge_file_is_refused_unread(tmp_path):
    path = tmp_path / "huge.yaml"
    with path.open("wb") as file:
        file.truncate(1 << 30)
    with pytest.raises(FormatError, match="larger than 256 MiB"):
        load_cluster(path)
    with path.open("wb") as file:
        file.truncate(5 << 20)
    with pytest.raises(FormatError, match="too large for YAML; write it as JSON"):
        load_cluster(path)


def test_a_cluster_too_large_for_yaml_is_written_and_read_as_json(tmp_path):
    cluster = generate_cluster(50_000, 0)
    with pytest.raises(InputError, match="50000 machines are too many for YAML"):
        save_cluster(cluster, tmp_path / "c.yaml")
    save_cluster(cluster, tmp_path / "c.json")
    assert load_cluster(tmp_path / "c.json") == cluster


@pytest.mark.parametrize("value", ["010", "1:30", "1_000", "0x1f", "1e3x"])
def test_what_yaml_1_1_alone_takes_for_a_number_is_refused(tmp_path, value):
    with pytest.raises(FormatError, match="expected `float`, got `str`"):
        _load(tmp_path, f"name: x\nmachines: [{{name: a, speed: {value}}}]")


def test_a_field_with_a_line_break_in_its_name_is_refused_in_one_line(tmp_path):
    with pytest.raises(FormatError, match="unknown field `a b`"):
        _load(tmp_path, '{"name": "x", "machines": [{"name": "m"}], "a\\nb": 1}', "c.json")


@pytest.mark.parametrize(("value", "speed"), [("1", 1.0), ("2.", 2.0), (".5", 0.5), ("1e3", 1e3), ("1.5E-2", 0.015)])
def test_numbers(tmp_path, value, speed):
    assert _load(tmp_path, f"name: x\nmachines: [{{name: a, speed: {value}}}]").machines[0].speed == speed


def test_a_machine_may_have_any_name_in_a_table(tmp_path):
    cluster = Cluster("c", (Machine("<<"), Machine("010")), affinity=TableAffinity({"fit": {"<<": 2.0, "010": 3.0}}))
    save_cluster(cluster, tmp_path / "c.yaml")
    assert load_cluster(tmp_path / "c.yaml") == cluster
    with pytest.raises(FormatError, match="merge keys are not read"):
        _load(tmp_path, "name: x\nmachines: [{name: a, <<: {speed: 2}}]")


@pytest.mark.parametrize("name", ["1e3", "1.e5", "+1E3", "yes", "007", "0x1f", "~", "a: b", "\u00fc"])
def test_any_machine_name_reads_back(tmp_path, name):
    cluster = Cluster("c", (Machine(name),))
    save_cluster(cluster, tmp_path / "c.yaml")
    assert load_cluster(tmp_path / "c.yaml") == cluster
