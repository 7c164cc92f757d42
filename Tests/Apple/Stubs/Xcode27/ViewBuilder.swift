// developer.apple.com/documentation/swiftui/viewbuilder, contentbuilder
@MainActor @resultBuilder public struct ViewBuilder {
  public static func buildBlock() -> EmptyView { EmptyView() }
  public static func buildBlock<Content>(_ content: Content) -> Content { content }
  public static func buildBlock<each Content>(
    _ content: repeat each Content
  ) -> TupleView<(repeat each Content)> { TupleView((repeat each content)) }
  public static func buildIf<Content>(_ content: Content?) -> Content? { content }
  public static func buildEither<TrueContent, FalseContent>(
    first: TrueContent
  ) -> _ConditionalContent<TrueContent, FalseContent> { .first(first) }
  public static func buildEither<TrueContent, FalseContent>(
    second: FalseContent
  ) -> _ConditionalContent<TrueContent, FalseContent> { .second(second) }
  public static func buildLimitedAvailability<Content>(_ content: Content) -> Content { content }
}

public typealias ContentBuilder = ViewBuilder

public enum _ConditionalContent<First, Second> {
  case first(First)
  case second(Second)
}

extension _ConditionalContent: View where First: View, Second: View {
  public typealias Body = Never
}
