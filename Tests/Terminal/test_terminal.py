"""Drives freshet watch in a pseudo-terminal, and installs it: make test-terminal."""

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import termios
import time
import urllib.request

from terminal import LongRows, Quakes, Terminal

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
        terminal.resize(40, 15)
        terminal.until(lambda lines: re.search(r"/indonesia +Esc shows all$", lines[-1]))
        assert "…" not in terminal.lines[-1].replace("refreshing…", "")
        terminal.resize(80, 24)
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


def test_unsent(freshet, quakes, folder):
    """A row is marked while an edit of it waits in an outbox."""
    with Terminal(freshet, "watch", quakes.url, "--every", "200ms", "--no-cache", "--outbox", folder,
                  width=120) as terminal:
        terminal.shows("as of")
        with urllib.request.urlopen(quakes.url) as answer:
            quake = json.load(answer)[0]["id"]
        terminal.shows(quake)
        quakes.press("server/mode/failing")
        try:
            quakes.press(f"star/{quake}/true")
            terminal.until(lambda lines: any(line.startswith(f"↑ {quake} ") for line in lines)
                           and "1 not sent" in lines[-1])
        finally:
            quakes.press("server/mode/normal")
        terminal.until(lambda lines: "not sent" not in lines[-1]
                       and not any(line.startswith("↑") for line in lines))
        terminal.press("q")
        assert terminal.end() == 0
    with Terminal(freshet, "watch", quakes.url, "--no-cache", "--outbox", "/nowhere") as terminal:
        terminal.shows("There is no outbox at /nowhere: name the folder that contains it.")
        assert os.waitstatus_to_exitcode(terminal.end()) == 66


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


def tells(shell, text, times=1):
    """Waits until a shell, which speaks where it prompts, has said something so often."""
    for _ in range(200):
        if shell.sent.count(text) >= times:
            return
        shell.press("\r")
        time.sleep(0.1)
        shell.read()
    raise AssertionError(shell.sent[-500:])


def test_background(freshet, quakes, folder):
    """Behind a shell it neither draws nor reads: it waits to be brought to the front."""
    with Terminal("bash", "--norc", "-i", PS1="shell> ", HISTFILE="") as terminal:
        terminal.shows("shell>")
        terminal.press(f"'{freshet}' watch '{quakes.url}' --no-cache &\r")
        terminal.shows("[1]")
        tells(terminal, b"Stopped")
        assert b"\x1b[?1049h" not in terminal.sent
        terminal.press("echo gq''q\r")
        terminal.shows("gqq")
        terminal.press("bg\r")
        tells(terminal, b"Stopped", 2)
        assert b"\x1b[?1049h" not in terminal.sent
        terminal.press("fg\r")
        terminal.shows("as of")
        terminal.press("\x1a")
        terminal.until(lambda lines: terminal.sent.count(LEFT) == 1)
        terminal.until(lambda lines: terminal.sent.endswith(b"shell> "))
        count = len(terminal.sent)
        # Continued in the background, freshet stops again; a signal ends it there. The test sends
        # the signal, as bash wakes only jobs that it takes to be stopped.
        terminal.press("bg\r")
        tells(terminal, b"Stopped", terminal.sent.count(b"Stopped") + 1)
        terminal.press("echo pid $!\r")
        terminal.until(lambda lines: re.search(rb"pid (\d+)\r", terminal.sent[count:]))
        pid = int(re.search(rb"pid (\d+)\r", terminal.sent[count:])[1])
        for number in signal.SIGTERM, signal.SIGCONT:
            os.kill(pid, number)
        tells(terminal, b"Terminated")
        assert b"\x1b[?1049h" not in terminal.sent[count:]
        terminal.press("exit\r")
        assert terminal.end() == 0


