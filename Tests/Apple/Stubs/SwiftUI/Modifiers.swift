public import Foundation

// developer.apple.com/documentation/swiftui/view-appearance: nothing that tests look at.
public struct Font: Hashable, Sendable {
  public static let body = Font()
  public static let headline = Font()
  public static let subheadline = Font()
  public static let caption = Font()
  public static let title = Font()
  public func monospacedDigit() -> Font { self }
}

public protocol ShapeStyle: Sendable {}

public struct Color: ShapeStyle, Hashable, View, Drawn {
  public typealias Body = Never
  public static let clear = Color()
  public static let yellow = Color()
  public static let red = Color()
  func draw(in node: Node) {}
}

public struct HierarchicalShapeStyle: ShapeStyle {
  public static let primary = Self()
  public static let secondary = Self()
}

extension ShapeStyle where Self == HierarchicalShapeStyle {
  public static var primary: HierarchicalShapeStyle { .primary }
  public static var secondary: HierarchicalShapeStyle { .secondary }
}

extension ShapeStyle where Self == Color {
  @MainActor public static var yellow: Color { .yellow }
  @MainActor public static var red: Color { .red }
}

public enum Edge: Int8, Sendable {
  case top, leading, bottom, trailing

  public struct Set: OptionSet, Sendable {
    public let rawValue: Int8
    public init(rawValue: Int8) { self.rawValue = rawValue }
    public static let all = Set(rawValue: 15)
    public static let top = Set(rawValue: 1)
    public static let leading = Set(rawValue: 2)
    public static let bottom = Set(rawValue: 4)
    public static let trailing = Set(rawValue: 8)
    public static let horizontal = Set(rawValue: 10)
    public static let vertical = Set(rawValue: 5)
  }
}

extension View {
  public func opacity(_ opacity: Double) -> some View { Modified(self) }
  public func font(_ font: Font?) -> some View { Modified(self) }
  public func foregroundStyle<S: ShapeStyle>(_ style: S) -> some View {
    Modified(self)
  }
  public func tint(_ tint: Color?) -> some View { Modified(self) }
  public func padding(_ edges: Edge.Set = .all, _ length: CGFloat? = nil) -> some View {
    Modified(self)
  }
  public func frame(
    minWidth: CGFloat? = nil, idealWidth: CGFloat? = nil, maxWidth: CGFloat? = nil,
    minHeight: CGFloat? = nil, idealHeight: CGFloat? = nil, maxHeight: CGFloat? = nil,
    alignment: Alignment = .center
  ) -> some View { Modified(self) }
  public func background<S: ShapeStyle>(
    _ style: S, ignoresSafeAreaEdges edges: Edge.Set = .all
  ) -> some View { Modified(self) }
  public func disabled(_ disabled: Bool) -> some View { Modified(self) }
  // developer.apple.com/documentation/swiftui/view/ignoressafearea(_:edges:)
  public func ignoresSafeArea(
    _ regions: SafeAreaRegions = .all, edges: Edge.Set = .all
  ) -> some View {
    Modified(self) { $0.host?.ignoredSafeArea = (regions, edges) }
  }
  public func accessibilityLabel(_ label: Text) -> some View { Modified(self) }
  public func accessibilityLabel<Label: StringProtocol>(
    _ label: Label
  ) -> some View { Modified(self) }
  public func navigationTitle<Title: StringProtocol>(_ title: Title) -> some View {
    Modified(self)
  }
  public func navigationDestination<Data: Hashable, Content: View>(
    for data: Data.Type, @ViewBuilder destination: @escaping (Data) -> Content
  ) -> some View { Modified(self) }
  public func navigationDestination<Item: Hashable, Content: View>(
    item: Binding<Item?>, @ViewBuilder destination: @escaping (Item) -> Content
  ) -> some View { Modified(self) }
  public func tabItem<V: View>(@ViewBuilder _ label: () -> V) -> some View {
    Modified(self)
  }
  public func swipeActions<Content: View>(
    edge: HorizontalEdge = .trailing, allowsFullSwipe: Bool = true,
    @ViewBuilder content: () -> Content
  ) -> some View { Modified(self) }
  // developer.apple.com/documentation/swiftui/view/id(_:)
  public func id<ID: Hashable>(_ id: ID) -> some View { Identified(content: self, id: id) }
  public func previewDisplayName(_ value: String?) -> some View { Modified(self) }
}

