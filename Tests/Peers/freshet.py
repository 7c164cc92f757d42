"""Runs `freshet watch` and plays its lines back into a list."""

import dataclasses
import functools
import json
import pathlib
import subprocess


@dataclasses.dataclass
class Run:
    """What came of one run."""

    exit: int
    ids: list[str]
    next: str | None
    gaps: int
    errors: str
    lines: int

    def __str__(self):
        return (f"exit {self.exit}, {len(self.ids)} rows, next {self.next}, gaps {self.gaps}, "
                f"said {self.errors.strip()!r}")


class Freshet:
    """`freshet watch`, with a cache folder of its own."""

    def __init__(self, path: str, home: pathlib.Path):
        self.path = path
        self.home = home

    def watch(self, url: str, paging: str, *options: str, size: int = 100, timeout: float = 300) -> Run:
        command = [self.path, "watch", url, "--once", "--pages", "all", "--format", "jsonl",
                   "--paging", paging, *options]
        # Where the style has no parameter for it, the server's own size is the same.
        if paging.split(":")[0] in ("page", "offset"):
            command += ["--limit", str(size)]
        environment = {"PATH": "/usr/bin:/bin", "HOME": str(self.home), "LANG": "C.UTF-8",
                       "XDG_CACHE_HOME": str(self.home / "caches"), "SWIFT_BACKTRACE": "enable=no"}
        result = subprocess.run(
            command, env=environment, timeout=timeout, capture_output=True, text=True,
            stdin=subprocess.DEVNULL)
        lines = [json.loads(line) for line in result.stdout.splitlines()]
        id = options[options.index("--id") + 1] if "--id" in options else "/id"
        rows: list[str] = []
        for line in lines:
            rows = play(rows, line["changes"], id.split("/")[1:])
            assert len(rows) == line["count"], f"a line says {line['count']} rows, and makes {len(rows)}"
        last = lines[-1] if lines else None
        return Run(result.returncode, rows, last and last["state"]["next"], last["gaps"] if last else 0,
                   result.stderr, len(lines))


def play(rows: list[str], changes: list[dict], id: list[str]) -> list[str]:
    """A list after one batch, as `freshet watch --help` describes it."""
    gone = {change["path"][1] for change in changes if change["op"] == "delete"}
    gone |= {change["from"][1] for change in changes if change["op"] == "move"}
    assert all(0 <= row < len(rows) for row in gone), "a row goes that is not there"
    rows = [row for index, row in enumerate(rows) if index not in gone]
    for change in changes:
        if change["op"] in ("insert", "move"):
            row = (change.get("path") or change["to"])[1]
            assert 0 <= row <= len(rows), "a row comes beyond the end"
            rows.insert(row, str(functools.reduce(lambda value, name: value[name], id, change["item"])))
    return rows
