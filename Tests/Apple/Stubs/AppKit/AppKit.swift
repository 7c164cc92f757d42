@_exported public import StubViews

// Each group names the page of Apple's documentation that its declarations follow.

// developer.apple.com/documentation/foundation/nsrange-swift.typealias: a table says so where no
// row is.
public let NSNotFound = Int.max

// developer.apple.com/documentation/appkit/nsresponder
@MainActor open class NSResponder: NSObject {}

// developer.apple.com/documentation/appkit/nsview
@MainActor open class NSView: NSResponder {
  // Not `required` in AppKit, which makes views of registered classes by other means.
  public required init(frame frameRect: NSRect) { frame = frameRect }
  public convenience override init() { self.init(frame: .zero) }

  open var frame: CGRect
  open var bounds: CGRect {
    get { CGRect(x: 0, y: 0, width: frame.width, height: frame.height) }
    set { frame.size = newValue.size }
  }
  open var postsBoundsChangedNotifications = false
  open private(set) weak var superview: NSView?
  open var subviews: [NSView] = []
  open var window: NSWindow? { stubWindow }
  /// The window that the view is put into.
  public var stubWindow: NSWindow? { didSet { viewDidMoveToWindow() } }
  open var identifier: NSUserInterfaceItemIdentifier?
  /// What of the view is visible, as in a scroll view around it.
  open var visibleRect: CGRect { CGRect(origin: stubOrigin, size: frame.size) }
  /// Where the visible part begins.
  public var stubOrigin = CGPoint.zero { didSet { if stubOrigin != oldValue { didScroll() } } }

  open func scroll(_ point: CGPoint) { stubOrigin = point }
  open func layout() {}
  open func layoutSubtreeIfNeeded() { layout() }
  open func viewDidMoveToWindow() { layout() }
  open fileprivate(set) weak var enclosingScrollView: NSScrollView?
  open func animator() -> Self { self }
  public struct AutoresizingMask: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let width = AutoresizingMask(rawValue: 2)
    public static let height = AutoresizingMask(rawValue: 16)
  }
  open var autoresizingMask: AutoresizingMask = []
  open func addSubview(_ view: NSView) { subviews.append(view) }
  func didScroll() {}
  func stubEnclose(in scrollView: NSScrollView) { enclosingScrollView = scrollView }
}

// developer.apple.com/documentation/foundation/nsedgeinsets
public struct NSEdgeInsets: Sendable {
  public var top, left, bottom, right: CGFloat
  public init(top: CGFloat, left: CGFloat, bottom: CGFloat, right: CGFloat) {
    (self.top, self.left, self.bottom, self.right) = (top, left, bottom, right)
  }
  public init() { self.init(top: 0, left: 0, bottom: 0, right: 0) }
}

// developer.apple.com/documentation/appkit/nswindow
@MainActor open class NSWindow: NSResponder {}

// developer.apple.com/documentation/appkit/nsuserinterfaceitemidentifier
public struct NSUserInterfaceItemIdentifier: RawRepresentable, Hashable, Sendable {
  public let rawValue: String
  public init(_ rawValue: String) { self.rawValue = rawValue }
  public init(rawValue: String) { self.rawValue = rawValue }
}

// developer.apple.com/documentation/appkit/nstextfield
@MainActor open class NSTextField: NSView {
  public convenience init(labelWithString stringValue: String) {
    self.init(frame: .zero)
    self.stringValue = stringValue
  }
  open var stringValue = ""
}

// developer.apple.com/documentation/appkit/nsviewcontroller
@MainActor open class NSViewController: NSResponder {
  open var view = NSView(frame: .zero)
  open func loadView() {}
}

// developer.apple.com/documentation/appkit/nsanimationcontext
@MainActor open class NSAnimationContext: NSObject {
  open var duration: TimeInterval = 0.25
  private static var groups = [NSAnimationContext()]
  open class var current: NSAnimationContext { groups[groups.count - 1] }
  open class func beginGrouping() { groups.append(NSAnimationContext()) }
  open class func endGrouping() { groups.removeLast() }
}
