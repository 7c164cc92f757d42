"""Starts the servers, each a process of its own on a free port of loopback."""

import pathlib
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request

HERE = pathlib.Path(__file__).parent


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Server:
    """A server for as long as the block runs."""

    def __init__(self, *command: str, probe: str):
        self.port = free_port()
        self.command = [part.replace("PORT", str(self.port)) for part in command]
        self.probe = probe

    def __enter__(self):
        self.process = subprocess.Popen([sys.executable, *self.command], cwd=HERE)
        for _ in range(600):
            if self.process.poll() is not None:
                raise RuntimeError(f"{self.command} ended with {self.process.returncode}")
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{self.port}{self.probe}", timeout=5).read()
                return self
            except (urllib.error.URLError, OSError):
                time.sleep(0.05)
        raise RuntimeError(f"{self.command} does not answer")

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()


def datasette(database: pathlib.Path) -> Server:
    return Server("-m", "datasette", "serve", str(database), "--port", "PORT", "--setting", "max_returned_rows",
                  "1000", probe="/-/versions.json")


def django(database: pathlib.Path) -> Server:
    return Server("drf_app.py", str(database), "PORT", probe="/page/?page_size=1")


def fastapi(database: pathlib.Path) -> Server:
    return Server("fastapi_app.py", str(database), "PORT", probe="/page?size=1")
