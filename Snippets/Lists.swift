// Lists without feeds: the difference of two, and one that stays sorted.

import FreshetLists

struct Player: ListItem {
  let id: Int
  var name: String
  var score: Int
}

func show(_ players: [Player], _ fresh: [Player], _ winner: Player) {
  // snippet.difference
  let update = ListStep(from: ListSnapshot(players), to: ListSnapshot(fresh))
  print(update.changes)  // "1 row deleted, 2 rows moved": one batch for a table view
  // snippet.sorted
  var table = SortedList(players, arrangement: .sorted(by: \.score, .reverse).limited(to: 100))
  if let update = table.change(upserting: [winner], removing: [7]) {
    print(update.changes, table.snapshot.items.first?.name ?? "nobody")
  }
  // snippet.hide
}

let players = (0..<10).map { Player(id: $0, name: "Player \($0)", score: $0 * 10) }
show(players, players.reversed(), Player(id: 3, name: "Ann", score: 1_000))
