"""Holds the demo to what everybody can use: keys, screen readers, contrast, zoom, rest. make test-browser."""

import sys

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from demo import SHOTS, drive, press, rows, scroll_to_top

RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
SIZES = [(1440, 900), (1024, 768), (390, 844)]


def focused(page: Page) -> str:
    """What has the focus: an id, or the row it is in and the button's class."""
    return page.evaluate("""() => {
      const node = document.activeElement;
      const row = node.closest(".row");
      return row ? `${row.dataset.id} ${node.className || node.dataset.side}` : node.id || node.localName;
    }""")


def frames(page: Page):
    """Waits until the page has been laid out and drawn anew."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def read_on(page: Page, place: int):
    """Scrolls away from the head of the list: from the answer on, new rows wait."""
    with page.expect_response(lambda response: "/hold?" in response.url):
        page.evaluate("place => scrollTo(0, place)", place)


def settle(page: Page):
    """Waits until nothing moves: what fades is pale for a moment."""
    page.wait_for_function("""() => document.getAnimations()
      .every((animation) => animation.effect.getTiming().iterations === Infinity)""")


def expect_accessible(page: Page, state: str):
    """Nothing that axe knows to be wrong, contrast included, in light and dark, at three widths.

    Without motion: rows that leave while axe looks would be pale.
    """
    page.emulate_media(reduced_motion="reduce")
    for scheme in ["light", "dark"]:
        page.emulate_media(color_scheme=scheme)
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            frames(page)
            settle(page)
            answer = Axe().run(page, options=RULES).response
            assert len(answer["passes"]) > 20, "axe looked at nothing"
            found = answer["violations"]
            lines = [f"{entry['id']}: {node['html'][:120]}\n  {node['failureSummary']}"
                     for entry in found for node in entry["nodes"][:2]]
            assert not found, f"{state}, {scheme}, {width} px wide:\n" + "\n".join(lines)
            page.screenshot(path=SHOTS / f"access-{state}-{width}-{scheme}.png")
    page.emulate_media(color_scheme="light", reduced_motion="no-preference")
    page.set_viewport_size({"width": 1180, "height": 860})


def test_rows(page: Page):
    expect_accessible(page, "rows")


def test_landmarks(page: Page):
    """One of each: banner, search, main, complementary; headings of days in the list."""
    for role in ["banner", "search", "main", "complementary"]:
        expect(page.get_by_role(role)).to_have_count(1)
    expect(page.get_by_role("heading", level=1)).to_have_text("Earthquakes")
    assert page.get_by_role("main").get_by_role("heading", level=2).count() > 1
    items = page.get_by_role("list", name="Earthquakes, newest first").locator("> li")
    assert items.count() > 20
    names = page.get_by_role("main").get_by_role("button").evaluate_all(
        "buttons => buttons.map((button) => button.ariaLabel || button.innerText.trim())")
    assert all(names), "a button has no name"


def test_one_stop_for_the_list(page: Page):
    """Tab leads into the list once; arrows go on, as far as the rows go; tab leads to a row's star."""
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Tab")
    assert focused(page) == "skip"
    expect(page.locator("#skip")).to_be_in_viewport()
    page.keyboard.press("Enter")
    shown = rows(page)
    assert focused(page) == f"{shown[0]} place"
    for key, row in [("ArrowDown", 1), ("j", 2), ("k", 1), ("ArrowUp", 0), ("ArrowUp", 0)]:
        page.keyboard.press(key)
        assert focused(page) == f"{shown[row]} place", key
    page.keyboard.press("PageDown")
    assert rows(page).index(focused(page).split()[0]) > 5
    page.keyboard.press("Home")
    page.keyboard.press("Tab")
    assert focused(page) == f"{shown[0]} star"
    stops = page.locator("#list [tabindex='0']").count()
    assert stops == 2, f"the list takes {stops} stops of the tab key"


