"""Drives freshet watch in a pseudo-terminal, and installs it: make test-terminal."""

import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import termios

from terminal import Quakes, Terminal

ROOT = pathlib.Path(__file__).parents[2]
LEFT = b"\x1b[?25h\x1b[?1049l"


def test_table(freshet, quakes, folder):
    """Rows, scrolling, filter, one row, resizing, and a clean end."""
    with Terminal(freshet, "watch", quakes.url, "--every", "200ms", "--section", "/time:day",
                  "--cache", "terminal", "--cache-folder", folder) as terminal:
        terminal.shows("as of")
        terminal.until(lambda lines: any(line.startswith("+ ") for line in lines))
        terminal.press("G")
        terminal.until(lambda lines: re.search(r"1\d\d rows$", lines[0]))
        terminal.press("g/indonesia")
        terminal.until(lambda lines: lines[0].endswith("rows found"))
        terminal.press("\r\x1b[B\r")
        terminal.shows("Here by")
        terminal.press("q")
        terminal.shows("Esc shows all")
        terminal.press("\x1b")
        terminal.until(lambda lines: lines[0].endswith(" rows"))
        for size in (40, 15), (120, 40), (80, 24):
            terminal.resize(*size)
            terminal.until(lambda lines: lines[-1].endswith("? help") and lines[0].endswith("rows"))
            assert terminal.lines[1].split() == ["id", "title"]
            assert any(re.search(r"\bus\w+ +M \d", line) for line in terminal.lines[2:-1])
        terminal.press("q")
        assert terminal.end() == 0
        assert terminal.sent.endswith(LEFT), terminal.sent[-80:]


def test_signals(freshet, quakes, folder):
    """The terminal is given back, and the command ends as the signal says."""
    for number, key in (signal.SIGINT, "\x03"), (signal.SIGTERM, None), (signal.SIGHUP, None):
        with Terminal(freshet, "watch", quakes.url, "--no-cache", NO_COLOR="1") as terminal:
            before = termios.tcgetattr(terminal.file)[3]
            terminal.shows("as of")
            assert termios.tcgetattr(terminal.file)[3] != before
            terminal.press(key) if key else os.kill(terminal.pid, number)
            status = terminal.end()
            assert os.WIFSIGNALED(status) and os.WTERMSIG(status) == number, status
            assert terminal.sent.endswith(LEFT)
            assert termios.tcgetattr(terminal.file)[3] == before
            colours = re.findall(rb"\x1b\[[0-9;]*\b3\d[0-9;]*m", terminal.sent)
            assert not colours, colours


def test_stopping(freshet, quakes, folder):
    """Control-Z in a shell leaves the screen, and fg brings it back."""
    with Terminal("bash", "--norc", "-i", PS1="shell> ", HISTFILE="") as terminal:
        terminal.shows("shell>")
        terminal.press(f"'{freshet}' watch '{quakes.url}' --no-cache\r")
        terminal.shows("as of")
        terminal.press("\x1a")
        terminal.shows("Stopped")
        assert LEFT in terminal.sent
        count = terminal.sent.count(b"\x1b[?1049h")
        terminal.press("fg\r")
        terminal.until(lambda lines: terminal.sent.count(b"\x1b[?1049h") > count)
        terminal.shows("as of")
        terminal.press("q")
        terminal.until(lambda lines: terminal.sent.endswith(b"shell> "))
        terminal.press("exit\r")
        assert terminal.end() == 0


def test_lines(freshet, quakes, folder):
    """No escape where nobody wants a full screen."""
    for options, environment in (["--plain"], {}), ([], {"TERM": "dumb"}), (["--once"], {}):
        with Terminal(freshet, "watch", quakes.url, "--no-cache", *options,
                      **environment) as terminal:
            terminal.shows("from the network")
            assert b"\x1b" not in terminal.sent
    run = subprocess.run([freshet, "watch", quakes.url, "--no-cache", "--once"],
                         capture_output=True, check=True)
    assert run.stdout.startswith(b'{"origin":"network"')


def test_install(freshet, quakes, folder):
    """The command runs where it is installed; the manual names every option; shells take the completions."""
    prefix = pathlib.Path(folder) / "prefix with a space"
    make("install", prefix, pathlib.Path(freshet).parent.name)
    installed = prefix / "bin/freshet"
    assert subprocess.run([installed, "--version"], capture_output=True, text=True,
                          check=True).stdout.strip() == version()
    assert list((prefix / "libexec/freshet").glob("FreshetTool_FreshetTool.*/quakes.csv"))
    manual = (prefix / "share/man/man1/freshet.1").read_text().replace("\\-", "-")
    said = json.loads(subprocess.run([installed, "--experimental-dump-help"], capture_output=True,
                                     check=True).stdout)["command"]
    for command in [said, *said["subcommands"]]:
        assert command["commandName"] in manual
        for argument in command.get("arguments", []):
            for name in argument.get("names", []) if argument["shouldDisplay"] else []:
                assert "-" + name["name"] in manual, name
    for name in "bash-completion/completions/freshet", "zsh/site-functions/_freshet", \
            "fish/vendor_completions.d/freshet.fish":
        assert "no-cache" in (prefix / "share" / name).read_text()
    subprocess.run(["bash", "-n", prefix / "share/bash-completion/completions/freshet"], check=True)
    make("uninstall", prefix)
    assert not [path for path in prefix.rglob("*") if not path.is_dir()]


def make(target, prefix, configuration="debug"):
    subprocess.run(["make", "-s", target, f"PREFIX={prefix}", f"CONFIGURATION={configuration}"],
                   check=True, cwd=ROOT, stdout=subprocess.DEVNULL)


def version():
    """The newest version that the changelog speaks of."""
    return re.search(r"^## (\d\S*)", (ROOT / "CHANGELOG.md").read_text(), re.M).group(1)


def main(freshet):
    tests = [(name, test) for name, test in globals().items() if name.startswith("test_")]
    with tempfile.TemporaryDirectory() as folder, Quakes(freshet, folder) as quakes:
        for name, test in tests:
            test(freshet, quakes, folder)
            print(f"{name}: {test.__doc__}")
    print(f"{len(tests)} passed, 0 failed")


if __name__ == "__main__":
    main(sys.argv[1])
