// The simplest cache: one named value.

import Freshet

struct Profile: Codable {
  var name: String
}

// snippet.show
let account = CacheDirectory.default.directory(named: "account 17")
let archive = Archive<Profile>("profile", version: 2, in: account)

if let profile = archive.load() { print("Hello, \(profile.name)") }
try archive.save(Profile(name: "Ada"))
account.removeAll()  // signed out
// snippet.hide
