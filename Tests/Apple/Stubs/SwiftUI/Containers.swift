public import Foundation

// developer.apple.com/documentation/swiftui/vstack, hstack, zstack, spacer, divider
public struct HorizontalAlignment: Equatable, Sendable {
  public static let leading = Self()
  public static let center = Self()
  public static let trailing = Self()
}

public struct VerticalAlignment: Equatable, Sendable {
  public static let top = Self()
  public static let center = Self()
  public static let bottom = Self()
  public static let firstTextBaseline = Self()
}

public struct Alignment: Equatable, Sendable {
  public static let center = Self()
  public static let leading = Self()
  public static let top = Self()
  public static let bottom = Self()
}

public struct VStack<Content: View>: View, Drawn {
  public typealias Body = Never
  let content: Content
  public init(
    alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil,
    @ViewBuilder content: () -> Content
  ) { self.content = content() }
  func draw(in node: Node) { node.child("content").draw(content) }
}

public struct HStack<Content: View>: View, Drawn {
  public typealias Body = Never
  let content: Content
  public init(
    alignment: VerticalAlignment = .center, spacing: CGFloat? = nil,
    @ViewBuilder content: () -> Content
  ) { self.content = content() }
  func draw(in node: Node) { node.child("content").draw(content) }
}

public struct ZStack<Content: View>: View, Drawn {
  public typealias Body = Never
  let content: Content
  public init(
    alignment: Alignment = .center, @ViewBuilder content: () -> Content
  ) { self.content = content() }
  func draw(in node: Node) { node.child("content").draw(content) }
}

public struct Spacer: View, Drawn {
  public typealias Body = Never
  public init(minLength: CGFloat? = nil) {}
  func draw(in node: Node) {}
}

// developer.apple.com/documentation/swiftui/foreach
public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content> {
  public var data: Data
  public var content: (Data.Element) -> Content
  let id: (Data.Element) -> ID
}

// developer.apple.com/documentation/swiftui/dynamicviewcontent
@MainActor @preconcurrency public protocol DynamicViewContent<Data>: View {
  associatedtype Data: Collection
  @MainActor @preconcurrency var data: Self.Data { get }
}

extension DynamicViewContent {
  public func onMove(perform action: ((IndexSet, Int) -> Void)?) -> some DynamicViewContent {
    Moved(content: self, action: action)
  }
}

/// Rows that the reader can drag.
private struct Moved<Content: DynamicViewContent>: DynamicViewContent, Drawn {
  typealias Body = Never
  let content: Content
  let action: ((IndexSet, Int) -> Void)?
  var data: Content.Data { content.data }
  func draw(in node: Node) {
    node.host?.move = action
    node.child("content").draw(content)
  }
}

extension ForEach: View where Content: View {
  public typealias Body = Never
}

extension ForEach: DynamicViewContent where Content: View {}

extension ForEach: Drawn where Content: View {
  func draw(in node: Node) {
    for element in data { node.child(id(element)).draw(content(element)) }
  }
}

extension ForEach where ID == Data.Element.ID, Content: View, Data.Element: Identifiable {
  public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content) {
    (self.data, self.content, id) = (data, content, { $0.id })
  }
}

extension ForEach where Content: View {
  public init(
    _ data: Data, id: KeyPath<Data.Element, ID>,
    @ViewBuilder content: @escaping (Data.Element) -> Content
  ) {
    (self.data, self.content, self.id) = (data, content, { $0[keyPath: id] })
  }
}

// developer.apple.com/documentation/swiftui/list, section
public struct List<SelectionValue: Hashable, Content: View>: View, Drawn {
  public typealias Body = Never
  let content: Content
  func draw(in node: Node) { node.child("content").draw(content) }
}

extension List where SelectionValue == Never {
  public init(@ViewBuilder content: () -> Content) { self.content = content() }
  public init<Data: RandomAccessCollection, RowContent: View>(
    _ data: Data, @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent
  ) where Content == ForEach<Data, Data.Element.ID, RowContent>, Data.Element: Identifiable {
    content = ForEach(data, content: rowContent)
  }
}

public struct Section<Parent: View, Content: View, Footer: View>: View, Drawn {
  public typealias Body = Never
  let header: Parent
  let content: Content
  let footer: Footer
  func draw(in node: Node) {
    node.child("header").draw(header)
    node.child("content").draw(content)
    node.child("footer").draw(footer)
  }
}

extension Section where Parent == Text, Footer == EmptyView {
  public init<Title: StringProtocol>(
    _ title: Title, @ViewBuilder content: () -> Content
  ) {
    (header, self.content, footer) = (Text(title), content(), EmptyView())
  }
}

// developer.apple.com/documentation/swiftui/navigationstack, navigationlink, tabview, tab
public struct NavigationStack<Data, Root: View>: View, Drawn {
  public typealias Body = Never
  let root: Root
  func draw(in node: Node) { node.child("root").draw(root) }
}

extension NavigationStack where Data == NavigationPath {
  public init(@ViewBuilder root: () -> Root) { self.root = root() }
}

public struct NavigationPath: Sendable {
  public init() {}
}

public struct NavigationLink<Label: View, Destination: View>: View, Drawn {
  public typealias Body = Never
  let label: Label
  func draw(in node: Node) { node.child("label").draw(label) }
}

extension NavigationLink where Destination == Never {
  public init<P: Hashable>(value: P?, @ViewBuilder label: () -> Label) {
    self.label = label()
  }
}

extension NavigationLink {
  public init(
    @ViewBuilder destination: () -> Destination, @ViewBuilder label: () -> Label
  ) { self.label = label() }
}

public struct TabView<SelectionValue: Hashable, Content: View>: View, Drawn {
  public typealias Body = Never
  let content: Content
  func draw(in node: Node) { node.child("content").draw(content) }
}

extension TabView where SelectionValue == Int {
  public init(@ViewBuilder content: () -> Content) { self.content = content() }
}

// developer.apple.com/documentation/swiftui/app, scene, windowgroup
@MainActor @preconcurrency public protocol Scene {
  associatedtype Body: Scene
  @SceneBuilder @MainActor @preconcurrency var body: Self.Body { get }
}

extension Never: Scene {}

@MainActor @resultBuilder public struct SceneBuilder {
  public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
}

@MainActor @preconcurrency public protocol App {
  associatedtype Body: Scene
  @SceneBuilder @MainActor @preconcurrency var body: Self.Body { get }
  @MainActor @preconcurrency init()
}

extension App {
  @MainActor @preconcurrency public static func main() {}
}

public struct WindowGroup<Content: View>: Scene {
  public init(@ViewBuilder makeContent: @escaping () -> Content) {}
  public var body: Never { fatalError("SwiftUI draws windows itself") }
}

// developer.apple.com/documentation/swiftui/previewprovider
@MainActor @preconcurrency public protocol PreviewProvider {
  associatedtype Previews: View
  @ViewBuilder @MainActor @preconcurrency static var previews: Self.Previews { get }
}
