"""A reverse proxy that counts, writes between the answers, adds validators and takes its time."""

import dataclasses
import hashlib
import http.client
import http.server
import threading
import time
from typing import Callable

# What concerns one connection only (RFC 9110, section 7.6.1).
HOP_BY_HOP = {"connection", "keep-alive", "transfer-encoding", "te", "trailer", "upgrade", "date", "server"}


@dataclasses.dataclass
class Exchange:
    """A request, and what came of it."""

    target: str
    validator: str | None
    asked: float
    status: int = 0
    body: int = 0
    answered: float = 0
    retry_after: float | None = None


class Proxy:
    """Stands before a server on loopback for as long as the block runs."""

    def __init__(self, port: int, latency: float = 0, adds_etags: bool = False):
        self.upstream = port
        self.latency = latency
        self.adds_etags = adds_etags
        self.exchanges: list[Exchange] = []
        self.before: Callable[[int], None] = lambda number: None
        self.lock = threading.Lock()

    def __enter__(self):
        proxy = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True
            wbufsize = -1

            def do_GET(self):
                proxy.forward(self)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.02}).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    def forget(self):
        """Begins to count anew."""
        self.exchanges = []

    def forward(self, handler: http.server.BaseHTTPRequestHandler):
        exchange = Exchange(handler.path, handler.headers.get("If-None-Match"), time.monotonic())
        # One at a time: what is written before an answer is written before it is made.
        with self.lock:
            number = len(self.exchanges)
            self.exchanges.append(exchange)
            self.before(number)
            time.sleep(self.latency)
            status, headers, body = self.ask(handler)
        if self.adds_etags and status == 200:
            etag = f'"{hashlib.sha256(body).hexdigest()[:16]}"'
            headers.append(("ETag", etag))
            if exchange.validator == etag:
                status, body = 304, b""
        handler.send_response_only(status)
        for name, value in headers:
            if name.lower() not in HOP_BY_HOP | {"content-length"}:
                handler.send_header(name, value)
            if name.lower() == "retry-after":
                exchange.retry_after = float(value)
        if status not in (204, 304):
            handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)
        exchange.status, exchange.body = status, len(body)
        exchange.answered = time.monotonic()
        handler.wfile.flush()

    def ask(self, handler) -> tuple[int, list[tuple[str, str]], bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self.upstream, timeout=60)
        headers = {
            name: value for name, value in handler.headers.items() if name.lower() not in HOP_BY_HOP}
        connection.request("GET", handler.path, headers=headers)
        answer = connection.getresponse()
        try:
            return answer.status, answer.getheaders(), answer.read()
        finally:
            connection.close()
