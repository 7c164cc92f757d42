// developer.apple.com/documentation/swiftui/text
public struct Text: View, Drawn, Equatable, Sendable {
  public typealias Body = Never
  let text: String
  public init<Content: StringProtocol>(_ content: Content) { text = String(content) }
  public init(verbatim content: String) { text = content }
  public init<F: FormatStyle>(_ input: F.FormatInput, format: F)
  where F.FormatInput: Equatable, F.FormatOutput == String {
    text = format.format(input)
  }
  public init(_ date: Date, style: DateStyle) { text = "\(date)" }
  func draw(in node: Node) { node.texts = [text] }

  public struct DateStyle: Equatable, Sendable {
    public static let time = DateStyle()
    public static let date = DateStyle()
    public static let relative = DateStyle()
  }
}

// developer.apple.com/documentation/swiftui/image, label
public struct Image: View, Drawn, Sendable {
  public typealias Body = Never
  let name: String
  public init(systemName: String) { name = systemName }
  func draw(in node: Node) {}
}

public struct Label<Title: View, Icon: View>: View, Drawn {
  public typealias Body = Never
  let title: Title
  let icon: Icon
  public init(@ViewBuilder title: () -> Title, @ViewBuilder icon: () -> Icon) {
    (self.title, self.icon) = (title(), icon())
  }
  func draw(in node: Node) { node.child("title").draw(title) }
}

extension Label where Title == Text, Icon == Image {
  public init<Content: StringProtocol>(_ title: Content, systemImage name: String) {
    (self.title, icon) = (Text(title), Image(systemName: name))
  }
}

// developer.apple.com/documentation/swiftui/button, buttonrole
public struct ButtonRole: Equatable, Sendable {
  public static let destructive = ButtonRole()
  public static let cancel = ButtonRole()
}

public struct Button<Label: View>: View, Drawn {
  public typealias Body = Never
  let action: @MainActor () -> Void
  let label: Label

  @preconcurrency
  public init(
    action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label
  ) {
    (self.action, self.label) = (action, label())
  }

  func draw(in node: Node) {
    let inside = StubHost(label)
    node.buttons = [(inside.texts.joined(separator: " "), action)]
    node.child("label").draw(label)
  }
}

extension Button where Label == Text {
  @preconcurrency
  public init<Content: StringProtocol>(
    _ title: Content, action: @escaping @MainActor () -> Void
  ) {
    self.init(action: action) { Text(title) }
  }
  @preconcurrency
  public init<Content: StringProtocol>(
    _ title: Content, role: ButtonRole?, action: @escaping @MainActor () -> Void
  ) {
    self.init(action: action) { Text(title) }
  }
}

extension Button where Label == SwiftUI.Label<Text, Image> {
  @MainActor public init<Content: StringProtocol>(
    _ title: Content, systemImage: String, action: @escaping @MainActor () -> Void
  ) {
    self.init(action: action) { SwiftUI.Label(title, systemImage: systemImage) }
  }
}

// developer.apple.com/documentation/swiftui/progressview
public struct ProgressView<Label: View, CurrentValueLabel: View>: View, Drawn {
  public typealias Body = Never
  func draw(in node: Node) { node.texts = ["…"] }
}

extension ProgressView where Label == EmptyView, CurrentValueLabel == EmptyView {
  public init() {}
}

// developer.apple.com/documentation/swiftui/toggle, textfield
public struct Toggle<Label: View>: View, Drawn {
  public typealias Body = Never
  let isOn: Binding<Bool>
  let label: Label
  public init(isOn: Binding<Bool>, @ViewBuilder label: () -> Label) {
    (self.isOn, self.label) = (isOn, label())
  }
  func draw(in node: Node) { node.child("label").draw(label) }
}

extension Toggle where Label == Text {
  public init<Content: StringProtocol>(_ title: Content, isOn: Binding<Bool>) {
    (self.isOn, label) = (isOn, Text(title))
  }
}

// developer.apple.com/documentation/swiftui/contentunavailableview
public struct ContentUnavailableView<Label: View, Description: View, Actions: View>: View, Drawn {
  public typealias Body = Never
  let label: Label
  let description: Description
  let actions: Actions

  public init(
    @ViewBuilder label: () -> Label, @ViewBuilder description: () -> Description = { EmptyView() },
    @ViewBuilder actions: () -> Actions = { EmptyView() }
  ) {
    (self.label, self.description, self.actions) = (label(), description(), actions())
  }

  func draw(in node: Node) {
    node.child("label").draw(label)
    node.child("description").draw(description)
    node.child("actions").draw(actions)
  }
}

extension ContentUnavailableView
where Label == SwiftUI.Label<Text, Image>, Description == Text?, Actions == EmptyView {
  public init<Content: StringProtocol>(
    _ title: Content, systemImage name: String, description: Text? = nil
  ) {
    self.label = SwiftUI.Label(title, systemImage: name)
    self.description = description
    actions = EmptyView()
  }
}
