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
        test_pages_are_apart, test_rows_come_first_on_a_phone, test_depth_shows_on_a_phone,
    ], "--paused")
