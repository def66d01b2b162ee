"""The prediction of docs/many-hosts.md is that of bench/hosts.py."""

import importlib.util
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]


def script():
    spec = importlib.util.spec_from_file_location("hosts", ROOT / "bench/hosts.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_has_the_table_and_what_was_counted():
    hosts, page = script(), (ROOT / "docs/many-hosts.md").read_text()
    assert hosts.table(hosts.arguments([])) in page
    for counted in hosts.COUNTED_BYTES.values():
        assert f"{counted:,}" in page


def test_bytes_of_a_pe_grow_with_the_side_as_counted():
    hosts = script()
    for side, counted in hosts.COUNTED_BYTES.items():
        assert abs(hosts.bytes_of_pe(side) - counted) < 1


def test_the_parameters_count():
    hosts = script()
    usual = hosts.by_line(4, hosts.arguments([]))
    slow = hosts.by_line(4, hosts.arguments(["--bandwidth", "1e9", "--latency", "1e-3"]))
    few = hosts.by_line(4, hosts.arguments(["--threads", "1"]))
    assert slow["network"] > 5 * usual["network"]
    assert few["threads"] == 4 * usual["bundles"]
