// Reports: extensions of generic classes cannot contain '@objc' members
internal import UIKit

@MainActor
final class Source<Item>: NSObject {}

extension Source: UITableViewDataSource {
  func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { 0 }
  func tableView(_ tableView: UITableView, cellForRowAt path: IndexPath) -> UITableViewCell {
    UITableViewCell()
  }
}
