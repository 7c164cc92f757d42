"""Drives the demo in a headless browser: make test-browser."""

import pathlib
import subprocess
import sys
import tempfile
import time
import urllib.request

from playwright.sync_api import Page, expect, sync_playwright

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
    page.evaluate("path => fetch(path, { method: 'POST' })", path)


def rows(page: Page) -> list[str]:
    return page.eval_on_selector_all("li.row", "rows => rows.map((row) => row.dataset.id)")


def scroll_to_top(page: Page):
    """Where new rows do not wait."""
    page.wait_for_function("""() => {
      scrollTo(0, 0);
      return new Promise((done) => setTimeout(() => done(scrollY === 0), 200));
    }""")


def test_live_list(page: Page):
    page.goto(f"http://127.0.0.1:{PORT}/", wait_until="domcontentloaded")
    expect(page.locator("li.row").nth(20)).to_be_visible()
    expect(page.locator("section[data-name]").first).to_be_visible()
    page.screenshot(path=SHOTS / "1-rows.png")

    # A new quake is inserted; every row that was there is the same DOM node, and none was touched.
    page.evaluate("""() => {
      window.before = [...document.querySelectorAll("li.row")];
      window.touched = new Set();
      new MutationObserver((records) => {
        for (const { target, removedNodes } of records) {
          const row = target.closest?.("li.row");
          if (row) touched.add(row.dataset.id);
          for (const node of removedNodes) if (node.dataset?.id) touched.add(node.dataset.id);
        }
      }).observe(document.getElementById("list"), { childList: true, subtree: true });
    }""")
    first = rows(page)[0]
    press(page, "/server/playing/true")
    page.wait_for_function("first => document.querySelector('li.row').dataset.id !== first", arg=first)
    kept = page.evaluate("""() => {
      const named = new Set(freshet.last.changes.flatMap((change) => change.id ?? change.item?.id ?? []));
      const others = window.before.filter((row) => !touched.has(row.dataset.id) && !named.has(row.dataset.id));
      return others.length > 15 && others.every((row) => row.isConnected);
    }""")
    assert kept, "rows that the batch did not name were touched"
    page.wait_for_timeout(2500)
    page.screenshot(path=SHOTS / "2-live.png")
    press(page, "/server/playing/false")


def test_scrolling_loads_more(page: Page):
    before = len(rows(page))
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    page.wait_for_function("count => document.querySelectorAll('li.row').length > count", arg=before)
    assert len(set(rows(page))) == len(rows(page))


def test_failure_and_retry(page: Page):
    page.click("button[data-mode=failing]")
    # The request is made again before the reader is told.
    expect(page.locator("#banner")).to_be_visible(timeout=30_000)
    count = len(rows(page))
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    page.wait_for_function("document.querySelector('#footer').innerText.includes('503')")
    assert len(rows(page)) == count, "a failure took rows away"
    page.screenshot(path=SHOTS / "3-failing.png")
    page.click("button[data-mode=normal]")
    page.click("#retry")
    page.wait_for_function("count => document.querySelectorAll('li.row').length > count", arg=count)
    expect(page.locator("#banner")).to_be_hidden(timeout=30_000)


def test_gap(page: Page):
    """After an absence longer than a page, the rows that are missing in between can be loaded."""
    scroll_to_top(page)
    page.click("#away")
    gap = page.locator("li.row.gap button").first
    gap.wait_for(state="attached")
    gap.scroll_into_view_if_needed()
    page.wait_for_timeout(1000)
    page.screenshot(path=SHOTS / "4-gap.png")
    below = """() => {
      const rows = [...document.querySelectorAll("li.row")];
      return rows[rows.findIndex((row) => row.matches(".gap")) + 1].dataset.id;
    }"""
    old = page.evaluate(below)
    click = "side => document.querySelector(`li.row.gap [data-side=${side}]`)?.click()"
    page.evaluate(click, "below")
    page.wait_for_function(f"old => ({below})() !== old", arg=old)
    sides = ["above", "below"]
    while page.locator("li.row.gap").count() > 0:
        sides.reverse()
        page.evaluate(click, sides[0])
        page.wait_for_timeout(300)
    assert len(set(rows(page))) == len(rows(page))


def test_why(page: Page):
    """A row says what put it there."""
    page.evaluate("document.querySelector('li.row .place').click()")
    expect(page.locator("#log")).to_contain_text("It came with")


def test_star(page: Page):
    """An edit shows at once and survives a refresh; one that the server does not take is undone."""
    scroll_to_top(page)
    row = page.locator("li.row:not(.gap)").nth(1)
    star = row.locator(".star")
    page.click("button[data-mode=slow]")
    star.click()
    expect(star).to_have_attribute("aria-pressed", "true", timeout=1000)
    page.click("button[data-mode=normal]")
    press(page, "/refresh")
    page.wait_for_timeout(4000)
    expect(star).to_have_attribute("aria-pressed", "true")
    page.click("button[data-mode=failing]")
    star.click()
    expect(page.locator("#log")).to_contain_text("taken back")
    expect(star).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#banner")).to_be_visible()
    page.screenshot(path=SHOTS / "6-star.png")
    page.click("button[data-mode=normal]")
    page.click("#banner .retry")
    expect(page.locator("#banner")).to_be_hidden()


def test_new_rows_wait(page: Page):
    """Rows that come while one reads further down wait, and are counted."""
    page.evaluate("scrollTo(0, 900)")
    page.wait_for_timeout(500)
    count = len(rows(page))
    press(page, "/server/away/3")
    expect(page.locator("#new")).to_have_text("3 new")
    page.screenshot(path=SHOTS / "7-new.png")
    assert len(rows(page)) <= count
    page.click("#new")
    page.wait_for_function("count => document.querySelectorAll('li.row').length > count", arg=count)
    expect(page.locator("#new")).to_be_hidden()


def test_restart_without_server(page: Page, shown: list[str]):
    page.goto(f"http://127.0.0.1:{PORT}/", wait_until="domcontentloaded")
    page.wait_for_function("count => document.querySelectorAll('li.row').length >= count", arg=len(shown))
    assert rows(page) == shown, "the cache does not show what was shown"
    expect(page.locator("#status")).to_contain_text("cached rows")
    expect(page.locator("#banner")).to_be_visible()
    expect(page.locator("button[data-mode=slow]")).to_be_disabled()
    page.screenshot(path=SHOTS / "5-cached.png")


def main(freshet: str):
    SHOTS.mkdir(exist_ok=True)
    cache = tempfile.mkdtemp()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1180, "height": 860})
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        with Demo(freshet, cache, "--paused"):
            for test in [test_live_list, test_scrolling_loads_more, test_failure_and_retry, test_gap,
                         test_why,                         test_star, test_new_rows_wait]:
                test(page)
                print("passed:", test.__name__, flush=True)
            page.wait_for_timeout(1000)
            shown = rows(page)
        with Demo(freshet, cache, "--no-server"):
            test_restart_without_server(page, shown)
            print("passed: test_restart_without_server", flush=True)
        assert not errors, errors
    print("8 passed, 0 failed")


if __name__ == "__main__":
    main(sys.argv[1])
