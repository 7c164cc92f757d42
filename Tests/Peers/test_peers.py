"""`freshet watch` against servers that nobody here wrote: make test-peers"""

import dataclasses
import pathlib
from typing import Callable

import pytest

import servers
from freshet import Freshet, Run
from proxy import Proxy
from table import ROWS, WRITES, Table, Writer

PAGE = 100
PAGES = ROWS // PAGE


@dataclasses.dataclass
class List:
    """A list that a server serves, and how it is read."""

    name: str
    server: Callable[[pathlib.Path], servers.Server]
    path: str
    paging: str
    # Whether the key of a page is a place in the list, which rows in the middle do not shift.
    is_keyset: bool = False
    # Whether the server itself tells versions of a page apart.
    has_etags: bool = False

    @property
    def looks_back(self) -> bool:
        """Whether pages are counted and do not overlap: as ids have holes, each seam takes a second look."""
        return not self.is_keyset and not self.paging.startswith("offset")

    def watch(self, freshet: Freshet, proxy: Proxy, *options: str) -> Run:
        return freshet.watch(proxy.url + self.path, self.paging, *options, size=PAGE)


DATASETTE = "/posts/posts.json?_shape=objects&_size=100&_sort_desc=id"
DATASETTE_ARRAY = "/posts/posts.json?_shape=array&_size=100&_sort_desc=id"

LISTS = [
    List("datasette", servers.datasette, DATASETTE, "auto", is_keyset=True),
    List("datasette", servers.datasette, DATASETTE, "next:/next_url", is_keyset=True),
    List("datasette", servers.datasette, DATASETTE, "cursor:/next:_next", is_keyset=True),
    List("datasette-array", servers.datasette, DATASETTE_ARRAY, "auto", is_keyset=True),
    List("datasette-array", servers.datasette, DATASETTE_ARRAY, "link", is_keyset=True),
    List("drf-page", servers.django, "/page/", "auto", has_etags=True),
    List("drf-page", servers.django, "/page/", "next:/next", has_etags=True),
    List("drf-page", servers.django, "/page/", "page:page:1:page_size", has_etags=True),
    List("drf-offset", servers.django, "/offset/", "auto", has_etags=True),
    List("drf-offset", servers.django, "/offset/", "next:/next", has_etags=True),
    List("drf-offset", servers.django, "/offset/", "offset", has_etags=True),
    List("drf-cursor", servers.django, "/cursor/", "auto", is_keyset=True, has_etags=True),
    List("drf-cursor", servers.django, "/cursor/", "next:/next", is_keyset=True, has_etags=True),
    List("drf-jsonapi-page", servers.django, "/jsonapi/page/", "auto", has_etags=True),
    List("drf-jsonapi-page", servers.django, "/jsonapi/page/", "links:/links", has_etags=True),
    List("drf-jsonapi-page", servers.django, "/jsonapi/page/", "page:page[number]:1:page[size]",
         has_etags=True),
    List("drf-jsonapi-offset", servers.django, "/jsonapi/offset/", "next:/links/next", has_etags=True),
    List("drf-jsonapi-offset", servers.django, "/jsonapi/offset/", "offset:page[offset]:page[limit]",
         has_etags=True),
    List("fastapi-page", servers.fastapi, "/page?size=100", "page:page:1:size"),
    List("fastapi-offset", servers.fastapi, "/offset", "offset"),
    List("fastapi-cursor", servers.fastapi, "/cursor?size=100", "cursor:/next_page:cursor", is_keyset=True),
]


def name(list: List) -> str:
    return f"{list.name}-{list.paging}"


def every_list(test):
    return pytest.mark.parametrize("list", LISTS, ids=name)(test)


def assert_is_table(run: Run, table: Table, proxy: Proxy):
    asked = "\n".join(f"{exchange.status} {exchange.target}" for exchange in proxy.exchanges)
    assert run.exit == 0 and run.next == "end" and run.gaps == 0, f"{run}\n{asked}"
    expected = table.ids()
    missing, doubled = set(expected) - set(run.ids), len(run.ids) - len(set(run.ids))
    assert run.ids == expected, f"{run}, {len(missing)} missing, {doubled} doubled\n{asked}"


