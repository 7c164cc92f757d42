"""A million rows: the scroll bar, jumps and live changes, judged by the database itself. make test-browser."""

import pathlib
import random
import sqlite3
import sys
import tempfile

from playwright.sync_api import Page, expect, sync_playwright

from demo import PORT, SHOTS, Demo, run
from test_access import expect_accessible, frames

COUNT = 1_000_000
ORDER = "ORDER BY time DESC, id DESC"


def open_page(page: Page):
    page.goto(f"http://127.0.0.1:{PORT}/archive.html", wait_until="domcontentloaded")
    # The first visit creates the table.
    page.locator("#rows .place").nth(5).wait_for(timeout=120_000)


def shown(page: Page) -> list[dict]:
    """The rows on screen from top to bottom, once all of them are loaded and drawn."""
    frames(page)
    page.wait_for_function("() => !document.querySelector('#rows .missing')")
    rows = page.evaluate("""() => [...document.querySelectorAll("#rows .row")].map((row) => ({
      index: Number(row.ariaPosInSet) - 1, id: row.quake?.id, magnitude: row.quake?.magnitude,
      top: row.getBoundingClientRect().top }))""")
    # Screen readers read them in the order of the page.
    assert rows == sorted(rows, key=lambda row: row["index"])
    return rows


def expect_rows(page: Page, database: sqlite3.Connection) -> list[dict]:
    """The rows on screen are those that the database has at these indices."""
    rows = shown(page)
    assert len(rows) > 8, rows
    first = rows[0]["index"]
    assert [row["index"] for row in rows] == list(range(first, first + len(rows)))
    true = database.execute(
        f"SELECT id, magnitude FROM quake {ORDER} LIMIT ? OFFSET ?", (len(rows), first)).fetchall()
    assert [(row["id"], row["magnitude"]) for row in rows] == true, f"not the rows from {first} on"
    tops = [row["top"] for row in rows]
    assert all(abs(next - top - 64) < 1 for top, next in zip(tops, tops[1:])), tops
    return rows


def drag(page: Page, part: float):
    """Drags the scroll bar to a part of its way."""
    page.evaluate("""part => {
      const box = document.getElementById("scroller");
      box.scrollTop = part * (box.scrollHeight - box.clientHeight);
    }""", part)
    page.wait_for_timeout(50)


def part(page: Page) -> float:
    """The part of its way at which the scroll bar is, once it does not move."""
    page.wait_for_timeout(300)
    return page.evaluate("""() => {
      const box = document.getElementById("scroller");
      return box.scrollTop / (box.scrollHeight - box.clientHeight);
    }""")


def test_beginning(page: Page, database: sqlite3.Connection):
    """The list begins with its newest row, and knows how long it is."""
    assert expect_rows(page, database)[0]["index"] == 0
    expect(page.locator("#place")).to_have_text("1 of about 1,000,000")
    assert database.execute("SELECT count(*) FROM quake").fetchone() == (COUNT,)
    page.screenshot(path=SHOTS / "archive.png")


def test_scroll_bar(page: Page, database: sqlite3.Connection):
    """Each place of the scroll bar is about as great a part of the list, and shows the rows there."""
    rng = random.Random(1)
    for goal in [0.5, 1, 0.25, 0, *[rng.random() for _ in range(25)]]:
        drag(page, goal)
        rows = expect_rows(page, database)
        place = rows[0]["index"] / (COUNT - len(rows))
        assert abs(place - goal) < 0.0005, f"{place} of the list at {goal} of the bar"
        assert abs(part(page) - place) < 0.0005
    assert database.execute("SELECT count(*) FROM quake").fetchone() == (COUNT,)


def test_small_steps(page: Page, database: sqlite3.Connection):
    """A wheel and keys scroll row by row, wherever that is; Home and End lead to the ends."""
    drag(page, 0.3)
    first = expect_rows(page, database)[0]["index"]
    page.mouse.move(500, 500)
    for distance in [640, 640, -320, 1280, -2560]:
        page.mouse.wheel(0, distance)
        page.wait_for_timeout(400)
        now = expect_rows(page, database)[0]["index"]
        assert abs(now - first - distance / 64) <= 1, f"{now - first} rows for {distance} pixels"
        first = now
    page.locator("#scroller").focus()
    page.keyboard.press("PageDown")
    page.wait_for_timeout(400)
    assert 5 < expect_rows(page, database)[0]["index"] - first < 14
    page.keyboard.press("End")
    assert expect_rows(page, database)[-1]["index"] == COUNT - 1
    page.keyboard.press("Home")
    assert expect_rows(page, database)[0]["index"] == 0
    # A wheel reaches both ends, to the pixel.
    for place, distance, row in [(0.00005, -200, 0), (0.99995, 200, -1)]:
        drag(page, place)
        for _ in range(30):
            page.mouse.wheel(0, distance)
            page.wait_for_timeout(40)
        page.wait_for_timeout(300)
        rows = expect_rows(page, database)
        assert rows[row]["index"] == (0 if row == 0 else COUNT - 1)
        box = page.evaluate("""() => {
          const { top, bottom } = document.getElementById("scroller").getBoundingClientRect();
          return { top, bottom };
        }""")
        edge = rows[0]["top"] - box["top"] if row == 0 else rows[-1]["top"] + 64 - box["bottom"]
        assert abs(edge) < 1, f"{edge} pixels are missing at row {rows[row]['index']}"


