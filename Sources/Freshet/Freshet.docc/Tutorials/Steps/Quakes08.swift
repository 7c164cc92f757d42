import Foundation
import Freshet
import FreshetHTTP

struct Quake: ListItem, Codable {
  let id: String
  var title: String
  var time: Int  // in milliseconds since 1970
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

await list.refresh()
for quake in list.value.items.prefix(10) { print(quake.title) }

await halves.flush()  // it ends here: wait until all is stored
