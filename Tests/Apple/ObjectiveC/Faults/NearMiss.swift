// Reports: nearly matches optional requirement 'tableView(_:canEditRowAt:)'
internal import UIKit

@MainActor
final class Source<Item>: NSObject, UITableViewDataSource {
  func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { 0 }
  func tableView(_ tableView: UITableView, cellForRowAt path: IndexPath) -> UITableViewCell {
    UITableViewCell()
  }
  func tableView(_ tableView: UITableView, canEditRow path: IndexPath) -> Bool { true }
}
