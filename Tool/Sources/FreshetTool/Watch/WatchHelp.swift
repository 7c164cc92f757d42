/// The text of `freshet watch --help`, apart from the options.
enum WatchHelp {
  static let abstract = "Watch any paged JSON API as a list that is kept true."

  static let discussion = """
    EXAMPLES:
      freshet watch http://127.0.0.1:8318/quakes --section /time:day
      freshet watch https://api.example.com/posts --paging link --column title
      freshet watch URL --once --pages all --format jsonl --header @secrets

    In a terminal the list fills the screen and changes in place: scroll to load more, / to filter what is loaded, Enter \
    for a row's JSON and why it is there, o to open its link, ? for all keys. NO_COLOR is respected. Into \
    a pipe, and with --plain, --format or --once, it prints the list, then what changes. Rows are cached, and shown first while the source cannot be \
    reached. Pointers are JSON pointers (RFC 6901), such as /data/items. Ids keep their type and all \
    their digits: 1 is not "1", and 1.10 not 1.1. Characters that do not show themselves, such as \
    terminal escapes, are printed as \\u{1B}, and as \\u001b in JSON lines.

    HOW MUCH: a refresh asks from the head until it meets what is known; --refresh all asks for all \
    that is loaded. Pages are then loaded until --pages or --max-rows are there, cached ones counted; \
    what others push beyond is no longer kept. With --once the table's last line says how the list \
    ends: "next: end" where it is whole, else why not.

    JSON LINES: with --format jsonl each update is one line, {"origin":"cache" or "network", \
    "count":rows, "gaps":places where rows may be missing, "state":{"refresh":…,"next":…}, \
    "error":why one of them or a gap failed, "changes":[…]}. A state is "idle", "failed", or "end" where there \
    are no more rows behind the last. A line without changes tells a new state, or, with the origin \
    "network" after "cache", that a refresh found the rows on disk to be the source's; where it fails, \
    the origin of the rows stays "cache". The operations of \
    "changes" are a batch, as table views know it: take out the rows of "delete", the "from" rows of \
    "move" and the sections of "deleteSection", whose numbers count in the list before; then put in \
    the sections of "insertSection", the rows of "insert" and the "to" rows of "move", whose numbers \
    count in the list after; then put the rows of "update" in place. Deletions come highest first and \
    insertions lowest first, so that a script can do them one by one. A path is [section, row]; an \
    "id" is a text, a number or a truth value, as in the row.

    SECRETS: header fields and --user go to the URL's own origin only, but for Accept, Accept-Language, \
    Accept-Charset and User-Agent. Keep secrets out of the list of processes: --header @file (a field \
    a line), --user @file (name:password), FRESHET_PASSWORD for --user name, which else asks at the \
    terminal, or FRESHET_HEADER_AUTHORIZATION='Bearer …' in the environment (any name, with _ for -; \
    it is sent to every URL you watch). Where a credential is sent, rows are cached only if --cache \
    names the place: --user, FRESHET_HEADER_…, and fields and URL parameters whose names speak of one \
    (Authorization, Cookie, X-Api-Key, access_token, code, and others that end in auth, token, key, \
    secret, password, session or signature).

    EXIT CODES: 0 all is there that was asked for, even if there are more pages than --pages, \
    or behind --max-rows where you say it; 64 usage; 65 the answer is not what it should be; 69 the source cannot be reached, \
    refuses, or leads elsewhere; 74 the output cannot be written; 75 rows are missing, with --once: a \
    page behind the first failed, or the answer speaks of more rows and --paging has no way to them, \
    whatever --pages says. Where whoever reads the output goes away, it ends by SIGPIPE \
    (141 in a shell), as other tools do.
    """
}
