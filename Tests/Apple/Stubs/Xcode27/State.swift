// developer.apple.com/documentation/swiftui/state()
//
// What this macro makes of a property is not published but for the names; StateMacro.swift makes
// the same names.
@attached(accessor, names: named(init), named(get), named(set))
@attached(peer, names: prefixed(`_`), prefixed(__), prefixed(`$`))
public macro State() = #externalMacro(module: "StateMacro", type: "StateMacro")

/// What a property with the macro keeps.
public struct StubStateStorage<Value>: DynamicProperty {
  private let make: () -> Value

  public init(_ value: @autoclosure @escaping () -> Value) { make = value }

  public var value: Value {
    get { make() }
    nonmutating set {}
  }

  public typealias Projection = Binding<Value>

  public var binding: Projection { Binding(reading: { value }, writing: { value = $0 }) }
}
