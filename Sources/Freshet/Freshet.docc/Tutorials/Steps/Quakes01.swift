import Foundation
import Freshet
import FreshetHTTP

struct Quake: ListItem, Codable {
  let id: String
  var title: String
  var time: Int  // in milliseconds since 1970
}
