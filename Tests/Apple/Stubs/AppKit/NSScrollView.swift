// developer.apple.com/documentation/appkit/nsclipview
@MainActor open class NSClipView: NSView {
  weak var document: NSView?
  override open var bounds: CGRect {
    get { document?.visibleRect ?? super.bounds }
    set { super.bounds = newValue }
  }
}

// developer.apple.com/documentation/appkit/nsscrollview
@MainActor open class NSScrollView: NSView {
  open var documentView: NSView? {
    didSet {
      contentView.document = documentView
      documentView?.stubEnclose(in: self)
    }
  }
  open var contentInsets = NSEdgeInsets()
  // developer.apple.com/documentation/appkit/nsscrollview/willstartlivescrollnotification
  nonisolated public static let willStartLiveScrollNotification = Notification.Name(
    "NSScrollViewWillStartLiveScrollNotification")
  open var hasVerticalScroller = false
  open var contentView = NSClipView(frame: .zero)

  /// What a reader does who scrolls.
  public func stubScroll(to y: Double) {
    NotificationCenter.default.post(name: Self.willStartLiveScrollNotification, object: self)
    documentView?.scroll(CGPoint(x: 0, y: y))
    NotificationCenter.default.post(name: NSView.boundsDidChangeNotification, object: contentView)
  }
}

extension NSView {
  // developer.apple.com/documentation/appkit/nsview/boundsdidchangenotification
  nonisolated public static let boundsDidChangeNotification = Notification.Name(
    "NSViewBoundsDidChangeNotification")
}
