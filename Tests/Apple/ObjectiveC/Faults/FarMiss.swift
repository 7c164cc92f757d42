// Reports: Source.tableView(_:nameOf:) is no method of a delegate or data source
internal import UIKit

@MainActor
final class Source<Item>: NSObject, UITableViewDataSource {
  func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { 0 }
  func tableView(_ tableView: UITableView, cellForRowAt path: IndexPath) -> UITableViewCell {
    UITableViewCell()
  }
  func tableView(_ tableView: UITableView, nameOf section: Int) -> String? { nil }
}
