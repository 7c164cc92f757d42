public import Foundation

/// Draws views as far as tests look at them: bodies are called and counted, states live where their
/// views stand, and `update()` calls the bodies again that read what changed.
@MainActor
public final class StubHost {
  private let node = Node()
  private var stale: [ObjectIdentifier: @MainActor () -> Void] = [:]
  /// How often the body of each type of view was called.
  public private(set) var bodies: [String: Int] = [:]
  /// The search field, if there is one.
  public internal(set) var search: Binding<String>?
  /// The safe area that what is shown extends into.
  public internal(set) var ignoredSafeArea: (regions: SafeAreaRegions, edges: Edge.Set)?
  /// What happens when the reader drags rows, of the list that can be dragged.
  public internal(set) var move: ((IndexSet, Int) -> Void)?
  /// What happens when the reader submits a search.
  public internal(set) var submit: (() -> Void)?

  public init(_ root: some View) {
    node.host = self
    show(root)
  }

  /// Shows another view, in the place of the one before.
  public func show(_ root: some View) { node.draw(root) }

  /// Calls the bodies again that read what changed since.
  ///
  /// - Returns: whether there were any.
  @discardableResult
  public func update() -> Bool {
    let wasStale = !stale.isEmpty
    while let (id, draw) = stale.first {
      stale[id] = nil
      draw()
    }
    return wasStale
  }

  /// What the screen says.
  public var texts: [String] { node.all.flatMap(\.texts) }
  /// The platform's views.
  public var views: [AnyObject] { node.all.flatMap(\.views) }

  /// Presses the button that says so; whether there is one.
  @discardableResult
  public func press(_ title: String) -> Bool {
    guard let button = node.all.lazy.flatMap(\.buttons).first(where: { $0.title == title }) else {
      return false
    }
    button.action()
    return true
  }

  /// How often each type of platform view was updated.
  public private(set) var updates: [String: Int] = [:]
  func note(updateOf type: Any.Type) {
    updates[String("\(type)".prefix { $0 != "<" }), default: 0] += 1
  }
  /// What SwiftUI warns of at run time: states that are written while views are updated.
  public internal(set) static var warnings: [String] = []
  static var updatesUnderWay = 0
  nonisolated static func noteChangeOfState() {
    MainActor.assumeIsolated {
      if updatesUnderWay > 0 { warnings.append("a state is modified during a view update") }
    }
  }
  func note(body: Any.Type) { bodies[String("\(body)".prefix { $0 != "<" }), default: 0] += 1 }
  func mark(_ node: Node, _ draw: (@MainActor () -> Void)?) { stale[ObjectIdentifier(node)] = draw }
}

/// A view that is drawn without a body.
@MainActor protocol Drawn {
  func draw(in node: Node)
}

/// A place in the tree of views.
@MainActor
final class Node {
  weak var host: StubHost?
  var environment = EnvironmentValues()
  /// What lives as long as the place is drawn: a platform's view and its coordinator, a value to
  /// compare.
  var stored: Any?
  var texts: [String] = []
  var views: [AnyObject] = []
  var buttons: [(title: String, action: @MainActor () -> Void)] = []
  /// How often the place was drawn: what an earlier draw read is of no account.
  private(set) var draws = 0
  private var states: [String: StateBox] = [:]
  private var children: [AnyHashable: Node] = [:]
  /// The children that are drawn, in their order.
  private var drawn: [Node] = []

  /// What is drawn here and below.
  var all: [Node] { [self] + drawn.flatMap(\.all) }

  func child(_ key: AnyHashable) -> Node {
    let child = children[key] ?? Node()
    children[key] = child
    child.host = host
    child.environment = environment
    if !drawn.contains(where: { $0 === child }) { drawn.append(child) }
    return child
  }

  /// Forgets the children that were not drawn this time, and with them their states.
  func removeOtherChildren() {
    children = children.filter { child in drawn.contains { $0 === child.value } }
  }

  func nextDraw() -> Int {
    draws += 1
    return draws
  }

  func draw(_ view: any View) {
    (texts, views, buttons, drawn) = ([], [], [], [])
    if let drawn = view as? any Drawn { return drawn.draw(in: self) }
    if let view = view as? any UIViewRepresentable { return child("UIKit").drawRepresentable(view) }
    if let view = view as? any NSViewRepresentable {
      return child("AppKit").drawRepresentable(view)
    }
    child("\(type(of: view))").drawBody(of: view)
  }

  private func drawBody<Content: View>(of view: Content) {
    host?.mark(self, nil)
    let draw = nextDraw()
    let changed: @MainActor () -> Void = { [weak self] in
      if self?.draws == draw { self?.isStale(view) }
    }
    link(view, changed: changed)
    host?.note(body: Content.self)
    let body = withObservationTracking {
      view.body
    } onChange: {
      MainActor.assumeIsolated(changed)
    }
    drawn = []
    child("body").draw(body)
  }

  private func isStale<Content: View>(_ view: Content) {
    host?.mark(self) { [weak self] in self?.drawBody(of: view) }
  }

  /// Lets the properties of a view find what belongs to its place.
  func link(_ view: Any, changed: @escaping @MainActor () -> Void = {}) {
    for (label, value) in Mirror(reflecting: view).children {
      if let property = value as? any DynamicProperty { link(property, label ?? "", changed) }
    }
  }

  private func link(
    _ property: any DynamicProperty, _ label: String, _ changed: @escaping @MainActor () -> Void
  ) {
    if let state = property as? any LinkedState {
      let first = states[label] ?? state.box
      states[label] = first
      if first !== state.box { state.box.linked = first }
      first.changed = { MainActor.assumeIsolated(changed) }
    } else if let values = property as? any LinkedEnvironment {
      values.box.values = environment
    } else {
      let place = children[label] ?? Node()
      children[label] = place
      place.environment = environment
      place.link(property, changed: changed)
      var property = property
      property.update()
    }
  }
}

@MainActor protocol LinkedState { var box: StateBox { get } }
@MainActor protocol LinkedEnvironment { var box: EnvironmentBox { get } }
extension Environment: @MainActor LinkedEnvironment {}

extension EmptyView: Drawn {
  func draw(in node: Node) {}
}

extension TupleView: Drawn {
  func draw(in node: Node) {
    for (index, child) in Mirror(reflecting: value).children.enumerated() {
      if let view = child.value as? any View { node.child(index).draw(view) }
    }
  }
}

extension _ConditionalContent: Drawn {
  func draw(in node: Node) {
    switch self {
    case .first(let view): node.child("first").draw(view)
    case .second(let view): node.child("second").draw(view)
    }
  }
}

extension Optional: Drawn where Wrapped: View {
  func draw(in node: Node) {
    if let self { node.child("some").draw(self) }
  }
}

extension AnyView: Drawn {
  func draw(in node: Node) { node.child("\(type(of: view))").draw(view) }
}

extension Group: Drawn {
  func draw(in node: Node) { node.child("group").draw(content) }
}

extension _ViewModifier_Content: Drawn {
  func draw(in node: Node) { node.child("content").draw(view) }
}

/// A view with something done to it that is drawn.
struct Modified<Content: View>: View, Drawn {
  typealias Body = Never
  let content: Content
  let change: @MainActor (Node) -> Void

  init(_ content: Content, _ change: @escaping @MainActor (Node) -> Void = { _ in }) {
    self.content = content
    self.change = change
  }

  func draw(in node: Node) {
    let inner = node.child("modified")
    change(inner)
    inner.child("content").draw(content)
  }
}
