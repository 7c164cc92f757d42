import Foundation
import Freshet
import FreshetHTTP

struct Quake: ListItem, Codable {
  let id: String
  var title: String
  var time: Int  // in milliseconds since 1970

  var day: String {
    Date(timeIntervalSince1970: Double(time) / 1000).formatted(.iso8601.year().month().day())
  }
}

struct Day: ListItem {
  let id: String
}

enum Half: String, Codable {
  case north = "minlatitude"
  case south = "maxlatitude"
}

let halves = FeedFamily(cache: .files("halves")) { (half: Half) in
  let url = URL(string: "http://127.0.0.1:8318/quakes")!
  let latitude = URLQueryItem(name: half.rawValue, value: "0")
  return try HTTPFeedSource<Quake>(url.appending(queryItems: [latitude]), paging: .linkHeader)
}

let list = halves[.north].merged(with: halves[.south], sortedBy: \.time, .reverse)
  .separated { above, below in above?.day == below.day ? nil : Day(id: below.day) }

Task {
  while true {
    await list.refresh()
    try await Task.sleep(for: .seconds(2))
  }
}

for await update in list.updates {
  print("\(update.changes), \(update.value.items.count) rows")
  update.step.enumerateRowChanges { change in
    switch change {
    case .inserted(.item(.separator(let day, _)), at: _): print("—— \(day.id)")
    case .inserted(.item(.item(let quake)), at: _): print("+ \(quake.title)")
    default: break  // moved, changed, gone
    }
  }
}
