"""Starts the demo, and asks it and its page what they show."""

import json
import pathlib
import subprocess
import tempfile
import time
import urllib.request

from playwright.sync_api import Page, sync_playwright

PORT, FEED_PORT = 18317, 18318
HERE = pathlib.Path(__file__).parent
SHOTS = HERE / "screenshots"


class Demo:
    """`freshet demo`, for as long as the block runs."""

    def __init__(self, freshet: str, cache: str, *options: str):
        self.command = [freshet, "demo", "--port", str(PORT), "--feed-port", str(FEED_PORT),
                        "--cache-folder", cache, "--pace", "300ms", *options]

    def __enter__(self):
        self.process = subprocess.Popen(self.command)
        for _ in range(200):
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{PORT}/").read()
                return self
            except OSError:
                time.sleep(0.05)
        raise RuntimeError("the demo does not answer")

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()


def press(page: Page, path: str):
    """Does what a button of the page does."""
    page.evaluate("path => freshet.post(path)", path)


def rows(page: Page) -> list[str]:
    return page.eval_on_selector_all("li.row", "rows => rows.map((row) => row.dataset.id)")


def served(parameters: str) -> list[dict]:
    """What the server lists, from its own mouth."""
    quakes, url = [], f"http://127.0.0.1:{FEED_PORT}/quakes.geojson?limit=200&{parameters}"
    while url:
        with urllib.request.urlopen(url) as answer:
            quakes += json.load(answer)["features"]
            links = (answer.headers["Link"] or "").split(", ")
        url = next((link[1:link.index(">")] for link in links if 'rel="next"' in link), None)
    return quakes


def star_elsewhere(quake: str, is_starred: bool):
    """Stars a quake as another client of the server does."""
    url = f"http://127.0.0.1:{FEED_PORT}/stars/{quake}?on={str(is_starred).lower()}"
    urllib.request.urlopen(urllib.request.Request(url, method="POST")).read()


def received() -> list[dict]:
    """The stars that the server received, each with its key and how often."""
    with urllib.request.urlopen(f"http://127.0.0.1:{FEED_PORT}/stars") as answer:
        return json.load(answer)


def scroll_to_top(page: Page):
    """Where new rows do not wait."""
    page.wait_for_function("""() => {
      scrollTo(0, 0);
      return new Promise((done) => setTimeout(() => done(scrollY === 0), 200));
    }""")


def search(page: Page, text: str):
    page.get_by_role("searchbox").fill(text)


def expect_found(page: Page, text: str):
    """Every row shows the text, and there are some."""
    page.wait_for_function("""text => {
      const rows = [...document.querySelectorAll("li.row")];
      return rows.length > 0 && rows.every((row) => row.innerText.toLowerCase().includes(text));
    }""", arg=text)


def run(test, *arguments):
    test(*arguments)
    print("passed:", test.__name__, flush=True)


def drive(freshet: str, tests, *options: str):
    """Runs tests, one after the other, on one page of one demo."""
    SHOTS.mkdir(exist_ok=True)
    with sync_playwright() as playwright, Demo(freshet, tempfile.mkdtemp(), *options):
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1180, "height": 860})
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(f"http://127.0.0.1:{PORT}/", wait_until="domcontentloaded")
        page.locator("li.row").nth(20).wait_for()
        for test in tests:
            run(test, page)
        assert not errors, errors
    print(f"{len(tests)} passed, 0 failed")
