// Reports: must be declared internal because it matches a requirement
internal import UIKit

@MainActor
final class Coordinator<Item>: NSObject, UICollectionViewDelegate {
  private func scrollViewDidScroll(_ scrollView: UIScrollView) {}
}
