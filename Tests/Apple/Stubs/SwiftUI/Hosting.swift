public import AppKit
public import UIKit

/// What shows a SwiftUI view inside of a view of the platform.
@MainActor public protocol StubHosting {
  /// The view, drawn.
  func stubHost() -> StubHost
}

// developer.apple.com/documentation/swiftui/uihostingconfiguration
@MainActor @preconcurrency
public struct UIHostingConfiguration<Content: View, Background: View>: UIContentConfiguration,
  StubHosting
{
  let content: Content
  public func stubHost() -> StubHost { StubHost(content) }
}

extension UIHostingConfiguration where Background == EmptyView {
  public init(@ViewBuilder content: () -> Content) { self.content = content() }
}

// developer.apple.com/documentation/swiftui/nshostingview
@MainActor @preconcurrency open class NSHostingView<Content: View>: NSView, StubHosting {
  open var rootView: Content
  @preconcurrency public required init(rootView: Content) {
    self.rootView = rootView
    super.init(frame: .zero)
  }
  public required init(frame frameRect: CGRect) { fatalError("use init(rootView:)") }
  public func stubHost() -> StubHost { StubHost(rootView) }
}