@every_list
def test_the_list_is_the_table_in_as_many_requests_as_its_proofs(list, freshet, table):
    with list.server(table.path) as server, Proxy(server.port) as proxy:
        run = list.watch(freshet, proxy)
        assert_is_table(run, table, proxy)
        # One more may prove that nothing follows, or that two pages meet.
        targets = [exchange.target for exchange in proxy.exchanges]
        assert PAGES <= len(set(targets)) <= PAGES + 1
        assert len(targets) == (2 * PAGES - 1 if list.looks_back else len(set(targets)))


@every_list
def test_the_list_holds_what_was_there_throughout_and_becomes_the_table(list, freshet, table, seed):
    writer = Writer(table, seed, everywhere=list.is_keyset)
    with list.server(table.path) as server, Proxy(server.port) as proxy:
        proxy.before = writer.write
        run = list.watch(freshet, proxy)
        assert run.exit == 0 and run.next == "end", str(run)
        assert len(set(run.ids)) == len(run.ids), "a row shows twice"
        assert not writer.there_throughout - set(run.ids), "a row is missing that was never gone"
        # Rows come newest first, whatever came between.
        assert run.ids == sorted(run.ids, key=int, reverse=True)
        # A page costs itself and a look at the page above; a write between costs both of them once more.
        targets = [exchange.target for exchange in proxy.exchanges]
        written = WRITES - writer.writes
        assert len(targets) <= 2 * len(set(targets)) + 2 * written, "writes cost more than they may"

        proxy.before = lambda number: None
        assert_is_table(list.watch(freshet, proxy, "--refresh", "all"), table, proxy)


@every_list
def test_an_unchanged_refresh_is_one_request(list, freshet, table):
    with list.server(table.path) as server:
        # What a server does not send, a proxy in front of it often does.
        with Proxy(server.port, adds_etags=not list.has_etags) as proxy:
            assert_is_table(list.watch(freshet, proxy), table, proxy)
            proxy.forget()
            assert_is_table(list.watch(freshet, proxy, "--refresh", "head"), table, proxy)
            assert len(proxy.exchanges) == 1, [exchange.target for exchange in proxy.exchanges]
            exchange = proxy.exchanges[0]
            if list.path == DATASETTE:
                return  # How long its query took stands in the body: no two answers are the same.
            assert exchange.validator and exchange.status == 304 and exchange.body == 0


@pytest.mark.parametrize("list", [
    List("throttled-page", servers.django, "/throttled/page/", "page:page:1:page_size"),
    List("throttled-cursor", servers.django, "/throttled/cursor/", "next:/next"),
], ids=name)
def test_a_throttled_server_is_never_asked_before_it_said_and_the_list_completes(list, freshet, table):
    with list.server(table.path) as server, Proxy(server.port) as proxy:
        assert_is_table(list.watch(freshet, proxy), table, proxy)
        answers = [exchange.status for exchange in proxy.exchanges]
        assert answers.count(429) >= 2, f"nobody was throttled: {answers}"
        most = 2 * PAGES if list.looks_back else PAGES + 1
        assert answers.count(200) <= most, f"pages were asked for again: {answers}"
        for throttled, next in zip(proxy.exchanges, proxy.exchanges[1:]):
            if throttled.retry_after is not None:
                waited = next.asked - throttled.answered
                assert waited >= throttled.retry_after, f"waited {waited}s of {throttled.retry_after}s"


def test_latency_changes_nothing(freshet, table, seed):
    list = LISTS[0]
    writer = Writer(table, seed, everywhere=True)
    with list.server(table.path) as server, Proxy(server.port, latency=0.05) as proxy:
        proxy.before = writer.write
        run = list.watch(freshet, proxy)
        assert run.exit == 0 and not writer.there_throughout - set(run.ids)
