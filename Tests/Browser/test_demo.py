"""Drives the demo in a headless browser: make test-browser."""

import sys
import tempfile

from playwright.sync_api import Page, expect, sync_playwright

from demo import PORT, SHOTS, Demo, expect_found, press, rows, run, scroll_to_top, search, served


def merged() -> list[str]:
    """Both halves of what the server lists, newest first."""
    quakes = served("minlatitude=0") + served("maxlatitude=0")
    return [quake["id"] for quake in sorted(quakes, key=lambda quake: -quake["properties"]["time"])]


def expect_merged(page: Page):
    """Rows of both feeds stand in the order of time, and none is missing between them.

    Those withdrawn meanwhile are seen once their page is asked for again.
    """
    for _ in range(50):
        meant = merged()
        shown = [row for row in rows(page) if row in meant]
        if shown == meant[:len(shown)]:
            return
        page.wait_for_timeout(100)
    wrong = next(index for index, pair in enumerate(zip(shown, meant)) if pair[0] != pair[1])
    place = shown.index(meant[wrong]) if meant[wrong] in shown else "nowhere"
    raise AssertionError(
        f"row {wrong} of {len(shown)} is {shown[wrong]}, not {meant[wrong]}, which is at {place}; "
        f"shown first {shown[:5]}, the server's {meant[:5]}")


def test_live_list(page: Page):
    page.goto(f"http://127.0.0.1:{PORT}/", wait_until="domcontentloaded")
    expect(page.locator("li.row").nth(20)).to_be_visible()
    expect(page.locator("li.day").first).to_be_visible()
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


def test_merged_order(page: Page):
    expect_merged(page)
    shown = rows(page)
    north = {quake["id"] for quake in served("minlatitude=0")}
    assert 5 < len(north & set(shown)) < len(shown) - 5, "only one of the feeds shows"
    days = page.locator("li.day h2").all_inner_texts()
    assert len(set(days)) == len(days) > 1


def test_scrolling_loads_more(page: Page):
    before = len(rows(page))
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    page.wait_for_function("count => document.querySelectorAll('li.row').length > count", arg=before)
    expect_merged(page)


def expect_recovery(page: Page, count: int):
    """Once the server is normal, the list is up to date by itself: nothing else is pressed."""
    page.click("button[data-mode=normal]")
    page.wait_for_function("count => document.querySelectorAll('li.row').length > count", arg=count)
    expect(page.locator("#banner")).to_be_hidden(timeout=10_000)
    expect(page.locator("#connection")).to_have_text("Live")
    expect(page.locator("#retry")).to_be_hidden()
    expect(page.locator("button[data-mode=normal]")).to_have_attribute("aria-pressed", "true")


def test_recovery(page: Page):
    """A failing server, and one that is gone, take no row away; the list recovers with the server."""
    for mode, message in [("failing", "The server is busy."), ("offline", "The server cannot be reached.")]:
        page.click(f"button[data-mode={mode}]")
        # The reader is told while the list goes on trying.
        expect(page.locator("#banner")).to_contain_text(message, timeout=10_000)
        expect(page.locator("#banner")).to_contain_text("Trying again")
        count = len(rows(page))
        page.evaluate("scrollTo(0, document.body.scrollHeight)")
        expect(page.locator("#footer")).to_contain_text(message)
        expect(page.locator("#connection")).to_have_text("Not up to date")
        page.wait_for_timeout(2500)
        assert len(rows(page)) == count, "a failure took rows away"
        page.screenshot(path=SHOTS / f"3-{mode}.png")
        expect_recovery(page, count)
    expect_merged(page)


def test_gap(page: Page):
    """After an absence longer than a page, the rows that are missing in between can be loaded.

    Both feeds miss some: that is one gap.
    """
    scroll_to_top(page)
    page.click("#away")
    gap = page.locator("li.row.gap button").first
    gap.wait_for(state="attached")
    # The reader is taken to it, and need not look for it.
    expect(gap).to_be_in_viewport()
    page.wait_for_function("document.querySelectorAll('#refresh[aria-busy=true]').length === 0")
    page.wait_for_timeout(1000)
    assert page.locator("li.row.gap").count() == 1
    expect(page.locator("li.row.gap p")).to_contain_text("Rows may be missing from")
    page.screenshot(path=SHOTS / "4-gap.png")
    click = "side => document.querySelector(`li.row.gap [data-side=${side}]`)?.click()"
    sides, clicks = ["above", "below"], 0
    while page.locator("li.row.gap").count() > 0:
        sides.reverse()
        page.evaluate(click, sides[0])
        clicks += 1
        page.wait_for_timeout(300)
        page.wait_for_function("!document.querySelector('li.row.gap[aria-busy=true]')")
    assert clicks > 2, "the gap was filled before anybody saw it being filled"
    expect_merged(page)


