// A list too long to load from its head: begun in the middle, read both ways, kept small.

import Freshet
import struct Foundation.Date

struct Message: ListItem, Codable {
  let id: String
  let sent: Date
}

/// Stands for an API whose pages lead both ways.
@Sendable func messages(_ request: PageRequest<String>) async throws -> Page<Message, String> {
  Page([], next: nil, previous: nil)
}

struct Orders: FeedSource {
  var continuity: PageContinuity { .overlapping }

  func page(_ request: PageRequest<Int>) async throws -> Page<Message, Int> {
    Page([], next: nil)
  }
}

// snippet.jumpable
extension Orders: JumpableFeedSource {
  func key(_ count: Int, rowsFrom key: Int?, before end: Int?) async throws -> Int? {
    (key ?? 0) + count  // this API counts rows
  }
}
// snippet.hide

@MainActor
func openChat(at firstUnread: String) async {
  // snippet.show
  let chat = FeedController(
    startingAt: firstUnread,  // a page key; with a cache, the reader's place is kept anyway
    sortedBy: { $0.sent > $1.sent },  // news are put where they belong
    cache: .file("chat"),
    configuration: FeedConfiguration(staleAfter: .seconds(300), maximumRows: 2_000),
    page: messages)

  await chat.refresh()
  await chat.loadPrevious()  // upwards, to `state.previous == .end`
  for case .gap(let gap) in chat.rows { await chat.load(gap, from: .below) }
  // snippet.hide
  // snippet.counts
  if let above = chat.state.rowsAbove, let total = chat.state.total {
    print(total.text(at: above.count + 1))  // "501 of about 2,300"
  }
  // snippet.hide
  // snippet.jump
  await chat.load(rowAt: 500_000)
  // snippet.hide
  if let id = chat.items.first?.id, let trace = await chat.trace(of: id) {
    print("It is there because of \(trace)")
  }
  // snippet.hide
}

await openChat(at: "unread")
