"""Stars: kept while offline, sent once, the same in two lists and in two windows. make test-browser."""

import subprocess
import sys
import tempfile
import urllib.request

from playwright.sync_api import Locator, Page, expect, sync_playwright

from demo import PORT, SHOTS, Demo, expect_found, press, received, run, search, served, star_elsewhere


def open_page(page: Page):
    page.goto(f"http://127.0.0.1:{PORT}/", wait_until="domcontentloaded")
    page.locator("li.row").nth(20).wait_for()
    page.locator("#strong li").nth(2).wait_for()


def rows_of(page: Page, quake: str) -> list[Locator]:
    """The quake's row in the list, and the one among the strong quakes."""
    return [page.locator(f"#list [data-id='{quake}']"), page.locator(f"#strong [data-id='{quake}']")]


def strong_quake(page: Page) -> str:
    """A quake that is in both lists of the page."""
    return page.evaluate("""() => [...document.querySelectorAll("#strong [data-id]")]
      .map((row) => row.dataset.id).find((id) => document.querySelector(`#list [data-id="${id}"]`))""")


def click_star(row: Locator):
    """Returns once the star is on disk."""
    with row.page.expect_response("**/star/**"):
        row.locator(".star").click()


def expect_star(row: Locator, is_starred: bool, is_sent: bool):
    """Shows a star, and whether it is sent, to those who look and to those who listen."""
    star = row.locator(".star")
    expect(star).to_have_attribute("aria-pressed", str(is_starred).lower())
    note = row.get_by_text("not sent", exact=True)
    if is_sent:
        expect(note).to_be_hidden()
    else:
        expect(note).to_be_visible()
        assert star.get_attribute("aria-label").endswith(", not sent")


def expect_all_sent(page: Page):
    expect(page.locator("#unsent")).to_be_empty(timeout=15_000)
    expect(page.locator("#log")).to_contain_text("The server has all stars")


def starred() -> set[str]:
    return {quake["id"] for quake in served("") if quake["properties"]["starred"]}


def test_starred_offline(page: Page) -> str:
    """A star that cannot be sent is on screen, marked and counted."""
    open_page(page)
    quake = strong_quake(page)
    page.click("button[data-mode=offline]")
    click_star(rows_of(page, quake)[0])
    for row in rows_of(page, quake):
        expect_star(row, True, is_sent=False)
    expect(page.locator("#unsent")).to_have_text("1 star not sent")
    expect(page.locator("#announcer")).to_contain_text("1 star kept on disk")
    page.screenshot(path=SHOTS / "stars-offline.png")
    return quake


def test_sent_once_after_a_restart(page: Page, quake: str):
    """The star is there before the server is, and is sent once: by its key, not by luck."""
    open_page(page)
    for row in rows_of(page, quake):
        expect_star(row, True, is_sent=False)
    expect(page.locator("#unsent")).to_have_text("1 star not sent")
    page.screenshot(path=SHOTS / "stars-restarted.png")
    page.click("button[data-mode=normal]")
    expect_all_sent(page)
    for row in rows_of(page, quake):
        expect_star(row, True, is_sent=True)
    page.wait_for_timeout(3500)  # longer than the wait for another attempt
    assert [(star["quake"], star["isStarred"], star["times"]) for star in received()] == [(quake, True, 1)]
    expect(page.locator("#requests")).to_contain_text(", 1 star")
    assert starred() == {quake}


def test_two_lists(page: Page, quake: str):
    """A star in one list shows in the other while nobody answers; starred in both at once, it is one star."""
    in_list, in_strong = rows_of(page, quake)
    page.click("button[data-mode=offline]")
    for row, is_starred in [(in_strong, False), (in_list, True), (in_strong, False)]:
        click_star(row)
        for shown in in_list, in_strong:
            expect_star(shown, is_starred, is_sent=False)
    page.click("button[data-mode=normal]")
    expect_all_sent(page)
    expect_star(in_list, False, is_sent=True)
    before = len(received())
    # Both buttons in one turn, online.
    page.evaluate("""quake => {
      for (const row of document.querySelectorAll(`[data-id="${quake}"]`)) row.querySelector(".star").click();
    }""", quake)
    for row in in_list, in_strong:
        expect_star(row, True, is_sent=True)
    wait_until(page, lambda: quake in starred())
    expect(page.locator("#unsent")).to_be_empty(timeout=15_000)
    stars = received()
    assert before < len(stars) <= before + 2, f"{len(stars) - before} stars were sent for two clicks"
    assert all(star["times"] == 1 for star in stars), stars


