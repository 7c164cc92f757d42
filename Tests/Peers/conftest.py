"""What the tests share: the tool, a table each, and the seed that a failure prints."""

import os
import pathlib

import pytest

from freshet import Freshet
from table import Table


# Said once, before there are workers, so that all have the same one: FRESHET_SEED=7 make test-peers
SEED = int(os.environ.setdefault("FRESHET_SEED", str(int.from_bytes(os.urandom(3)))))


def pytest_addoption(parser):
    parser.addoption("--freshet", required=True, help="the tool, built")


def pytest_generate_tests(metafunc):
    if "seed" in metafunc.fixturenames:
        # It is part of the test's name, so that a failure prints it.
        metafunc.parametrize("seed", [SEED], ids=lambda seed: f"seed={seed}")


@pytest.fixture
def freshet(request, tmp_path) -> Freshet:
    return Freshet(str(pathlib.Path(request.config.getoption("freshet")).resolve()), tmp_path)


@pytest.fixture
def table(tmp_path):
    table = Table(tmp_path)
    yield table
    table.close()
