public import AppKit
public import UIKit

// In place of Hosting.swift of the SwiftUI in Stubs, whose views are of UIKit and AppKit there.

// developer.apple.com/documentation/swiftui/uihostingconfiguration
@MainActor @preconcurrency
public struct UIHostingConfiguration<Content: View, Background: View>: UIContentConfiguration {
  public func makeContentView() -> any UIView & UIContentView { fatalError() }
}

extension UIHostingConfiguration where Background == EmptyView {
  public init(@ViewBuilder content: () -> Content) { fatalError() }
}

// developer.apple.com/documentation/swiftui/nshostingview
@MainActor @preconcurrency open class NSHostingView<Content: View>: NSView {
  open var rootView: Content
  @preconcurrency public required init(rootView: Content) {
    self.rootView = rootView
    super.init()
  }
}