def wait_until(page: Page, is_so):
    for _ in range(100):
        if is_so():
            return
        page.wait_for_timeout(100)
    raise AssertionError("it did not come to be so")


def test_two_windows(page: Page, quake: str):
    """A star in one window shows in another one, and in the results of its search."""
    other = page.context.browser.new_page(viewport=page.viewport_size)
    open_page(other)
    place = page.locator(f"#list [data-id='{quake}'] .place").inner_text().split(",")[0].lower()
    search(other, place)
    expect_found(other, place)
    expect(other.locator("#list")).to_have_attribute("aria-busy", "false")
    page.click("button[data-mode=offline]")
    click_star(rows_of(page, quake)[0])
    for window in page, other:
        for row in rows_of(window, quake):
            expect_star(row, False, is_sent=False)
        expect(window.locator("#unsent")).to_have_text("1 star not sent")
    click_star(rows_of(other, quake)[0])
    for row in rows_of(page, quake):
        expect_star(row, True, is_sent=False)
    page.click("button[data-mode=normal]")
    for window in page, other:
        expect_all_sent(window)
        for row in rows_of(window, quake):
            expect_star(row, True, is_sent=True)
    assert all(star["times"] == 1 for star in received())
    assert starred() == {quake}
    other.close()


def test_learned_by_one_list(page: Page, quake: str):
    """A star that another client gave shows in both lists once one of them is refreshed."""
    open_page(page)
    expect(page.locator("#connection")).to_have_text("Live")
    before = quake in starred()
    for is_starred in not before, before:
        star_elsewhere(quake, is_starred)
        press(page, "/refresh")
        for row in rows_of(page, quake):
            expect_star(row, is_starred, is_sent=True)


def test_rejected(page: Page):
    """A star of a quake that the server does not have is taken back, with a reason."""
    press(page, "/star/nowhere/true")
    expect(page.locator("#log")).to_contain_text("The star was taken back. What you changed is no longer there.")
    expect(page.locator("#unsent")).to_be_empty()


def test_inspect(freshet: str, cache: str, quake: str):
    """The outbox on disk can be looked into while the demo runs, and --fresh empties it."""
    def outbox() -> list[str]:
        lines = subprocess.run([freshet, "inspect", cache], capture_output=True, text=True, check=True).stdout
        return lines[lines.index("outbox\n"):].splitlines()

    with Demo(freshet, cache, "--paused", "--offline"):
        star = urllib.request.Request(f"http://127.0.0.1:{PORT}/star/{quake}/false", method="POST")
        urllib.request.urlopen(star).read()
        assert outbox()[1].startswith("  1 pending, 0 failed, "), outbox()
        assert "pending  Star of Quake  " in outbox()[3], outbox()
    with Demo(freshet, cache, "--paused", "--offline", "--fresh"):
        assert outbox()[1].startswith("  0 pending, 0 failed, "), outbox()


def main(freshet: str):
    SHOTS.mkdir(exist_ok=True)
    cache = tempfile.mkdtemp()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1180, "height": 860})
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        with Demo(freshet, cache, "--paused"):
            quake = test_starred_offline(page)
            print("passed: test_starred_offline", flush=True)
        with Demo(freshet, cache, "--paused", "--offline"):
            for test in [test_sent_once_after_a_restart, test_two_lists, test_two_windows]:
                run(test, page, quake)
            run(test_rejected, page)
        # The lists refresh once when the page opens, and not again by themselves.
        with Demo(freshet, cache, "--paused", "--pace", "10m"):
            run(test_learned_by_one_list, page, quake)
        run(test_inspect, freshet, cache, quake)
        assert not errors, errors
    print("all passed")


if __name__ == "__main__":
    main(sys.argv[1])