def test_search(page: Page):
    """Only rows that match show, as the server finds them."""
    scroll_to_top(page)
    search(page, "TUAL")
    expect_found(page, "tual")
    expect(page.locator("#status")).to_contain_text("for “TUAL”")
    expect(page.locator("#log li").first).to_contain_text("Search for “TUAL”: ")
    found = {quake["id"] for quake in served("q=tual")}
    assert set(rows(page)) <= found and 5 < len(rows(page))
    page.wait_for_timeout(500)
    page.screenshot(path=SHOTS / "8-search.png")


def test_old_rows_stay(page: Page):
    """The rows of the last search stay, and say so, until the new ones come in one update."""
    before = rows(page)
    page.click("button[data-mode=slow]")
    batches = page.evaluate("freshet.batches")
    search(page, "tobelo")
    expect(page.locator("#list")).to_have_attribute("aria-busy", "true")
    expect(page.locator("#status")).to_contain_text("Looking for “tobelo”")
    page.wait_for_timeout(500)
    assert rows(page) == before, "old rows went before the new ones were there"
    page.screenshot(path=SHOTS / "9-old-rows.png")
    expect(page.locator("#list")).to_have_attribute("aria-busy", "false", timeout=15_000)
    expect_found(page, "tobelo")
    assert page.evaluate("freshet.batches") == batches + 1, "the rows did not come in one update"


def test_clearing_search(page: Page, before: list[str]):
    """The list from before the search is there at once, however slow the server is."""
    page.get_by_role("searchbox").press("Escape")
    expect(page.locator("#log li").first).to_contain_text("Search cleared: ")
    page.wait_for_function(
        "count => document.querySelectorAll('li.row').length >= count", arg=len(before), timeout=1500)
    assert rows(page) == before
    expect(page.locator("#list")).to_have_attribute("aria-busy", "false")
    page.click("button[data-mode=normal]")


def test_nothing_found(page: Page):
    search(page, "nowhere at all")
    expect(page.locator("#empty p")).to_have_text("No place is called “nowhere at all”")
    expect(page.locator("#list li, #ghosts li")).to_have_count(0)
    search(page, "")
    expect(page.locator("li.row").nth(20)).to_be_visible()


def test_looks(page: Page):
    """Pictures of a phone, and of dark rooms."""
    for scheme in ["light", "dark"]:
        page.emulate_media(color_scheme=scheme)
        for name, size in [("phone", (390, 844)), ("desktop", (1180, 860))]:
            page.set_viewport_size({"width": size[0], "height": size[1]})
            page.wait_for_timeout(300)
            wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
            assert not wide, f"{name} scrolls sideways"
            page.screenshot(path=SHOTS / f"look-{name}-{scheme}.png")
    page.emulate_media(color_scheme="light")


def test_why(page: Page):
    """A row says what put it there."""
    page.evaluate("document.querySelector('li.row .place').click()")
    expect(page.locator("#log")).to_contain_text("It came with")


def test_star(page: Page):
    """A star shows at once, survives a refresh, and is sent once the server takes it."""
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
    expect(star).to_have_attribute("aria-pressed", "false")
    expect(page.locator("#unsent")).to_have_text("1 star not sent")
    expect(page.locator("#banner")).to_be_visible()
    page.screenshot(path=SHOTS / "6-star.png")
    page.click("button[data-mode=normal]")
    expect(page.locator("#banner")).to_be_hidden(timeout=10_000)
    expect(page.locator("#unsent")).to_be_empty(timeout=10_000)
    expect(star).to_have_attribute("aria-pressed", "false")


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
    page.wait_for_timeout(600)
    assert page.evaluate("scrollY") == 0, "the new rows are not in view"

    # A page that was closed further down leaves none waiting for the next one, which begins at the top.
    page.evaluate("scrollTo(0, 900)")
    page.wait_for_timeout(500)
    press(page, "/server/away/3")
    expect(page.locator("#new")).to_have_text("3 new")
    page.goto(page.url, wait_until="domcontentloaded")
    expect(page.locator("li.row").nth(20)).to_be_visible()
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
            for test in [test_live_list, test_merged_order, test_scrolling_loads_more,
                         test_recovery, test_gap]:
                run(test, page)
            before = rows(page)
            for test in [test_search, test_looks, test_old_rows_stay]:
                run(test, page)
            run(test_clearing_search, page, before)
            for test in [test_nothing_found, test_why, test_star, test_new_rows_wait]:
                run(test, page)
            page.wait_for_timeout(1000)
            shown = rows(page)
        with Demo(freshet, cache, "--no-server"):
            run(test_restart_without_server, page, shown)
        assert not errors, errors
    print("all passed")


if __name__ == "__main__":
    main(sys.argv[1])
