// Reports: different argument labels from those required by protocol
internal import UIKit

@MainActor
final class Source<Item>: NSObject, UITableViewDataSource {
  func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { 0 }
  func tableView(_ tableView: UITableView, cellForRow path: IndexPath) -> UITableViewCell {
    UITableViewCell()
  }
}