/// A view whose states begin anew where its identity changes.
private struct Identified<Content: View, ID: Hashable>: View, Drawn {
  typealias Body = Never
  let content: Content
  let id: ID

  func draw(in node: Node) {
    node.child(id).draw(content)
    node.removeOtherChildren()
  }
}

// developer.apple.com/documentation/swiftui/safearearegions
public struct SafeAreaRegions: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
  public static let all = Self(rawValue: .max)
  public static let container = Self(rawValue: 1)
  public static let keyboard = Self(rawValue: 2)
}

public enum HorizontalEdge: Sendable { case leading, trailing }

extension View {
  // developer.apple.com/documentation/swiftui/view/overlay(alignment:content:)
  public func overlay<Content: View>(
    alignment: Alignment = .center, @ViewBuilder content: () -> Content
  ) -> some View {
    let content = content()
    return Modified(self) { $0.child("overlay").draw(content) }
  }

  // developer.apple.com/documentation/swiftui/view/background(alignment:content:)
  public func background<Content: View>(
    alignment: Alignment = .center, @ViewBuilder content: () -> Content
  ) -> some View {
    let content = content()
    return Modified(self) { $0.child("background").draw(content) }
  }

  // developer.apple.com/documentation/swiftui/view/refreshable(action:)
  @MainActor public func refreshable(
    action: @escaping @Sendable () async -> Void
  ) -> some View {
    Modified(self) { node in
      node.environment[RefreshKey.self] = RefreshAction(action: action)
    }
  }

  // developer.apple.com/documentation/swiftui/view/onappear(perform:)
  public func onAppear(perform action: (() -> Void)? = nil) -> some View {
    Modified(self) { node in
      if node.stored == nil { action?() }
      node.stored = true
    }
  }

  // developer.apple.com/documentation/swiftui/view/task(name:priority:file:line:_:)
  @MainActor public func task(
    name: String? = nil, priority: TaskPriority = .userInitiated, file: String = #fileID,
    line: Int = #line,
    @_inheritActorContext _ action: sending @escaping @isolated(any) () async -> Void
  ) -> some View {
    Modified(self) { node in
      if node.stored == nil { node.stored = Task { await action() } }
    }
  }

  // developer.apple.com/documentation/swiftui/view/onchange(of:initial:_:)
  public func onChange<Value: Equatable>(
    of value: Value, initial: Bool = false,
    _ action: @escaping (_ oldValue: Value, _ newValue: Value) -> Void
  ) -> some View {
    Modified(self) { node in
      let old = (node.stored as? [Value])?.first
      node.stored = [value]
      if let old {
        if old != value { action(old, value) }
      } else if initial {
        action(value, value)
      }
    }
  }
  public func onChange<Value: Equatable>(
    of value: Value, initial: Bool = false, _ action: @escaping () -> Void
  ) -> some View {
    onChange(of: value, initial: initial) { _, _ in action() }
  }

  // developer.apple.com/documentation/swiftui/view/searchable(text:placement:prompt:)
  public func searchable(
    text: Binding<String>, placement: SearchFieldPlacement = .automatic, prompt: Text? = nil
  ) -> some View {
    Modified(self) { $0.host?.search = text }
  }
  public func searchable<Prompt: StringProtocol>(
    text: Binding<String>, placement: SearchFieldPlacement = .automatic, prompt: Prompt
  ) -> some View {
    searchable(text: text, placement: placement, prompt: Text(prompt))
  }

  // developer.apple.com/documentation/swiftui/view/onsubmit(of:_:)
  public func onSubmit(
    of triggers: SubmitTriggers = .text, _ action: @escaping () -> Void
  ) -> some View {
    Modified(self) { $0.host?.submit = action }
  }
}

public struct SearchFieldPlacement: Sendable {
  public static let automatic = Self()
}

public struct SubmitTriggers: OptionSet, Sendable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }
  public static let text = Self(rawValue: 1)
  public static let search = Self(rawValue: 2)
}
