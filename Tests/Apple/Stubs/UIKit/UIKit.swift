@_exported public import StubViews

// Each group names the page of Apple's documentation that its declarations follow.

// developer.apple.com/documentation/uikit/uiresponder
@MainActor open class UIResponder: NSObject {}

// developer.apple.com/documentation/uikit/uiview
@MainActor open class UIView: UIResponder {
  public init(frame: CGRect) { self.frame = frame }
  public convenience override init() { self.init(frame: .zero) }

  open var frame: CGRect
  open var bounds: CGRect {
    get { CGRect(x: 0, y: 0, width: frame.width, height: frame.height) }
    set { frame.size = newValue.size }
  }
  open private(set) weak var superview: UIView?
  open private(set) var subviews: [UIView] = []
  open var window: UIWindow? { superview?.window }
  open internal(set) var safeAreaInsets = UIEdgeInsets.zero

  open func addSubview(_ view: UIView) {
    subviews.append(view)
    view.superview = self
    view.didMoveToWindow()
  }
  open func removeFromSuperview() {
    superview?.subviews.removeAll { $0 === self }
    superview = nil
    didMoveToWindow()
  }
  open func didMoveToWindow() {
    for view in subviews { view.didMoveToWindow() }
    if window != nil { layoutIfNeeded() }
  }
  open func layoutSubviews() {}
  open func layoutIfNeeded() { layoutSubviews() }

  public class func performWithoutAnimation(_ actionsWithoutAnimation: () -> Void) {
    stubAnimationsOff += 1
    actionsWithoutAnimation()
    stubAnimationsOff -= 1
  }
  /// How many calls of `performWithoutAnimation` are under way.
  public static var stubAnimationsOff = 0
}

// developer.apple.com/documentation/uikit/uiwindow
@MainActor open class UIWindow: UIView {
  override open var window: UIWindow? { self }
}

// developer.apple.com/documentation/uikit/uiedgeinsets
public struct UIEdgeInsets: Equatable, Sendable {
  public var top, left, bottom, right: CGFloat
  public init(top: CGFloat, left: CGFloat, bottom: CGFloat, right: CGFloat) {
    (self.top, self.left, self.bottom, self.right) = (top, left, bottom, right)
  }
  public static let zero = UIEdgeInsets(top: 0, left: 0, bottom: 0, right: 0)
}

// developer.apple.com/documentation/uikit/uiscrollview
@MainActor open class UIScrollView: UIView {
  open var contentOffset = CGPoint.zero { didSet { if contentOffset != oldValue { didScroll() } } }
  open var contentSize = CGSize.zero
  open var contentInset = UIEdgeInsets.zero
  open var refreshControl: UIRefreshControl? { didSet { refreshControl?.stubScrollView = self } }
  open var alwaysBounceVertical = false
  // developer.apple.com/documentation/uikit/uiscrollview/keyboarddismissmode-swift.enum
  public enum KeyboardDismissMode: Int, Sendable {
    case none, onDrag, interactive, onDragWithAccessory, interactiveWithAccessory
  }
  open var keyboardDismissMode = KeyboardDismissMode.none
  /// Whether it can be pulled beyond its top: short content does not bounce by itself.
  public var stubCanBePulled: Bool { alwaysBounceVertical || contentSize.height > bounds.height }
  open var adjustedContentInset: UIEdgeInsets {
    UIEdgeInsets(
      top: contentInset.top + safeAreaInsets.top, left: contentInset.left,
      bottom: contentInset.bottom + safeAreaInsets.bottom, right: contentInset.right)
  }
  /// The part of it that bars cover. Content at the top stays below them.
  public var stubSafeArea: UIEdgeInsets {
    get { safeAreaInsets }
    set {
      let wasAtTop = contentOffset.y == -adjustedContentInset.top
      safeAreaInsets = newValue
      if wasAtTop { contentOffset.y = -adjustedContentInset.top }
    }
  }
  func didScroll() {}

  /// Whether the content is held beyond an end, as a finger does.
  var stubIsPulled: Bool { stubNearest(to: contentOffset) != contentOffset }

  /// Returns the nearest offset that is not beyond the content.
  func stubNearest(to offset: CGPoint) -> CGPoint {
    let (top, bottom) = (-adjustedContentInset.top, adjustedContentInset.bottom)
    let end = max(top, contentSize.height + bottom - bounds.height)
    return CGPoint(x: offset.x, y: min(max(offset.y, top), end))
  }

  /// Scrolls before it is laid out, as a view does by itself during a batch.
  func stubScroll(beforeLayoutTo offset: CGPoint) {
    isBeforeLayout = true
    contentOffset = offset
    isBeforeLayout = false
  }
  private(set) var isBeforeLayout = false
}

// developer.apple.com/documentation/uikit/uicontentconfiguration
@MainActor @preconcurrency public protocol UIContentConfiguration {
  @MainActor @preconcurrency func makeContentView() -> any UIView & UIContentView
}

// developer.apple.com/documentation/uikit/uicontentview
@MainActor @preconcurrency public protocol UIContentView: NSObjectProtocol {
  @MainActor @preconcurrency var configuration: any UIContentConfiguration { get set }
  @MainActor @preconcurrency func supports(_ configuration: any UIContentConfiguration) -> Bool
}

/// What a cell shows. A cell that is used again keeps its view where that supports what it is to
/// show now: UIKit says so of `supports(_:)`, and hosted SwiftUI views live on with their states.
@MainActor
final class StubContent {
  var configuration: (any UIContentConfiguration)? {
    didSet {
      guard let configuration else { return view = nil }
      if let view, view.supports(configuration) {
        view.configuration = configuration
      } else {
        view = configuration.makeContentView()
      }
    }
  }
  private(set) var view: (any UIView & UIContentView)?
}

// developer.apple.com/documentation/uikit/uilistcontentconfiguration
public struct UIListContentConfiguration: UIContentConfiguration {
  init() {}
  public var text: String?
  public var secondaryText: String?
  public func makeContentView() -> any UIView & UIContentView { UIListContentView(self) }
}

// developer.apple.com/documentation/uikit/uilistcontentview
final class UIListContentView: UIView, UIContentView {
  var configuration: any UIContentConfiguration
  init(_ configuration: UIListContentConfiguration) {
    self.configuration = configuration
    super.init(frame: .zero)
  }
  func supports(_ configuration: any UIContentConfiguration) -> Bool {
    configuration is UIListContentConfiguration
  }
}

// developer.apple.com/documentation/uikit/uiviewcontroller
@MainActor open class UIViewController: UIResponder {
  public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {}
  public required init?(coder: NSCoder) { nil }
  open var view: UIView! = UIView(frame: .zero)
  open func viewDidLoad() {}
}
