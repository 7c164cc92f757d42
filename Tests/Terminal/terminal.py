"""A command in a pseudo-terminal, and what its screen shows."""

import fcntl
import http.server
import json
import os
import pty
import select
import signal
import struct
import subprocess
import termios
import threading
import time
import urllib.request

import pyte

LIMIT = 60


class Terminal:
    """Runs a command for as long as the block runs."""

    def __init__(self, *command: str, width=80, height=24, **environment: str):
        self.command, self.size = command, (width, height)
        self.environment = {"TERM": "xterm-256color", **environment}
        self.screen = pyte.Screen(width, height)
        self.stream = pyte.ByteStream(self.screen)
        self.sent = b""

    def __enter__(self):
        self.pid, self.file = pty.fork()
        if self.pid == 0:
            # The size is there before the command asks for it.
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", *reversed(self.size), 0, 0))
            os.environ.update(self.environment)
            os.execvp(self.command[0], self.command)
        self.status = None
        return self

    def __exit__(self, *_):
        if self.status is None:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        os.close(self.file)

    def read(self, seconds=0.05):
        """Takes what the command writes; whether it may write more."""
        if not select.select([self.file], [], [], seconds)[0]:
            return True
        try:
            data = os.read(self.file, 65536)
        except OSError:
            return False
        self.sent += data
        self.stream.feed(data)
        return bool(data)

    def until(self, condition):
        """Reads until something is true of the lines; fails where it never is."""
        end = time.monotonic() + LIMIT
        while time.monotonic() < end:
            if condition(self.lines):
                return self.lines
            self.read()
        raise AssertionError("this never came:\n" + "\n".join(self.lines))

    def shows(self, text):
        return self.until(lambda lines: any(text in line for line in lines))

    def press(self, keys: str):
        os.write(self.file, keys.encode())

    def resize(self, width, height):
        self.screen.resize(height, width)
        fcntl.ioctl(self.file, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))

    def end(self):
        """Waits until the command has ended; how it did."""
        end = time.monotonic() + LIMIT
        while self.read(1):
            assert time.monotonic() < end, f"it does not end: {self.sent[-500:]}"
        _, self.status = os.waitpid(self.pid, 0)
        return self.status

    def ends_unread(self, seconds):
        """Whether the command ends soon though nobody reads what it writes."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.status = status
                return True
            time.sleep(0.01)
        return False

    @property
    def lines(self):
        return [line.rstrip() for line in self.screen.display]


class LongRows:
    """A server of rows of some lengths, for as long as the block runs."""

    def __init__(self, *lengths: int, status=200):
        rows = json.dumps([{"id": number, "title": "long " * (length // 5)}
                           for number, length in enumerate(lengths)]).encode()

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(rows)))
                self.end_headers()
                self.wfile.write(rows)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/"

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


class Quakes:
    """`freshet demo`, for as long as the block runs: the server of a list of earthquakes."""

    def __init__(self, freshet: str, folder: str, port=28318, pace="300ms"):
        self.url = f"http://127.0.0.1:{port}/quakes?limit=50"
        self.page = f"http://127.0.0.1:{port - 1}"
        self.command = [freshet, "demo", "--port", str(port - 1), "--feed-port", str(port),
                        "--cache-folder", folder, "--pace", pace, "--store", "memory"]

    def __enter__(self):
        self.process = subprocess.Popen(self.command, stdout=subprocess.DEVNULL)
        for _ in range(1200):
            try:
                urllib.request.urlopen(self.url).read()
                return self
            except OSError:
                time.sleep(0.05)
        raise RuntimeError("the demo does not answer")

    def press(self, path: str):
        """Does what a button of the demo's page does."""
        urllib.request.urlopen(urllib.request.Request(f"{self.page}/{path}", method="POST")).read()

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
