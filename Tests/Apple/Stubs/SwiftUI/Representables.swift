public import AppKit
public import UIKit

// developer.apple.com/documentation/swiftui/uiviewrepresentable
@MainActor @preconcurrency public protocol UIViewRepresentable: View where Body == Never {
  associatedtype UIViewType: UIView
  associatedtype Coordinator = Void
  typealias Context = UIViewRepresentableContext<Self>
  @MainActor @preconcurrency func makeUIView(context: Self.Context) -> Self.UIViewType
  @MainActor @preconcurrency func updateUIView(_ uiView: Self.UIViewType, context: Self.Context)
  @MainActor @preconcurrency func makeCoordinator() -> Self.Coordinator
}

@MainActor @preconcurrency
public struct UIViewRepresentableContext<Representable: UIViewRepresentable> {
  public let coordinator: Representable.Coordinator
  public let environment: EnvironmentValues
}

extension UIViewRepresentable where Coordinator == Void {
  @MainActor @preconcurrency public func makeCoordinator() {}
}

// developer.apple.com/documentation/swiftui/nsviewrepresentable
@MainActor @preconcurrency public protocol NSViewRepresentable: View where Body == Never {
  associatedtype NSViewType: NSView
  associatedtype Coordinator = Void
  typealias Context = NSViewRepresentableContext<Self>
  @MainActor @preconcurrency func makeNSView(context: Self.Context) -> Self.NSViewType
  @MainActor @preconcurrency func updateNSView(_ nsView: Self.NSViewType, context: Self.Context)
  @MainActor @preconcurrency func makeCoordinator() -> Self.Coordinator
}

@MainActor @preconcurrency
public struct NSViewRepresentableContext<View: NSViewRepresentable> {
  public let coordinator: View.Coordinator
  public let environment: EnvironmentValues
}

extension NSViewRepresentable where Coordinator == Void {
  @MainActor @preconcurrency public func makeCoordinator() {}
}

// developer.apple.com/documentation/swiftui/uiviewcontrollerrepresentable
@MainActor @preconcurrency public protocol UIViewControllerRepresentable: View where Body == Never {
  associatedtype UIViewControllerType: UIViewController
  associatedtype Coordinator = Void
  typealias Context = UIViewControllerRepresentableContext<Self>
  @MainActor @preconcurrency func makeUIViewController(
    context: Self.Context
  ) -> Self.UIViewControllerType
  @MainActor @preconcurrency func updateUIViewController(
    _ uiViewController: Self.UIViewControllerType, context: Self.Context)
  @MainActor @preconcurrency func makeCoordinator() -> Self.Coordinator
}

@MainActor @preconcurrency
public struct UIViewControllerRepresentableContext<Representable: UIViewControllerRepresentable> {
  public let coordinator: Representable.Coordinator
  public let environment: EnvironmentValues
}

extension UIViewControllerRepresentable where Coordinator == Void {
  @MainActor @preconcurrency public func makeCoordinator() {}
}

extension Node {
  /// Makes the platform's view the first time, and updates it each time, as SwiftUI does: also
  /// where what it read in doing so changes.
  func draw<Coordinator, Made: AnyObject>(
    _ view: any View, _ coordinator: () -> Coordinator, make: (Coordinator) -> Made,
    update: (Made, Coordinator) -> Void, again: @escaping @MainActor () -> Void
  ) {
    host?.mark(self, nil)
    link(view)
    let draw = nextDraw()
    let changed: @MainActor () -> Void = { [weak self] in
      if let self, draws == draw { host?.mark(self, again) }
    }
    withObservationTracking {
      let old = stored as? (Coordinator, Made)
      let coordinator = old?.0 ?? coordinator()
      let made = old?.1 ?? make(coordinator)
      stored = (coordinator, made)
      host?.note(updateOf: type(of: view))
      StubHost.updatesUnderWay += 1
      update(made, coordinator)
      StubHost.updatesUnderWay -= 1
      views = [made]
    } onChange: {
      MainActor.assumeIsolated(changed)
    }
  }

  func drawRepresentable(_ view: some UIViewRepresentable) {
    draw(view, view.makeCoordinator) {
      view.makeUIView(context: .init(coordinator: $0, environment: environment))
    } update: {
      view.updateUIView($0, context: .init(coordinator: $1, environment: environment))
    } again: { [weak self] in
      self?.drawRepresentable(view)
    }
  }

  func drawRepresentable(_ view: some NSViewRepresentable) {
    draw(view, view.makeCoordinator) {
      view.makeNSView(context: .init(coordinator: $0, environment: environment))
    } update: {
      view.updateNSView($0, context: .init(coordinator: $1, environment: environment))
    } again: { [weak self] in
      self?.drawRepresentable(view)
    }
  }
}
