// Reports: does not satisfy optional requirement of '@objc' protocol
internal import UIKit

@MainActor
final class Source<Item>: NSObject, UITableViewDataSource {
  func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { 0 }
  func tableView(_ tableView: UITableView, cellForRowAt path: IndexPath) -> UITableViewCell {
    UITableViewCell()
  }
}

extension Source {
  func tableView(_ tableView: UITableView, canEditRowAt path: IndexPath) -> Bool { true }
}
