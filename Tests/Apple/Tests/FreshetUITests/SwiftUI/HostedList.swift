import UIKit

@testable import Freshet
@testable import FreshetUI
@testable import SwiftUI

/// A list on a screen, and how often rows were made.
@MainActor
final class HostedList<List: LiveList> where List.Item == Post {
  private(set) var rows = 0
  private(set) var host = StubHost(EmptyView())
  private let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 100, height: 200))

  /// A list that comes on screen at once, or with `show()`.
  init(
    _ list: ListController<List>, isShown: Bool = true,
    _ change: (LiveListView<List, Text>) -> any View = { $0 }
  ) {
    let view = LiveListView(list) { [unowned self] post in
      rows += 1
      return Text("\(post)")
    }
    host = StubHost(AnyView(change(view)))
    if isShown { show() }
  }

  func show() {
    guard let collection else { return }
    collection.frame = window.frame
    window.addSubview(collection)
  }

  /// What the headers on screen say.
  var headers: [String] {
    let headers = collection?.stubHeaders.sorted { $0.key < $1.key } ?? []
    return headers.flatMap {
      drawn(($0.value as? UICollectionViewCell)?.stubContentView)?.texts ?? []
    }
  }

  var collection: UICollectionView? {
    host.views.lazy.compactMap { $0 as? UICollectionView }.first
  }

  /// What the cells on screen say.
  var cells: [String] {
    let paths = collection?.indexPathsForVisibleItems.sorted() ?? []
    return paths.map { hosted(at: $0)?.texts.joined(separator: " ") ?? "" }
  }

  func hosted(at path: IndexPath) -> StubHost? {
    drawn(collection?.cellForItem(at: path)?.stubContentView)
  }

  /// What is shown in a view, with all that changed since.
  private func drawn(_ view: (any UIView & UIContentView)?) -> StubHost? {
    let host = (view as? any StubHosting)?.stubHost
    host?.update()
    return host
  }

  /// Presses a button in a cell.
  func press(_ title: String) -> Bool {
    let paths = collection?.indexPathsForVisibleItems.sorted() ?? []
    return paths.contains { hosted(at: $0)?.press(title) == true }
  }
}
