// Reports: Source.tableView(_:prefetchRowsAt:) is not seen by Objective-C
internal import UIKit

@MainActor
final class Source<Item>: NSObject, UITableViewDataSource {
  func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { 0 }
  func tableView(_ tableView: UITableView, cellForRowAt path: IndexPath) -> UITableViewCell {
    UITableViewCell()
  }
  func tableView(_ tableView: UITableView, prefetchRowsAt paths: [IndexPath]) {}
}
