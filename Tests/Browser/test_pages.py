"""Several pages of one demo, and small ones: make test-browser."""

import sys

from playwright.sync_api import Page, expect

from demo import SHOTS, drive, expect_found, press, rows, scroll_to_top, search


def test_pages_are_apart(page: Page):
    """What one page searches for, and how far down it is, leaves another page alone."""
    scroll_to_top(page)
    expect(page.locator("#list")).to_have_attribute("aria-busy", "false")
    before = rows(page)
    other = page.context.browser.new_page(viewport=page.viewport_size)
    other.goto(page.url, wait_until="domcontentloaded")
    other.locator("li.row").nth(20).wait_for()
    # Its rows are shared: they were not read from disk again.
    expect(other.locator("#log li").last).to_contain_text("From memory: ")
    expect(other.locator("#count")).not_to_contain_text("cached")
    search(other, "tual")
    expect_found(other, "tual")
    found = rows(other)
    page.wait_for_timeout(500)
    assert rows(page) == before, "the search of another page changed the list"
    assert page.get_by_role("searchbox").input_value() == ""
    search(page, "tobelo")
    expect_found(page, "tobelo")
    assert rows(other) == found
    search(page, "")
    # New rows show at the top of one page while another one is read further down.
    search(other, "")
    other.locator("li.row").nth(20).wait_for()
    other.evaluate("scrollTo(0, 900)")
    other.wait_for_timeout(300)
    first = rows(page)[0]
    press(page, "/server/away/3")
    page.wait_for_function("first => document.querySelector('li.row').dataset.id !== first", arg=first)
    expect(page.locator("#new")).to_be_hidden()
    other.close()


def set_hidden(page: Page, hidden: bool):
    """Does what a browser does with a tab that is put behind others, or in front of them."""
    page.evaluate("""hidden => {
      Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
      document.dispatchEvent(new Event("visibilitychange"));
    }""", hidden)


# Hands the first batch of each stream on in two: some of its rows, as one part of the list has them, then the others.
IN_TWO_BATCHES = """
  const listen = EventSource.prototype.addEventListener;
  EventSource.prototype.addEventListener = function (name, handle) {
    listen.call(this, name, (event) => {
      const batch = name === "update" ? JSON.parse(event.data) : {};
      if (batch.number !== 1) return handle(event);
      const isLater = ({ op, path }) => op === "insert" && path[1] % 8 !== 0;
      const first = batch.changes.filter((change) => !isLater(change)).map((change) =>
        change.op === "insert" ? { ...change, path: [change.path[0], change.path[1] / 8] } : change);
      const later = batch.changes.filter(isLater);
      for (const changes of [first, later]) handle({ data: JSON.stringify({ ...batch, changes }) });
    });
  };
"""


def test_hidden_pages_leave_connections_to_others(page: Page):
    """A browser has six connections to a server: pages that are out of sight do not keep them."""
    # Pages of one context share their connections, as those of one browser do.
    context = page.context.browser.new_context(viewport=page.viewport_size)
    context.add_init_script(IN_TWO_BATCHES)
    others = []
    for number in range(8):
        other = context.new_page()
        other.goto(page.url, wait_until="commit", timeout=20_000)
        other.locator("li.row").nth(20).wait_for(timeout=20_000)
        if number == 0:
            search(other, "indonesia")
            expect_found(other, "indonesia")
            other.evaluate("scrollTo(0, 300)")
            other.wait_for_timeout(500)
        set_hidden(other, True)
        others.append(other)
    first, found = others[0], rows(others[0])
    # It is where it was, live, and holds new rows back as before.
    with first.expect_request("**/hold?*"):
        set_hidden(first, False)
    expect(first.locator("#connection")).to_have_text("Live")
    first.wait_for_timeout(1000)
    expect_found(first, "indonesia")
    assert rows(first) == found
    assert first.evaluate("scrollY") == 300
    context.close()


def on_phone(page: Page, width: int = 390):
    page.set_viewport_size({"width": width, "height": 844})
    scroll_to_top(page)


def test_rows_come_first_on_a_phone(page: Page):
    """The controls are folded away below the list, and say how the server behaves."""
    on_phone(page)
    top = page.locator("li.row").first.bounding_box()["y"]
    assert top < 844 / 5, f"the first row begins at {top} px"
    expect(page.locator("button[data-mode=failing]")).to_be_hidden()
    sheet = page.get_by_role("button", name="Server: normal")
    sheet.click()
    expect(sheet).to_have_attribute("aria-expanded", "true")
    page.click("button[data-mode=failing]")
    expect(page.locator("#banner")).to_be_visible(timeout=10_000)
    page.screenshot(path=SHOTS / "phone-sheet.png")
    page.get_by_role("button", name="Server: failing").click()
    expect(page.locator("button[data-mode=normal]")).to_be_hidden()
    page.get_by_role("button", name="Server: failing").click()
    page.click("button[data-mode=normal]")
    page.get_by_role("button", name="Server: normal").click()
    expect(page.locator("#banner")).to_be_hidden(timeout=10_000)
    expect(page.get_by_role("button", name="Server: normal")).to_be_visible()


def test_depth_shows_on_a_phone(page: Page):
    """The depth of a quake is not cut off, revised or not."""
    press(page, "/server/away/20")
    page.locator(".revised:visible").first.wait_for()
    for width in [390, 360, 320]:
        on_phone(page, width)
        cut = page.evaluate("""() => [...document.querySelectorAll(".row .details")]
          .filter((node) => node.scrollWidth > node.clientWidth).map((node) => node.textContent)""")
        assert not cut, f"{width} px wide: {cut[:3]}"
        page.screenshot(path=SHOTS / f"phone-{width}.png")
    page.set_viewport_size({"width": 1180, "height": 860})


if __name__ == "__main__":
    drive(sys.argv[1], [
        test_pages_are_apart, test_hidden_pages_leave_connections_to_others, test_rows_come_first_on_a_phone, test_depth_shows_on_a_phone,
    ], "--paused")