def test_day(page: Page, database: sqlite3.Connection):
    """A jump to a day shows its last quake first."""
    page.get_by_label("Go to").fill("1984-05-01")
    page.get_by_role("button", name="Go", exact=True).click()
    page.wait_for_function("() => document.getElementById('rows').innerText.includes('1 May 1984')")
    first = expect_rows(page, database)[0]["id"]
    (true,) = database.execute(
        f"SELECT id FROM quake WHERE time < 1000 * unixepoch('1984-05-02') {ORDER}").fetchone()
    assert first == true
    page.get_by_label("Go to").fill("1900-01-01")
    page.keyboard.press("Enter")
    page.wait_for_timeout(300)
    assert expect_rows(page, database)[-1]["index"] == COUNT - 1


def test_memory(page: Page):
    """After all of that, a few screens are in memory."""
    count = int(page.locator("#loaded").inner_text().split()[0])
    assert count <= 700, f"{count} rows in memory"
    assert "MB" in page.locator("#memory").inner_text()


def test_changes(page: Page, database: sqlite3.Connection):
    """Live changes show on screen, and the rows stay those of the table."""
    drag(page, 0.6)
    shown(page)
    button = page.get_by_role("button", name="Live changes")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    page.locator("#rows .fresh").nth(2).wait_for()
    page.screenshot(path=SHOTS / "archive-changes.png")
    for goal in [0.2, 0.8, 0.6]:
        drag(page, goal)
        page.locator("#rows .fresh").first.wait_for()
    page.wait_for_timeout(3000)
    button.click()
    expect(button).to_have_attribute("aria-pressed", "false")
    page.wait_for_timeout(1500)
    rows = shown(page)
    # Rows that were inserted or removed above make the indices estimates; the rows are certain.
    true = database.execute(
        f"""SELECT id, magnitude FROM quake WHERE (time, id) <= (SELECT time, id FROM quake WHERE id = ?)
            {ORDER} LIMIT ?""", (rows[0]["id"], len(rows))).fetchall()
    assert [(row["id"], row["magnitude"]) for row in rows] == true
    assert database.execute("SELECT max(id) FROM quake").fetchone()[0] > COUNT


def test_access(page: Page):
    """Rows have their numbers in the list, which keys reach and scroll."""
    shown(page)
    row = page.locator("#rows .row").first
    assert int(row.get_attribute("aria-setsize")) >= COUNT - 100
    assert int(row.get_attribute("aria-posinset")) > 1
    expect_accessible(page, "archive")


def test_restart(page: Page):
    """A page whose demo was stopped and started is where it was."""
    page.wait_for_function("() => document.body.dataset.health === 'good'", timeout=20_000)
    page.wait_for_function(
        """count => [...document.querySelectorAll("#rows .row")].some((row) => row.ariaPosInSet > count)""",
        arg=COUNT / 2, timeout=20_000)
    assert shown(page)[0]["index"] > COUNT / 2


def main(freshet: str):
    SHOTS.mkdir(exist_ok=True)
    folder = tempfile.mkdtemp()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1180, "height": 860})
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        with Demo(freshet, folder, "--paused"):
            open_page(page)
            file = next(pathlib.Path(folder).rglob("archive/quakes.sqlite"))
            database = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
            for test in [test_beginning, test_scroll_bar, test_small_steps, test_day]:
                run(test, page, database)
            run(test_memory, page)
            run(test_changes, page, database)
            run(test_access, page)
            database.close()
            drag(page, 0.6)
        expect(page.locator("#place")).to_have_text("The demo has stopped")
        with Demo(freshet, folder, "--paused"):
            run(test_restart, page)
        assert not errors, errors
    print("8 passed, 0 failed")


if __name__ == "__main__":
    main(sys.argv[1])
