// The examples of the declarations of list values, of lists made of others, and of what tests use.

import Foundation
import Freshet
import FreshetTesting

// snippet.hide
struct Post: ListItem, Codable {
  let id: Int
  var title = ""
  var author = ""
  var date = Date.distantPast
  var day = ""
  var isSensitive = false
}

struct Quake: ListItem, Codable {
  let id: Int
  var magnitude = 5.0
  var time = Date.distantPast
  var day = ""
}

struct RowModel: ListItem {
  let id: Int
  init(_ post: Post) { id = post.id }
}

struct Divider: ListItem {
  let day: String
  var id: String { day }
}

struct Order: ListItem {
  let id: Int
  var total = 1
}

enum Entry: ListItem {
  case draft(Post)
  case post(Post)
  var id: String { "\(self)" }
}

func lists(_ home: Feed<Post>, _ lists: Feed<Post>, _ drafts: Feed<Post>) async {
  do {
    // snippet.derived
    let timeline = home.merged(with: lists, sortedBy: \.date, .reverse)
      .filter { !$0.isSensitive }
      .separated { above, below in above?.day == below.day ? nil : Divider(day: below.day) }
    for await update in timeline.updates { print(update.changes) }
    // snippet.hide
  }
  do {
    // snippet.filtered
    let visible = home.filter { !$0.isSensitive }
    visible.replaceCondition { _ in true }  // another condition: one exact update
    // snippet.hide
  }
  do {
    // snippet.mapped
    let models = home.map(RowModel.init)
    // snippet.separated
    let days = home.separated { above, below in
      above?.day == below.day ? nil : Divider(day: below.day)
    }
    // snippet.merged
    let timeline = home.merged(with: lists, sortedBy: \.date, .reverse)
    // snippet.followed
    let all = drafts.map(Entry.draft).followed(by: home.map(Entry.post))
    // snippet.hide
    _ = (models, days, timeline, all)
  }
}

func sums(_ orders: Feed<Order>) async {
  do {
    // snippet.days
    let days = orders.reducedBySection(into: 0) {
      $0 += $1.total
    } inverse: {
      $0 -= $1.total
    }
    for await sums in days { print(sums["Monday"]?.value ?? 0) }
    // snippet.hide
  }
  do {
    // snippet.keys
    let prices = orders.reduced(into: SortedKeys<Int>()) {
      $0.insert($1.total)
    } inverse: {
      $0.remove($1.total)
    }
    for await price in prices { print(price.value.first ?? 0) }
    // snippet.hide
  }
}

func values(_ quakes: [Quake], _ revised: Quake, _ withdrawn: Quake, _ posts: [Post]) throws {
  // snippet.arrangement
  let arrangement = Arrangement<Quake>.sorted(by: \.time, .reverse).sectioned(by: \.day, .reverse)
  // snippet.arranged
  var list = SortedList(quakes, arrangement: .sorted(by: \.time, .reverse))
  let update = list.change(upserting: [revised], removing: [withdrawn.id])
  // snippet.snapshot
  let snapshot = ListSnapshot(posts)
  print(snapshot.sections[0].count)
  print(try snapshot.item(at: RowPath(section: 0, row: 3)))
  // snippet.tree
  let rows = RowTree(posts)  // copied in O(1)
  print(rows.count, rows[3].title, rows.map(\.id))
  // snippet.hide
  _ = (arrangement, update)
}

func texts() {
  // snippet.text
  struct Place: ListItem, Codable {
    var id: BinaryText
    var name: String
  }
  let place = Place(id: "Orléans", name: "Orléans")
  // snippet.hide
  _ = place
}

func testing(_ update: ListStep<Post>) async throws {
  // snippet.changes
  let changes = update.changes
  for path in changes.deletedRows { print("row \(path) of the list before goes") }
  for path in changes.insertedRows { print("row \(path) of the list after is new") }
  for move in changes.movedRows { print("\(move.from) goes to \(move.to)") }
  // snippet.hide
  do {
    // snippet.checker
    var checker = BatchUpdateChecker(update.before)
    assert(checker.violations(performing: update).isEmpty)
    // snippet.hide
  }
  do {
    // snippet.clock
    let clock = ManualClock()
    let task = Task { try await clock.sleep(for: .seconds(30)) }
    let isAsleep = await clock.sleepers(1)
    assert(isAsleep)  // with Swift Testing: #expect(await clock.sleepers(1))
    clock.advance(by: .seconds(30))
    // snippet.hide
    _ = task
  }
  // snippet.server
  let server = ScriptedServer((0..<100).map { Post(id: $0) })
  let feed = Feed(server.source(.keyset))
  server.insert(Post(id: 100), at: 0)
  server.failNext(with: URLError(.timedOut))
  // snippet.random
  var random = SeededGenerator(seed: 7)
  server.delete(Int.random(in: 0..<100, using: &random))
  // snippet.hide
  _ = feed
}
