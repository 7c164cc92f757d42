"""Conventions of paging as they are met in public, each served from the same 2,000 rows.

A convention is a function from a request to an answer. What else is known of it stands beside it: the
styles that read it whole, and the words that say there is more, for whoever does not understand it.
"""

import dataclasses
import http.server
import json
import threading
import urllib.parse
from typing import Any, Callable

ROWS = [{"id": str(number), "title": f"Post {number}"} for number in range(2_000, 0, -1)]
IDS = [row["id"] for row in ROWS]
PAGE = 100


@dataclasses.dataclass
class Answer:
    body: Any
    headers: dict[str, str] = dataclasses.field(default_factory=dict)
    status: int = 200


class Request:
    """A request for one page of a list."""

    def __init__(self, url: str, query: str):
        self.url = url
        self.query = dict(urllib.parse.parse_qsl(query, keep_blank_values=True))

    def number(self, name: str, standard: int) -> int:
        try:
            return int(self.query.get(name, standard))
        except ValueError:
            return standard

    def size(self, name: str) -> int:
        """A page size, which servers cut silently."""
        return max(1, min(self.number(name, PAGE), PAGE))

    def link(self, **parameters) -> str:
        """The URL of another page, with what else was asked for."""
        return f"{self.url}?{urllib.parse.urlencode({**self.query, **parameters})}"

    def path(self, **parameters) -> str:
        return urllib.parse.urlsplit(self.link(**parameters))._replace(scheme="", netloc="").geturl()


@dataclasses.dataclass
class Convention:
    name: str
    answer: Callable[[Request], Answer]
    fits: list[str] = dataclasses.field(default_factory=list)
    # What the answer says there is; `None` where it says nothing, and nobody can tell.
    seen: list[str] | None = None
    options: list[str] = dataclasses.field(default_factory=list)
    query: str = ""


CONVENTIONS: list[Convention] = []


def convention(*fits: str, seen: list[str] | str | None = None, items: str | None = None,
               id: str | None = None, query: str = ""):
    """Enters a function into the list, under its own name."""

    def enter(answer):
        options = (["--items", items] if items else []) + (["--id", id] if id else [])
        words = [seen] if isinstance(seen, str) else seen
        CONVENTIONS.append(Convention(
            answer.__name__.replace("_", "-"), answer, list(fits), words, options, query))
        return answer

    return enter


# How a server finds the rows of a page.


def numbered(request: Request, name="page", size="per_page", first=1):
    """The rows of a page by its number, whether there are more, and the number."""
    number, count = max(first, request.number(name, first)), request.size(size)
    start = (number - first) * count
    return ROWS[start:start + count], start + count < len(ROWS), number, count


def counted(request: Request, name="offset", limit="limit", first=0):
    """The rows from an offset on, whether there are more, and the offset."""
    start, count = max(first, request.number(name, first)) - first, request.size(limit)
    return ROWS[start:start + count], start + count < len(ROWS), start + first, count


def after(request: Request, name="cursor", prefix="c~", size="limit"):
    """The rows behind those of a token, and the token of the page that follows."""
    token = request.query.get(name, "")
    start = int(token.removeprefix(prefix)) if token.startswith(prefix) else 0
    end = start + request.size(size)
    return ROWS[start:end], f"{prefix}{end}" if end < len(ROWS) else None


def behind(request: Request, name: str, size="limit"):
    """The rows behind the one of an id, and whether there are more."""
    id = request.query.get(name)
    start = IDS.index(id) + 1 if id in IDS else 0
    end = start + request.size(size)
    return ROWS[start:end], end < len(ROWS)


# Links in headers.


@convention("auto", "link", "page", "page:page:1:per_page", seen="link")
def github(request):
    rows, more, number, _ = numbered(request)
    links = [f'<{request.link(page=1)}>; rel="first"', f'<{request.link(page=20)}>; rel="last"']
    links += [f'<{request.link(page=number + 1)}>; rel="next"'] if more else []
    return Answer(rows, {"Link": ", ".join(links)} if number > 1 or more else {})


