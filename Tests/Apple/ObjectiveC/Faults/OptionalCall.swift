// Reports: value of optional type
internal import UIKit

extension UITableViewDataSource {
  func sectionCount(in view: UITableView) -> Int { numberOfSections(in: view) }
}
