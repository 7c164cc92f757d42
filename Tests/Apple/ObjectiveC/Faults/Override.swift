// Reports: has different argument labels from any potential overrides
internal import UIKit

final class Controller: UITableViewController {
  override func tableView(_ tableView: UITableView, didSelectRow path: IndexPath) {}
}