def test_orphan(freshet, quakes, folder):
    """Where no shell can bring it to the front, it prints lines."""
    script = ("import os, signal, sys, time\n"
              "if os.fork() == 0:\n"
              "    os.setpgid(0, 0)\n"
              "    while os.getppid() != 1 and os.getppid() == int(sys.argv[1]): time.sleep(0.01)\n"
              "    print('pid', os.getpid(), flush=True)\n"
              "    os.execv(sys.argv[2], sys.argv[2:])\n")
    shell = f'python3 -c "$SCRIPT" $$ \'{freshet}\' watch \'{quakes.url}\' --no-cache; sleep 60'
    script = script.replace("int(sys.argv[1])", "parent").replace(
        "if os.fork()", "parent = os.getpid()\nif os.fork()")
    with Terminal("bash", "-c", shell, SCRIPT=script) as terminal:
        terminal.shows("from the network")
        assert b"\x1b[?1049h" not in terminal.sent
        os.kill(int(re.search(rb"pid (\d+)\r", terminal.sent)[1]), signal.SIGKILL)


def test_password(freshet, quakes, folder):
    """What ends a prompt does so, and leaves a terminal that shows what is typed."""
    command = [freshet, "watch", quakes.url, "--no-cache", "--once", "--user", "ada"]
    for key, number in ("\x03", signal.SIGINT), (None, signal.SIGTERM):
        with Terminal(*command) as terminal:
            before = termios.tcgetattr(terminal.file)[3]
            terminal.shows("Password of ada:")
            assert not termios.tcgetattr(terminal.file)[3] & termios.ECHO
            terminal.press(key) if key else os.kill(terminal.pid, number)
            status = terminal.end()
            assert os.WIFSIGNALED(status) and os.WTERMSIG(status) == number, status
            assert termios.tcgetattr(terminal.file)[3] == before
    with Terminal(*command) as terminal:
        terminal.shows("Password of ada:")
        terminal.press("secret\r")
        assert terminal.end() == 0
        assert b"secret" not in terminal.sent and b"from the network" in terminal.sent


def test_unread(freshet, quakes, folder):
    """A terminal that nobody reads holds nothing up: a signal ends it."""
    for number in signal.SIGTERM, signal.SIGHUP:
        with Terminal(freshet, "watch", quakes.url, "--no-cache", width=500, height=200) as terminal:
            terminal.shows("as of")
            for width in range(300, 340):
                terminal.resize(width, 200)
                time.sleep(0.02)
            os.kill(terminal.pid, number)
            assert terminal.ends_unread(5), "it waits for whoever reads"
            assert os.WTERMSIG(terminal.status) == number


def test_long_rows(freshet, quakes, folder):
    """However long rows are, keys and signals are heard at once."""
    for lengths in [10_000] * 100, [1_000_000] * 3:
        with LongRows(*lengths) as rows, \
                Terminal(freshet, "watch", rows.url, "--no-cache", "--every", "100ms", "--column",
                         "id", "--column", "title") as terminal:
            terminal.shows("as of")
            for keys, shown in ("\x1b[B\r", "Here by"), ("\x1b", "? help"), ("?", "Any key"):
                begin = time.monotonic()
                terminal.press(keys)
                terminal.shows(shown)
                assert time.monotonic() - begin < 2, f"{keys!r} took {time.monotonic() - begin} s"
            begin = time.monotonic()
            os.kill(terminal.pid, signal.SIGTERM)
            terminal.end()
            assert time.monotonic() - begin < 2, f"it took {time.monotonic() - begin} s to end"
            assert terminal.sent.endswith(LEFT)


def test_advice(freshet, quakes, folder):
    """The screen says which option to try, as lines do."""
    with LongRows(10, status=401) as rows, \
            Terminal(freshet, "watch", rows.url, "--no-cache") as terminal:
        terminal.shows("--header")