@convention("auto", "link", "last:/id:max_id", seen="link")
def mastodon(request):
    rows, more = behind(request, "max_id")
    links = [f'<{request.link(min_id=rows[0]["id"])}>; rel="prev"'] if rows else []
    links += [f'<{request.link(max_id=rows[-1]["id"])}>; rel="next"'] if more else []
    return Answer(rows, {"Link": ", ".join(links)})


@convention("auto", "link", seen="link")
def link_of_many_types(request):
    rows, token = after(request)
    link = f'<{request.path(cursor=token)}>;title="a, b; \\"c\\""; rel="section Next" ;type=json' if token else ""
    return Answer(rows, {"Link": f"</style.css>; rel=stylesheet, {link}"})


@convention("auto", "link", seen="link")
def wordpress(request):
    rows, more, number, size = numbered(request)
    if not rows:
        return Answer({"code": "rest_post_invalid_page_number", "message": "The page is too large."},
                      status=400)
    headers = {"X-WP-Total": str(len(ROWS)), "X-WP-TotalPages": str(-(-len(ROWS) // size))}
    if more:
        headers["Link"] = f'<{request.link(page=number + 1)}>; rel="next"'
    return Answer(rows, headers)


@convention("page", seen="total")
def wordpress_without_links(request):
    rows, _, _, size = numbered(request)
    return Answer(rows, {"X-WP-Total": str(len(ROWS)), "X-WP-TotalPages": str(-(-len(ROWS) // size))})


@convention("page", seen=["next-page", "total"])
def gitlab_without_links(request):
    rows, more, number, size = numbered(request)
    return Answer(rows, {"X-Page": str(number), "X-Next-Page": str(number + 1) if more else "",
                         "X-Total": str(len(ROWS)), "X-Total-Pages": str(-(-len(ROWS) // size))})


@convention("header:Next-Page", seen="next-page")
def kinto(request):
    rows, token = after(request, "_token", size="_limit")
    headers = {"Total-Records": str(len(ROWS)), "ETag": '"1700000000000"'}
    if token:
        headers["Next-Page"] = request.link(_token=token)
    return Answer({"data": rows}, headers)


@convention("header:X-Next", seen="next")
def relative_next_header(request):
    rows, token = after(request)
    return Answer(rows, {"X-Next": request.path(cursor=token)} if token else {})


@convention(seen="cursor")
def cursor_in_a_header(request):
    rows, token = after(request)
    return Answer(rows, {"X-Next-Cursor": token} if token else {})


@convention("page:_page:1:_limit", "offset:_start:_limit", seen="total")
def total_count_in_a_header(request):
    rows, _, _, _ = (counted(request, "_start", "_limit") if "_start" in request.query
                     else numbered(request, "_page", "_limit"))
    return Answer(rows, {"X-Total-Count": str(len(ROWS))})


@convention("offset", seen="range")
def content_range(request):
    rows, _, start, _ = counted(request)
    end = start + len(rows) - 1
    return Answer(rows, {"Content-Range": f"items {start}-{end}/{len(ROWS)}"})


@convention("offset", seen="range")
def postgrest(request):
    rows, more, start, _ = counted(request)
    total = f"{start}-{start + len(rows) - 1}" if rows else "*"
    return Answer(rows, {"Content-Range": f"{total}/{len(ROWS)}"}, 206 if more or start else 200)


# URLs in bodies.


@convention("auto", "next:/next", seen="next")
def rest_framework_cursor(request):
    rows, token = after(request)
    return Answer({"next": token and request.link(cursor=token), "previous": None, "results": rows})


@convention("auto", "next:/next", "page", seen=["next", "count"])
def rest_framework_page(request):
    rows, more, number, _ = numbered(request)
    if not rows:
        return Answer({"detail": "Invalid page."}, status=404)
    return Answer({"count": len(ROWS), "next": request.link(page=number + 1) if more else None,
                   "previous": request.link(page=number - 1) if number > 1 else None, "results": rows})


@convention("auto", "next:/next", "offset", seen=["next", "count"])
def rest_framework_offset(request):
    rows, more, start, size = counted(request)
    return Answer({"count": len(ROWS), "next": request.link(offset=start + size) if more else None,
                   "previous": None, "results": rows})


@convention("auto", "next:/@odata.nextLink", seen="nextlink")
def odata(request):
    rows, token = after(request, "$skiptoken")
    body = {"@odata.context": "$metadata#posts", "@odata.count": len(ROWS), "value": rows}
    return Answer(body | ({"@odata.nextLink": request.link(**{"$skiptoken": token})} if token else {}))


@convention("next:/nextLink", seen="nextlink")
def azure(request):
    rows, token = after(request, "$skiptoken")
    return Answer({"value": rows} | ({"nextLink": request.link(**{"$skiptoken": token})} if token else {}))


@convention("auto", "next:/links/next", "links", "links:/links", seen="next")
def json_api(request):
    rows, token = after(request, "page[after]")
    links = {"self": request.link(), "next": token and request.link(**{"page[after]": token})}
    return Answer({"data": [{"type": "posts", "id": row["id"], "attributes": row} for row in rows],
                   "links": links})


@convention("auto", "next:/links/next", "links:/links", seen="next")
def json_api_with_link_objects(request):
    rows, more, number, _ = numbered(request, "page[number]", "page[size]")
    links = {"next": {"href": request.link(**{"page[number]": number + 1})}} if more else {}
    return Answer({"data": rows, "links": links, "meta": {"total": len(ROWS)}})


@convention("links", "links:/_links", "next:/_links/next/href", seen="next", items="/_embedded/posts")
def hal(request):
    rows, token = after(request)
    links = {"self": {"href": request.path()}}
    if token:
        links["next"] = {"href": request.path(cursor=token)}
    return Answer({"_links": links, "_embedded": {"posts": rows}, "count": len(rows), "total": len(ROWS)})


@convention("links", "links:/links", seen=["next", "numbermatched"])
def ogc_features(request):
    rows, token = after(request)
    links = [{"rel": "self", "href": request.link(), "type": "application/geo+json"}]
    if token:
        links += [{"rel": "next", "href": request.link(cursor=token), "type": "application/geo+json"}]
    return Answer({"type": "FeatureCollection", "features": rows, "links": links,
                   "numberMatched": len(ROWS), "numberReturned": len(rows)})


@convention("links", seen="next")
def stac(request):
    rows, token = after(request, "token")
    links = [{"rel": "root", "href": "/"}]
    links += [{"rel": "next", "method": "GET", "href": request.link(token=token)}] if token else []
    return Answer({"type": "FeatureCollection", "features": rows, "links": links,
                   "context": {"returned": len(rows), "matched": len(ROWS)}})


@convention(seen=["next", "numbermatched"])
def stac_search_by_post(request):
    rows, token = after(request, "token")
    links = [{"rel": "next", "method": "POST", "href": request.url, "body": {"token": token}}] if token else []
    return Answer({"type": "FeatureCollection", "features": rows, "links": links,
                   "numberMatched": len(ROWS), "numberReturned": len(rows)})


@convention("auto", "next:/next_url", seen="next_url")
def json_feed(request):
    rows, token = after(request)
    body = {"version": "https://jsonfeed.org/version/1.1", "title": "Posts", "items": rows}
    return Answer(body | ({"next_url": request.link(cursor=token)} if token else {}))


@convention("next:/paging/next", "cursor:/paging/cursors/after:after", seen=["next", "cursor"])
def facebook(request):
    rows, token = after(request, "after")
    if not rows:
        return Answer({"data": []})
    # The last page has a cursor too, and nothing behind it.
    paging = {"cursors": {"before": "x", "after": token or f"c~{len(ROWS)}"}}
    return Answer({"data": rows, "paging": paging | ({"next": request.link(after=token)} if token else {})})


@convention("next:/pagination/next_url", seen="next_url")
def instagram(request):
    rows, token = after(request, "max_id")
    return Answer({"pagination": {"next_url": request.link(max_id=token)} if token else {},
                   "meta": {"code": 200}, "data": rows})


@convention("auto", "next:/links/next", "page", seen=["next", "total"])
def laravel_resources(request):
    rows, more, number, size = numbered(request)
    pages = -(-len(ROWS) // size)
    return Answer({"data": rows,
                   "links": {"first": request.link(page=1), "last": request.link(page=pages), "prev": None,
                             "next": request.link(page=number + 1) if more else None},
                   "meta": {"current_page": number, "from": 1, "last_page": pages, "per_page": size,
                            "to": 100, "total": len(ROWS)}})


@convention("next:/next_page_url", "page", seen=["next_page_url", "total", "last_page"])
def laravel_paginator(request):
    rows, more, number, size = numbered(request)
    return Answer({"current_page": number, "data": rows, "last_page": -(-len(ROWS) // size),
                   "next_page_url": request.link(page=number + 1) if more else None,
                   "per_page": size, "total": len(ROWS)})


@convention("next:/meta/next", "offset", seen=["next", "total_count"])
def tastypie(request):
    rows, more, start, size = counted(request)
    return Answer({"meta": {"limit": size, "next": request.path(offset=start + size) if more else None,
                            "offset": start, "previous": None, "total_count": len(ROWS)}, "objects": rows})


@convention("next:/nextRecordsUrl", seen=["nextrecordsurl", "totalsize", "done"])
def salesforce(request):
    rows, token = after(request)
    body = {"totalSize": len(ROWS), "done": token is None, "records": rows}
    return Answer(body | ({"nextRecordsUrl": request.path(cursor=token)} if token else {}))


@convention("next:/next", seen=["next", "totalitems"], items="/orderedItems", query="page=true&cursor=c~0")
def activity_streams(request):
    rows, token = after(request)
    body = {"type": "OrderedCollectionPage", "partOf": request.url, "totalItems": len(ROWS),
            "orderedItems": rows}
    return Answer(body | ({"next": request.link(cursor=token)} if token else {}))


@convention(seen=["first", "totalitems"])
def activity_streams_collection(request):
    return Answer({"type": "OrderedCollection", "totalItems": len(ROWS), "first": request.link(page="true"),
                   "last": request.link(page="last"), "items": []})


@convention("next:/topic_list/more_topics_url", seen="more_topics_url", items="/topic_list/topics")
def discourse(request):
    rows, more, number, _ = numbered(request, first=0)
    topics = {"topics": rows, "per_page": PAGE}
    return Answer({"topic_list": topics | ({"more_topics_url": request.path(page=number + 1)} if more else {})})


# Tokens in bodies.


@convention("cursor:/next_batch:since", seen="next_batch")
def matrix_rooms(request):
    rows, token = after(request, "since")
    body = {"chunk": rows, "total_room_count_estimate": len(ROWS)}
    return Answer(body | ({"next_batch": token} if token else {}))


@convention("cursor:/end:from", seen="end")
def matrix_messages(request):
    rows, token = after(request, "from")
    body = {"chunk": rows, "start": request.query.get("from", "c~0")}
    return Answer(body | ({"end": token} if token else {}))


@convention("cursor:/response_metadata/next_cursor:cursor", seen="next_cursor")
def slack(request):
    rows, token = after(request)
    return Answer({"ok": True, "channels": rows, "response_metadata": {"next_cursor": token or ""}})


@convention("cursor:/meta/next_token:pagination_token", seen="next_token")
def twitter(request):
    rows, token = after(request, "pagination_token", size="max_results")
    meta = {"result_count": len(rows), "newest_id": "1"}
    return Answer({"data": rows, "meta": meta | ({"next_token": token} if token else {})})


@convention("cursor:/next_cursor_str:cursor", seen="next_cursor")
def twitter_of_old(request):
    token = request.query.get("cursor", "-1")
    start = 0 if token == "-1" else int(token)
    end = start + PAGE
    next = end if end < len(ROWS) else 0
    return Answer({"users": ROWS[start:end], "next_cursor": next, "next_cursor_str": str(next or ""),
                   "previous_cursor": 0})


@convention("cursor:/NextContinuationToken:continuation-token:/IsTruncated",
            "cursor:/NextContinuationToken:continuation-token", seen=["truncated", "nextcontinuationtoken"])
def aws_buckets(request):
    rows, token = after(request, "continuation-token", size="max-keys")
    body = {"IsTruncated": token is not None, "Contents": rows, "KeyCount": len(rows), "MaxKeys": PAGE}
    return Answer(body | ({"NextContinuationToken": token} if token else {}))


@convention("cursor:/NextToken:NextToken", seen="nexttoken")
def aws_services(request):
    rows, token = after(request, "NextToken")
    return Answer({"Items": rows} | ({"NextToken": token} if token else {}))


@convention(seen="lastevaluatedkey")
def dynamo(request):
    rows, token = after(request, "start")
    body = {"Items": rows, "Count": len(rows), "ScannedCount": len(rows)}
    return Answer(body | ({"LastEvaluatedKey": {"id": {"S": token}}} if token else {}))


@convention("cursor:/nextPageToken:pageToken", seen=["nextpagetoken", "totalresults"])
def google(request):
    rows, token = after(request, "pageToken", size="maxResults")
    body = {"kind": "posts", "items": rows,
            "pageInfo": {"totalResults": len(ROWS), "resultsPerPage": len(rows)}}
    return Answer(body | ({"nextPageToken": token} if token else {}))


@convention("last:/id:starting_after:/has_more", seen="has_more")
def stripe(request):
    rows, more = behind(request, "starting_after")
    return Answer({"object": "list", "url": "/v1/posts", "has_more": more, "data": rows})


@convention("cursor:/next_cursor:start_cursor:/has_more", "cursor:/next_cursor:start_cursor",
            seen=["has_more", "next_cursor"])
def notion(request):
    rows, token = after(request, "start_cursor", size="page_size")
    return Answer({"object": "list", "results": rows, "next_cursor": token, "has_more": token is not None})


@convention("cursor:/cursor:cursor:/has_more", seen=["has_more", "cursor"])
def dropbox(request):
    rows, token = after(request)
    # There is always a cursor: behind the last page it waits for news.
    return Answer({"entries": rows, "cursor": token or f"c~{len(ROWS)}", "has_more": token is not None})


@convention("cursor:/paging/next/after:after", "next:/paging/next/link", seen="next")
def hubspot(request):
    rows, token = after(request, "after")
    paging = {"paging": {"next": {"after": token, "link": request.link(after=token)}}} if token else {}
    return Answer({"results": rows} | paging)


@convention("cursor:/meta/after_cursor:page[after]:/meta/has_more", seen=["has_more", "cursor"])
def zendesk(request):
    rows, token = after(request, "page[after]", size="page[size]")
    return Answer({"posts": rows, "meta": {"has_more": token is not None,
                                           "after_cursor": token or f"c~{len(ROWS)}", "before_cursor": "x"}})


@convention("cursor:/data/after:after", seen="after", items="/data/children", id="/data/id")
def reddit(request):
    rows, token = after(request, "after")
    return Answer({"kind": "Listing", "data": {
        "after": token, "before": None, "dist": len(rows),
        "children": [{"kind": "t3", "data": row} for row in rows]}})


@convention("cursor:/data/posts/pageInfo/endCursor:after:/data/posts/pageInfo/hasNextPage",
            seen=["hasnextpage", "endcursor"], items="/data/posts/edges", id="/node/id")
def relay(request):
    rows, token = after(request, "after", size="first")
    return Answer({"data": {"posts": {
        "edges": [{"cursor": row["id"], "node": row} for row in rows],
        "pageInfo": {"hasNextPage": token is not None, "endCursor": token or f"c~{len(ROWS)}",
                     "hasPreviousPage": False, "startCursor": "x"}}}})


@convention("cursor:/offset:offset", seen="offset")
def airtable(request):
    rows, token = after(request, "offset", prefix="itr~", size="pageSize")
    return Answer({"records": rows} | ({"offset": token} if token else {}))


@convention("cursor:/continue/apcontinue:apcontinue", seen="continue", items="/query/allpages")
def mediawiki(request):
    rows, token = after(request, "apcontinue")
    body = {"batchcomplete": True, "query": {"allpages": rows}}
    return Answer(body | ({"continue": {"apcontinue": token, "continue": "-||"}} if token else {}))


@convention(seen=["numfound", "nextcursormark"], items="/response/docs")
def solr_cursor(request):
    rows, token = after(request, "cursorMark", size="rows")
    # The end is a token that comes back unchanged.
    mark = token or request.query.get("cursorMark", "*")
    return Answer({"response": {"numFound": len(ROWS), "start": 0, "docs": rows}, "nextCursorMark": mark})


@convention("cursor:/next_cursor:cursor", seen="next_cursor")
def tokens_to_escape(request):
    rows, token = after(request, "cursor", prefix="c+/=&%3D#ü ")
    return Answer({"items": rows, "next_cursor": token})


@convention("cursor:/next_cursor:cursor", seen="next_cursor")
def filtered_pages(request):
    # Filtered after they were counted: every third page is empty, and more follow all the same.
    token = request.query.get("cursor", "")
    if token.startswith("c~") and int(token[2:]) % 300 == 100:
        return Answer({"items": [], "next_cursor": f"f~{token[2:]}"})
    rows, _ = after(request, prefix="f~" if token.startswith("f~") else "c~")
    end = IDS.index(rows[-1]["id"]) + 1
    return Answer({"items": rows, "next_cursor": f"c~{end}" if end < len(ROWS) else None})


@convention("cursor:/next_cursor:cursor", seen="next_cursor")
def short_pages(request):
    start = int(request.query.get("cursor", "0"))
    end = start + 37 + start % 50
    return Answer({"items": ROWS[start:end], "next_cursor": str(end) if end < len(ROWS) else None})


@convention("cursor:/next:page", "page:page:1:per_page", seen="next")
def number_of_the_next_page(request):
    rows, more, number, _ = numbered(request)
    return Answer({"results": rows, "next": number + 1 if more else None})


# Counts.


@convention("page:page:1:size", seen=["total", "pages"])
def fastapi_pages(request):
    rows, _, number, size = numbered(request, size="size")
    return Answer({"items": rows, "total": len(ROWS), "page": number, "size": size,
                   "pages": -(-len(ROWS) // size)})


@convention("offset", seen="total")
def fastapi_offsets(request):
    rows, _, start, size = counted(request)
    return Answer({"items": rows, "total": len(ROWS), "limit": size, "offset": start})


@convention("page:page:0:size", seen=["totalelements", "totalpages", "last"])
def spring(request):
    rows, more, number, size = numbered(request, size="size", first=0)
    return Answer({"content": rows, "number": number, "size": size, "totalElements": len(ROWS),
                   "totalPages": -(-len(ROWS) // size), "last": not more, "first": number == 0})


@convention("page:page:0:size", seen=["totalelements", "totalpages"])
def spring_model(request):
    rows, _, number, size = numbered(request, size="size", first=0)
    return Answer({"content": rows, "page": {"size": size, "number": number, "totalElements": len(ROWS),
                                             "totalPages": -(-len(ROWS) // size)}})


@convention("page", seen=["total_pages", "total_results"])
def movie_database(request):
    rows, _, number, size = numbered(request)
    return Answer({"page": number, "results": rows, "total_pages": -(-len(ROWS) // size),
                   "total_results": len(ROWS)})


@convention("page:page:1:limit", "cursor:/nextPage:page", seen=["nextpage", "total"])
def mongoose(request):
    rows, more, number, size = numbered(request, size="limit")
    return Answer({"docs": rows, "totalDocs": len(ROWS), "limit": size, "page": number,
                   "totalPages": -(-len(ROWS) // size), "hasNextPage": more,
                   "nextPage": number + 1 if more else None})


@convention("page", seen="has_more")
def more_of_a_number(request):
    rows, more, number, _ = numbered(request)
    return Answer({"data": rows, "page": number, "has_more": more})


@convention("page", seen="has_next")
def whether_there_is_a_next(request):
    rows, more, number, _ = numbered(request)
    return Answer({"objects": rows, "page": number, "has_next": more})


@convention("offset:startAt:maxResults", seen="total")
def jira(request):
    rows, _, start, size = counted(request, "startAt", "maxResults")
    return Answer({"startAt": start, "maxResults": size, "total": len(ROWS), "issues": rows})


@convention("offset:startIndex:count:1", seen="totalresults")
def scim(request):
    rows, _, start, _ = counted(request, "startIndex", "count", first=1)
    return Answer({"totalResults": len(ROWS), "itemsPerPage": len(rows), "startIndex": start,
                   "Resources": rows})


@convention("offset:from:size", seen="total", items="/hits/hits", id="/_id")
def elasticsearch(request):
    rows, _, _, _ = counted(request, "from", "size")
    return Answer({"took": 1, "timed_out": False, "hits": {
        "total": {"value": len(ROWS), "relation": "eq"},
        "hits": [{"_id": row["id"], "_source": row} for row in rows]}})


@convention("offset:start:rows", seen="count", items="/result/results")
def ckan(request):
    rows, _, _, _ = counted(request, "start", "rows")
    return Answer({"success": True, "result": {"count": len(ROWS), "sort": "id desc", "results": rows}})


@convention("offset:start:rows", seen="numfound", items="/response/docs")
def solr(request):
    rows, _, start, _ = counted(request, "start", "rows")
    return Answer({"response": {"numFound": len(ROWS), "start": start, "docs": rows}})


@convention("offset:offset:limit:1")
def count_of_the_page_by_offset(request):
    rows, _, _, _ = counted(request, first=1)
    return Answer({"type": "FeatureCollection", "metadata": {"count": len(rows)}, "features": rows})


@convention("page", "page:page:1:per_page")
def count_of_the_page_by_number(request):
    rows, _, _, _ = numbered(request)
    return Answer({"count": len(rows), "items": rows})


@convention("page", "offset")
def bare_pages(request):
    return Answer((counted(request) if "offset" in request.query else numbered(request))[0])


@convention("page", "offset", seen="total")
def pages_cut_short(request):
    # However many were asked for, thirty come: the number of a page counts thirties.
    number, start = request.number("page", 1), request.number("offset", -1)
    start = start if start >= 0 else (max(1, number) - 1) * 30
    return Answer({"items": ROWS[start:start + 30], "total": len(ROWS)})


@convention("page")
def last_page_is_not_found(request):
    rows, _, _, _ = numbered(request)
    return Answer(rows) if rows else Answer({"error": "no such page"}, status=404)


@convention("last:/id:before")
def trello(request):
    return Answer(behind(request, "before")[0])


# Lists that cannot be read to their end, whatever is asked.


@convention(seen="truncated")
def truncated(request):
    return Answer({"rows": ROWS[:PAGE], "truncated": True})


@convention(seen="total")
def first_page_only(request):
    return Answer({"items": ROWS[:PAGE], "total": len(ROWS)})


@convention(seen="has_more")
def more_and_no_way_to_it(request):
    return Answer({"data": ROWS[:PAGE], "has_more": True})


class ConventionServer:
    """Serves each convention at its name, for as long as the block runs."""

    def __enter__(self):
        server = self
        by_path = {f"/{convention.name}": convention for convention in CONVENTIONS}

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True
            wbufsize = -1

            def do_GET(self):
                path, _, query = self.path.partition("?")
                server.requests.append(self.path)
                answer = by_path[path].answer(Request(server.url + path, query))
                body = json.dumps(answer.body).encode()
                self.send_response_only(answer.status)
                for name, value in answer.headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)
                self.wfile.flush()

            def log_message(self, *_):
                pass

        self.requests: list[str] = []
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.02}).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()
