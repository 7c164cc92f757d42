// developer.apple.com/documentation/uikit/uiaction
@MainActor public class UIAction: NSObject {
  let handler: (UIAction) -> Void
  public convenience init(title: String = "", handler: @escaping (UIAction) -> Void) {
    self.init(handler)
  }
  init(_ handler: @escaping (UIAction) -> Void) { self.handler = handler }
}

// developer.apple.com/documentation/uikit/uicontrol
@MainActor open class UIControl: UIView {
  public struct Event: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let valueChanged = Event(rawValue: 1 << 12)
    public static let primaryActionTriggered = Event(rawValue: 1 << 13)
  }

  private var actions: [(action: UIAction, events: Event)] = []

  open func addAction(_ action: UIAction, for controlEvents: Event) {
    actions.append((action, controlEvents))
  }
  open func sendActions(for controlEvents: Event) {
    for (action, events) in actions where !events.isDisjoint(with: controlEvents) {
      action.handler(action)
    }
  }
}

// developer.apple.com/documentation/uikit/uirefreshcontrol
@MainActor open class UIRefreshControl: UIControl {
  public init() { super.init(frame: .zero) }
  open private(set) var isRefreshing = false
  open func beginRefreshing() { isRefreshing = true }
  open func endRefreshing() { isRefreshing = false }

  weak var stubScrollView: UIScrollView?

  /// Pulls the list down, as a reader does. It has no effect if the list does not bounce.
  public func stubPull() {
    guard stubScrollView?.stubCanBePulled == true else { return }
    beginRefreshing()
    sendActions(for: .valueChanged)
  }
}

// developer.apple.com/documentation/uikit/uiscrollviewdelegate
@MainActor public protocol UIScrollViewDelegate: NSObjectProtocol {
  func scrollViewDidScroll(_ scrollView: UIScrollView)
  func scrollViewWillBeginDragging(_ scrollView: UIScrollView)
}

extension UIScrollViewDelegate {
  public func scrollViewDidScroll(_ scrollView: UIScrollView) {}
  public func scrollViewWillBeginDragging(_ scrollView: UIScrollView) {}
}

extension UICollectionView {
  // developer.apple.com/documentation/uikit/uicollectionview/elementkindsectionheader
  public static let elementKindSectionHeader = "UICollectionElementKindSectionHeader"

  // developer.apple.com/documentation/uikit/uicollectionview/supplementaryregistration
  @MainActor public struct SupplementaryRegistration<Supplementary: UICollectionReusableView> {
    public typealias Handler = (Supplementary, String, IndexPath) -> Void
    let handler: Handler
    let kind: String
    public init(elementKind: String, handler: @escaping Handler) {
      self.handler = handler
      kind = elementKind
    }
  }

  public func dequeueConfiguredReusableSupplementary<Supplementary: UICollectionReusableView>(
    using registration: SupplementaryRegistration<Supplementary>, for indexPath: IndexPath
  ) -> Supplementary {
    register(
      Supplementary.self, forSupplementaryViewOfKind: registration.kind,
      withReuseIdentifier: "\(Supplementary.self)")
    let view = dequeueReusableSupplementaryView(
      ofKind: registration.kind, withReuseIdentifier: "\(Supplementary.self)", for: indexPath)
    guard let view = view as? Supplementary else { fatalError("another class was dequeued") }
    registration.handler(view, registration.kind, indexPath)
    return view
  }

  // developer.apple.com/documentation/uikit/uicollectionview/scrolltoitem(at:at:animated:)
  public func scrollToItem(
    at indexPath: IndexPath, at scrollPosition: ScrollPosition, animated: Bool
  ) {
    guard let place = layoutAttributesForItem(at: indexPath) else { return }
    // No further than the content reaches.
    contentOffset.y = min(place.frame.minY, max(0, contentSize.height - bounds.height))
  }
}