def test_focus_shows(page: Page):
    """What has the focus has an outline, and nothing stands before it, however far one goes."""
    page.locator("li.row .place").first.focus()
    for _ in range(16):
        page.keyboard.press("ArrowDown")
        seen = page.evaluate("""() => {
          const row = document.activeElement.closest(".row").getBoundingClientRect();
          const ring = getComputedStyle(document.activeElement, "::after").outlineStyle;
          const bar = document.getElementById("bar").getBoundingClientRect().bottom;
          return ring !== "none" && row.top >= bar && row.bottom <= innerHeight;
        }""")
        assert seen, f"the focus does not show: {focused(page)}"
    page.screenshot(path=SHOTS / "access-focus.png")
    for _ in range(16):
        page.keyboard.press("ArrowUp")
        covered = page.evaluate("""() => {
          const { top, left } = document.activeElement.getBoundingClientRect();
          return !document.elementFromPoint(left + 5, top + 5)?.closest(".row");
        }""")
        assert not covered, f"something stands before the focus: {focused(page)}"


def test_keys(page: Page):
    """A slash leads to the search, escape clears it and leaves; S stars, enter says why."""
    scroll_to_top(page)
    row = page.locator("li.row:not(.gap)").first
    row.locator(".place").focus()
    page.keyboard.press("s")
    expect(row.locator(".star")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("s")
    expect(row.locator(".star")).to_have_attribute("aria-pressed", "false")
    page.keyboard.press("Enter")
    expect(page.locator("#log")).to_contain_text("It came with")
    expect(page.locator("#announcer")).to_contain_text("It came with")
    page.keyboard.press("/")
    search = page.get_by_role("searchbox")
    expect(search).to_be_focused()
    page.keyboard.type("a/b")
    expect(search).to_have_value("a/b")
    page.keyboard.press("Escape")
    expect(search).to_have_value("")
    page.keyboard.press("Escape")
    expect(search).not_to_be_focused()
    expect(page.locator("li.row").nth(20)).to_be_visible()


def test_unsent(page: Page):
    """A star that is not sent says so in words, not by its colour alone, and keeps the focus."""
    scroll_to_top(page)
    press(page, "/server/mode/failing")
    row = page.locator("li.row:not(.gap)").first
    row.locator(".star").focus()
    page.keyboard.press("Enter")
    expect(row.get_by_text("not sent", exact=True)).to_be_visible()
    expect(row.get_by_role("button", name=", not sent")).to_be_focused()
    expect(page.locator("#announcer")).to_contain_text("1 star kept on disk")
    expect(page.locator("#status")).to_contain_text("1 star not sent")
    expect_accessible(page, "unsent")
    press(page, "/server/mode/normal")
    expect(row.get_by_text("not sent", exact=True)).to_be_hidden(timeout=15_000)
    expect(row.get_by_role("button", name=", not sent")).to_have_count(0)
    expect(page.locator("#announcer")).to_contain_text("The server has all stars")
    row.locator(".star").click()
    expect(row.locator(".star")).to_have_attribute("aria-pressed", "false")


def test_focus_survives_changes(page: Page):
    """Rows that come above a focused row leave the focus where it is; one that goes hands it on."""
    scroll_to_top(page)
    place = page.locator("li.row .place").nth(3)
    place.focus()
    before = focused(page)
    count = len(rows(page))
    press(page, "/server/away/2")
    page.wait_for_function("count => document.querySelectorAll('li.row').length !== count", arg=count)
    assert focused(page) == before
    # The row itself goes, as when a quake is withdrawn; then it is there again for the next test.
    next_row = page.evaluate("""async () => {
      const { keepingFocus } = await import("/keyboard.js");
      const row = document.activeElement.closest(".row");
      const rows = [...document.querySelectorAll("li.row")];
      const before = row.nextSibling;
      keepingFocus(() => row.remove());
      const heir = document.activeElement.closest(".row")?.dataset.id;
      before.before(row);
      return [heir, rows[rows.indexOf(row) + 1].dataset.id];
    }""")
    assert next_row[0] == next_row[1], "the focus was lost with its row"


def test_polite_news(page: Page):
    """New rows are told, and those that wait are counted, without taking the focus."""
    scroll_to_top(page)
    page.evaluate("document.getElementById('announcer').textContent = ''")
    press(page, "/server/away/1")
    expect(page.locator("#announcer")).to_contain_text("added")
    read_on(page, 900)
    press(page, "/server/away/3")
    expect(page.locator("#announcer")).to_contain_text("3 new rows above")
    expect(page.get_by_role("button", name="3 new")).to_be_visible()
    expect_accessible(page, "new")


def test_new_rows_cover_no_title(page: Page):
    """On a phone, the count of new rows stands beside the title of a day."""
    for scheme in ["light", "dark"]:
        page.emulate_media(color_scheme=scheme)
        for width in [390, 320, 600]:
            page.set_viewport_size({"width": width, "height": 844})
            frames(page)
            titles = page.evaluate("""() => {
              const left = document.getElementById("new").getBoundingClientRect().left;
              const range = document.createRange();
              return [...document.querySelectorAll(".day h2")].filter((title) => {
                range.selectNodeContents(title);
                const right = Math.min(range.getBoundingClientRect().right, title.getBoundingClientRect().right);
                return right > left;
              }).map((title) => title.textContent);
            }""")
            assert not titles, f"{width} px wide, {scheme}: the count covers {titles[:3]}"
            page.screenshot(path=SHOTS / f"access-count-{width}-{scheme}.png")
    page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": 1180, "height": 860})


def test_nothing_moves_under_the_reader(page: Page):
    """Rows that arrive above, and a gap that fills, leave what is read where it is: no layout shifts."""
    scroll_to_top(page)
    expect(page.locator("#new")).to_be_hidden()
    read_on(page, 1500)
    frames(page)
    settle(page)
    page.evaluate("""() => {
      const bar = document.getElementById("bar").getBoundingClientRect().bottom;
      const row = [...document.querySelectorAll("li.row")].find(
        (row) => row.getBoundingClientRect().top > bar + 100);
      Object.assign(window, { read: row.dataset.id, at: row.getBoundingClientRect().top, shifts: 0 });
      new PerformanceObserver((entries) => {
        for (const entry of entries.getEntries()) if (!entry.hadRecentInput) window.shifts += entry.value;
      }).observe({ type: "layout-shift" });
    }""")
    moved = """() => {
      const row = document.querySelector(`[data-id='${read}']`);
      return Math.abs(row.getBoundingClientRect().top - at);
    }"""
    press(page, "/server/away/3")
    expect(page.locator("#new")).to_be_visible()
    press(page, "/show")
    expect(page.locator("#new")).to_be_hidden()
    settle(page)
    assert page.evaluate(moved) < 1, f"rows above moved the reader's by {page.evaluate(moved)} px"
    press(page, "/server/mode/failing")
    expect(page.locator("#banner")).to_be_visible(timeout=30_000)
    frames(page)
    assert page.evaluate(moved) < 1, f"the banner moved the reader's row by {page.evaluate(moved)} px"
    press(page, "/server/mode/normal")
    press(page, "/retry")
    expect(page.locator("#banner")).to_be_hidden(timeout=30_000)
    assert page.evaluate(moved) < 1
    shifts = page.evaluate("shifts")
    assert shifts < 0.1, f"the layout shifted by {shifts}"


def test_trouble(page: Page):
    """A gap, and a failure in words for people, with a way on."""
    scroll_to_top(page)
    press(page, "/server/away/150")
    gap = page.locator("li.row.gap").first
    gap.wait_for(state="attached")
    press(page, "/server/mode/failing")
    banner = page.get_by_role("alert")
    expect(banner).to_be_visible(timeout=30_000)
    expect(banner).to_contain_text("The server is busy.")
    expect(page.get_by_role("button", name="Try now").first).to_be_visible()
    assert "http" not in banner.inner_text(), "an address is no news for people"
    expect(page.locator("#status")).to_contain_text("Not up to date")
    gap.scroll_into_view_if_needed()
    expect_accessible(page, "trouble")
    press(page, "/server/mode/normal")
    page.get_by_role("button", name="Try now").first.click()
    expect(banner).to_be_hidden(timeout=30_000)
    gap.get_by_role("button", name="Load from below").focus()
    page.keyboard.press("Enter")
    page.wait_for_function("() => !document.querySelector('li.row.gap[aria-busy=true]')")
    assert page.evaluate("!!document.activeElement.closest('li.row')"), "the focus was lost in the gap"


def test_empty(page: Page):
    """Nothing found says so, and offers the way back."""
    page.get_by_role("searchbox").fill("nowhere at all")
    # Until the answer is there the rows of the search before stay, pale.
    expect(page.locator("#list")).to_have_attribute("aria-busy", "false")
    expect(page.locator("#empty")).to_contain_text("No place is called")
    expect(page.locator("#empty")).to_be_visible()
    page.evaluate("document.activeElement.blur()")
    expect_accessible(page, "empty")
    page.get_by_role("button", name="Show all earthquakes").click()
    expect(page.get_by_role("searchbox")).to_be_focused()
    expect(page.locator("li.row").nth(20)).to_be_visible()


def test_zoom(page: Page):
    """At 200 and 400 per cent, and with text twice as large, nothing scrolls sideways and rows have room."""
    scroll_to_top(page)
    press(page, "/server/away/20")
    page.locator(".revised:visible").first.wait_for()  # the widest rows
    for width, height, text in [(720, 450, 1), (320, 256, 1), (1440, 900, 2), (390, 844, 2)]:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("text => document.documentElement.style.fontSize = `${text * 100}%`", text)
        frames(page)
        wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        if wide > 0:
            out = page.evaluate("""() => [...document.querySelectorAll("body *")].filter((node) =>
              node.getBoundingClientRect().right > innerWidth + 1).map((node) => node.outerHTML.slice(0, 80))""")
            raise AssertionError(f"{width} by {height}, text {text}: {wide} px stand out, {out[:4]}")
        page.evaluate("scrollTo(0, 1200)")
        frames(page)
        room = page.evaluate("""() => {
          const bottom = Math.max(0, document.getElementById("bar").getBoundingClientRect().bottom);
          return (innerHeight - bottom) / innerHeight;
        }""")
        assert room >= 0.7, f"{width} by {height}, text {text}: the bar leaves {room:.0%} to the rows"
        page.screenshot(path=SHOTS / f"access-zoom-{width}-{text}.png")
        page.evaluate("scrollTo(0, 0)")
    page.evaluate("document.documentElement.style.fontSize = ''")
    page.set_viewport_size({"width": 1180, "height": 860})


def test_rest(page: Page):
    """Who asks for less motion sees none: no row slides, nothing turns, the top is there at once."""
    page.emulate_media(reduced_motion="reduce")
    scroll_to_top(page)
    page.evaluate("""() => {
      window.moving = [];
      const animate = Element.prototype.animate;
      Element.prototype.animate = function (frames, options) {
        const names = [frames].flat().flatMap((frame) => Object.keys(frame));
        moving.push(...names.filter((name) => ["transform", "opacity", "zIndex"].includes(name)));
        return animate.call(this, frames, options);
      };
    }""")
    count = len(rows(page))
    press(page, "/server/away/2")
    page.wait_for_function("count => document.querySelectorAll('li.row').length !== count", arg=count)
    page.wait_for_timeout(500)
    assert page.evaluate("moving") == []
    running = page.evaluate("document.getAnimations().filter((a) => a.animationName).length")
    assert running == 0
    page.emulate_media(reduced_motion="no-preference")


if __name__ == "__main__":
    drive(sys.argv[1], [
        test_rows, test_landmarks, test_one_stop_for_the_list, test_focus_shows, test_keys,
        test_unsent, test_focus_survives_changes, test_polite_news, test_new_rows_cover_no_title,
        test_nothing_moves_under_the_reader, test_trouble, test_empty, test_zoom, test_rest,
    ], "--paused")
