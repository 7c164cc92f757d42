"""Every convention of paging, with the styles that fit and with all others: make test-peers

No list is ever said to end with rows missing (rule T8).
"""

import pytest

from conventions import CONVENTIONS, IDS, PAGE, Convention, ConventionServer
from freshet import Freshet, Run

# What people try first, whatever the server does.
STYLES = ["auto", "link", "page", "offset", "next:/next", "next:/links/next", "links", "header:Next-Page",
          "cursor:/next_cursor:cursor", "cursor:/next_cursor:cursor:/has_more",
          "last:/id:starting_after", "last:/id:starting_after:/has_more"]

# Far more than any style needs for twenty pages, thirties and short ones included.
MOST_REQUESTS = 150


@pytest.fixture(scope="module")
def server():
    with ConventionServer() as server:
        yield server


def every_convention(conventions=CONVENTIONS):
    return pytest.mark.parametrize("convention", conventions, ids=lambda convention: convention.name)


def watch(freshet: Freshet, server: ConventionServer, convention: Convention, style: str) -> Run:
    server.requests.clear()
    query = f"?{convention.query}" if convention.query else ""
    return freshet.watch(f"{server.url}/{convention.name}{query}", style, "--no-cache",
                         *convention.options, size=PAGE, timeout=60)


def is_whole(run: Run) -> bool:
    return run.ids == IDS


@every_convention([convention for convention in CONVENTIONS if convention.fits])
def test_a_style_that_fits_brings_all_rows(convention, freshet, server):
    failures = []
    for style in convention.fits:
        run = watch(freshet, server, convention, style)
        if not (run.exit == 0 and run.next == "end" and is_whole(run)):
            failures.append(f"{style}: {run}")
        elif len(server.requests) > MOST_REQUESTS:
            failures.append(f"{style}: {len(server.requests)} requests")
    assert not failures, "\n".join(failures)


@every_convention([convention for convention in CONVENTIONS if convention.seen])
def test_no_style_says_end_with_rows_missing(convention, freshet, server):
    failures = []
    for style in STYLES:
        # Nobody can tell that a list begins before the page it was said to begin with, unless it says so.
        if convention.name == "discourse" and style.startswith("page"):
            continue
        run = watch(freshet, server, convention, style)
        if (run.exit == 0 or run.next == "end") and not is_whole(run):
            failures.append(f"{style}: {run}")
        elif len(server.requests) > MOST_REQUESTS:
            failures.append(f"{style}: {len(server.requests)} requests")
        elif run.exit != 0 and len(run.errors.strip().splitlines()) != 1:
            failures.append(f"{style}: one line should say what is wrong: {run}")
    assert not failures, "\n".join(failures)


@every_convention([convention for convention in CONVENTIONS if convention.seen])
def test_auto_reads_the_list_or_says_what_it_saw_and_what_to_try(convention, freshet, server):
    run = watch(freshet, server, convention, "auto")
    if run.exit == 0:
        assert is_whole(run), str(run)
        return
    said = run.errors.lower()
    assert any(word in said for word in convention.seen), f"it does not say what it saw: {run}"
    kinds = {style.split(":")[0] for style in convention.fits} - {"auto"}
    assert not kinds or any(kind in said for kind in kinds), f"it says none of {kinds}: {run}"
