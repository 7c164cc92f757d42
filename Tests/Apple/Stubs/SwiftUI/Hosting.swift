public import AppKit
public import UIKit

/// What shows a SwiftUI view inside of a view of the platform, with its states.
@MainActor public protocol StubHosting {
  var stubHost: StubHost { get }
}

// developer.apple.com/documentation/swiftui/uihostingconfiguration
@MainActor @preconcurrency
public struct UIHostingConfiguration<Content: View, Background: View>: UIContentConfiguration {
  let content: Content
  public func makeContentView() -> any UIView & UIContentView { StubHostingView(self) }
}

/// The view of a hosting configuration: what is shown in it next takes the place of what was, and
/// only an identity of its own keeps their states apart.
final class StubHostingView<Content: View, Background: View>: UIView, UIContentView, StubHosting {
  let stubHost: StubHost
  var configuration: any UIContentConfiguration {
    didSet {
      if let new = configuration as? UIHostingConfiguration<Content, Background> {
        stubHost.show(new.content)
      }
    }
  }

  init(_ configuration: UIHostingConfiguration<Content, Background>) {
    self.configuration = configuration
    stubHost = StubHost(configuration.content)
    super.init(frame: .zero)
  }

  func supports(_ configuration: any UIContentConfiguration) -> Bool {
    configuration is UIHostingConfiguration<Content, Background>
  }
}

extension UIHostingConfiguration where Background == EmptyView {
  public init(@ViewBuilder content: () -> Content) { self.content = content() }
}

// developer.apple.com/documentation/swiftui/nshostingview
@MainActor @preconcurrency open class NSHostingView<Content: View>: NSView, StubHosting {
  open var rootView: Content { didSet { stubHost.show(rootView) } }
  public let stubHost: StubHost
  @preconcurrency public required init(rootView: Content) {
    self.rootView = rootView
    stubHost = StubHost(rootView)
    super.init(frame: .zero)
  }
  public required init(frame frameRect: CGRect) { fatalError("use init(rootView:)") }
}