def test_split_keys(freshet, quakes, folder):
    """A key in two pieces is one key, and Alt-[ takes none with it."""
    with Terminal(freshet, "watch", quakes.url, "--no-cache") as terminal:
        terminal.shows("as of")
        terminal.press("/indonesia\r")
        terminal.shows("Esc shows all")
        for piece in "\x1b", "[B":
            terminal.press(piece)
            time.sleep(0.005)
        time.sleep(0.3)
        terminal.read()
        assert "Esc shows all" in terminal.lines[-1], "half of a key was one"
        terminal.press("\x1b[")
        time.sleep(0.3)
        terminal.press("q")
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
    synopsis = re.sub(r"\\f[BIR]", "", manual.split(".SH SYNOPSIS\n")[1].split(".SH")[0])
    assert [" ".join(line.removesuffix(".br\n").split()) for line in synopsis.split(".B ")[1:]] == [
        usage(installed, command["commandName"]) for command in said["subcommands"]
        if command["commandName"] != "help"]
    for shell, load in SHELLS.items():
        if shutil.which(shell[0]):
            completes(shell, load(prefix / "share"), folder)
        else:
            print(f"test_install: {shell[0]} is not there, its completions are not tried")
    make("uninstall", prefix)
    assert not [path for path in prefix.rglob("*") if not path.is_dir()]


# How shells start, and what loads the completions that lie in a folder.
SHELLS = {
    ("bash", "--norc", "-i"): lambda share: f"source '{share}/bash-completion/completions/freshet'",
    ("zsh", "-f", "-i"):
        lambda share: f"fpath=('{share}/zsh/site-functions' $fpath); autoload -U compinit; compinit -D",
    ("fish", "--no-config", "-i"):
        lambda share: f"source '{share}/fish/vendor_completions.d/freshet.fish'",
}


def completes(shell, load, folder):
    """Tab ends words that can be no other: commands, options, their values, folders, also behind a URL."""
    (pathlib.Path(folder) / "caches-of-mine").mkdir()
    with Terminal(*shell, width=160, PS1="shell> ", HISTFILE="", HOME=folder) as terminal:
        terminal.until(lambda lines: ">" in lines[0] or "#" in lines[0])
        terminal.press(f"{load}; echo load''ed\r")
        terminal.shows("loaded")
        for typed, word in [
                ("wat", "watch"), ("watch --max", "--max-rows"), ("watch --format js", "jsonl"),
                ("watch --paging lin", "link"), ("demo --store mem", "memory"),
                (f"watch --cache-folder {folder}/caches", "caches-of-mine/"),
                (f"inspect {folder}/caches", "caches-of-mine/"), ("inspect --js", "--json"),
                ("watch http://127.0.0.1:80/a?b=c --max", "--max-rows")]:
            terminal.press(f"\x15freshet {typed}")
            terminal.shows(f"freshet {typed}")
            terminal.press("\t")
            begun = next(part for part in range(len(word), 0, -1) if typed.endswith(word[:part]))
            terminal.shows(f"freshet {typed[:-begun]}{word}")
    (pathlib.Path(folder) / "caches-of-mine").rmdir()


def usage(freshet, command):
    """What --help says a command takes besides options, as a manual page writes it."""
    said = subprocess.run([freshet, command, "--help"], capture_output=True, text=True, check=True)
    line = re.search(r"^USAGE: (.*)$", said.stdout, re.MULTILINE)[1]
    places = re.findall(r"(?<!\S)(?:<[\w-]+>|\[<[\w-]+>\])(?!\S)", line)
    words = [re.sub("[<>]", "", place) for place in places if place != "[<options>]"]
    return " ".join(["freshet", command, "[options]", *words])


def make(target, prefix, configuration="debug"):
    subprocess.run(["make", "-s", target, f"PREFIX={prefix}", f"CONFIGURATION={configuration}"],
                   check=True, cwd=ROOT, stdout=subprocess.DEVNULL)


def version():
    """The newest version that the changelog speaks of."""
    return re.search(r"^## (\d\S*)", (ROOT / "CHANGELOG.md").read_text(), re.M).group(1)


def main(freshet, *only):
    tests = [(name, test) for name, test in globals().items()
             if name.startswith("test_") and (not only or name in only)]
    with tempfile.TemporaryDirectory() as folder, Quakes(freshet, folder) as quakes:
        for name, test in tests:
            test(freshet, quakes, folder)
            print(f"{name}: {test.__doc__}")
    print(f"{len(tests)} passed, 0 failed")


if __name__ == "__main__":
    main(*sys.argv[1:])
