@_exported public import Foundation
@_exported public import Observation

// What SwiftUI declares as nonisolated is on the main actor here, but for the protocols' own
// requirements: what compiles here compiles there.

// developer.apple.com/documentation/swiftui/view
@MainActor @preconcurrency public protocol View {
  associatedtype Body: View
  @ViewBuilder @MainActor @preconcurrency var body: Self.Body { get }
}

extension Never: View {
  public typealias Body = Never
  public var body: Never { fatalError("never has no body") }
}

extension Optional: View where Wrapped: View {
  public typealias Body = Never
}

extension View where Body == Never {
  public var body: Never { fatalError("\(Self.self) is drawn by SwiftUI itself") }
}

// developer.apple.com/documentation/swiftui/emptyview, tupleview, anyview, group
public struct EmptyView: View {
  public typealias Body = Never
  public init() {}
}

public struct TupleView<T>: View {
  public typealias Body = Never
  public var value: T
  public init(_ value: T) { self.value = value }
}

public struct AnyView: View {
  public typealias Body = Never
  let view: any View
  public init<V: View>(_ view: V) { self.view = view }
}

public struct Group<Content: View>: View {
  public typealias Body = Never
  let content: Content
  public init(@ViewBuilder content: () -> Content) { self.content = content() }
}

// developer.apple.com/documentation/swiftui/viewmodifier
@MainActor @preconcurrency public protocol ViewModifier {
  associatedtype Body: View
  typealias Content = _ViewModifier_Content<Self>
  @ViewBuilder @MainActor @preconcurrency func body(content: Self.Content) -> Self.Body
}

public struct _ViewModifier_Content<Modifier: ViewModifier>: View {
  public typealias Body = Never
  let view: any View
}

public struct ModifiedContent<Content: View, Modifier: ViewModifier>: View {
  let content: Content
  let modifier: Modifier
  public var body: some View { modifier.body(content: _ViewModifier_Content(view: content)) }
}

extension View {
  public func modifier<T>(
    _ modifier: T
  ) -> ModifiedContent<Self, T> { ModifiedContent(content: self, modifier: modifier) }
}
