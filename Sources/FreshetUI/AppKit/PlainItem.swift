#if canImport(AppKit) && !targetEnvironment(macCatalyst)
  internal import AppKit

  /// A line of text in a collection view.
  final class PlainItem: NSCollectionViewItem {
    let label = NSTextField(labelWithString: "")

    override func loadView() { view = label }
  }

  /// A line of text above or below a section of a collection view.
  final class PlainSupplement: NSView {
    private let label = NSTextField(labelWithString: "")

    func show(_ text: String) {
      label.stringValue = text
      guard label.superview == nil else { return }
      label.autoresizingMask = [.width, .height]
      label.frame = bounds
      addSubview(label)
    }
  }
#endif
