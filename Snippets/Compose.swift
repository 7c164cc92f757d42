// Lists made of lists: merged, filtered, with dividers, mapped, in sections, summed up.

import Foundation
import Freshet

struct Post: ListItem, Codable {
  let id: Int
  let author: String
  let date: Date
  var text: String

  func isNewDay(after other: Post?) -> Bool {
    guard let other else { return true }
    return !Calendar.current.isDate(date, inSameDayAs: other.date)
  }
}

struct Day: ListItem {
  let id: Date
}

struct RowModel: ListItem {
  let id: SeparatedRow<Post, Day>.ID
  let text: String

  init(_ row: SeparatedRow<Post, Day>) {
    id = row.id
    text =
      switch row {
      case .item(let post): post.text
      case .separator(let day, _): day.id.formatted(date: .long, time: .omitted)
      }
  }
}

struct Order: ListItem {
  let id: Int
  let customer: String
  let total: Int
}

enum Entry: ListItem {
  case draft(Post)
  case post(Post)

  var id: String {
    switch self {
    case .draft(let post): "draft \(post.id)"
    case .post(let post): "post \(post.id)"
    }
  }
}

/// Stands for an API.
@Sendable func page(_ request: PageRequest<Int>) async throws -> Page<Post, Int> {
  Page([Post(id: 1, author: "Ann", date: .now, text: "Hello")], next: nil)
}

let muted: Set = ["Bob"]
let home = Feed(page: page)
let lists = Feed(page: page)
let drafts = LiveResults(store: MemoryStore<Post>())
let orders = LiveResults(
  store: MemoryStore<Order>(), arrangement: .all.sectioned(by: \.customer))

// snippet.timeline
let visible = home.merged(with: lists, sortedBy: \.date, .reverse)  // what both have loaded
  .filter { !muted.contains($0.author) }
let timeline =
  visible
  .separated { above, below in below.isNewDay(after: above) ? Day(id: below.date) : nil }
  .map(RowModel.init)

await timeline.refresh()  // both feeds
await timeline.loadNext()  // the one that holds the other back
visible.replaceCondition { _ in true }  // one exact update
// snippet.hide

// snippet.headers
let days = visible.separated { above, below in
  below.isNewDay(after: above) ? Day(id: below.date) : nil
}
for row in days.value.items {
  switch row {
  case .separator(let day, _): print("—— \(day.id.formatted(date: .long, time: .omitted)) ——")
  case .item(let post): print(post.text)
  }
}
// snippet.hide

func follow() async {
  // snippet.follow
  for await update in timeline.updates { print(update.changes) }
  // snippet.hide
}

@MainActor
func show() async {
  // snippet.controller
  let list = ListController(timeline)  // in a view: @State, observed as every controller is
  for row in list.rows {
    switch row {
    case .item(let model): print(model.text)
    case .gap(let gap): await list.load(gap)
    }
  }
  // snippet.hide
}

@MainActor
func compose(
  home: FeedController<Post>, saved: ResultsController<Post, MemoryStore<Post>.Request>,
  found: QueryController<String, Post>
) {
  // snippet.controllers
  let timeline = ListController(home.feed.merged(with: saved.list, sortedBy: \.date, .reverse))
  let short = ListController(timeline.list.filter { $0.text.count < 280 })
  let authors = ListController(found.list.sectioned(by: \.author))
  // snippet.hide
  _ = (short, authors)
}

// snippet.followed
let entries = drafts.map(Entry.draft).followed(by: home.map(Entry.post))
let byDay = home.sectioned { $0.date.formatted(date: .long, time: .omitted) }
let newest = home.limited(to: 5)
// snippet.hide

func total() async {
  // snippet.sums
  let sums = orders.reduced(into: 0) {
    $0 += $1.total
  } inverse: {
    $0 -= $1.total
  }
  for await sum in sums { print(sum.isComplete ? "\(sum.value)" : "\(sum.value) and more") }
  // snippet.hide
}

func customers() async {
  // snippet.sections
  let customers = orders.reducedBySection(into: SortedKeys<Int>()) {
    $0.insert($1.total)
  } inverse: {
    $0.remove($1.total)
  }
  for await totals in customers { print(totals["Ann"]?.value.last ?? 0) }  // the largest order
  // snippet.hide
}

await show()
