"""What the tests share: the tool, a table each, and the seed that a failure prints."""

import os
import pathlib

import pytest

from freshet import Freshet
from table import Table


def pytest_addoption(parser):
    parser.addoption("--freshet", required=True, help="the tool, built")
    parser.addoption("--seed", type=int, default=None, help="what decides the writes")


def pytest_generate_tests(metafunc):
    if "seed" in metafunc.fixturenames:
        seed = metafunc.config.getoption("seed")
        # It is part of the test's name, so that a failure prints it.
        seeds = [int.from_bytes(os.urandom(3))] if seed is None else [seed]
        metafunc.parametrize("seed", seeds, ids=lambda seed: f"seed={seed}")


@pytest.fixture
def freshet(request, tmp_path) -> Freshet:
    return Freshet(str(pathlib.Path(request.config.getoption("freshet")).resolve()), tmp_path)


@pytest.fixture
def table(tmp_path):
    table = Table(tmp_path)
    yield table
    table.close()
