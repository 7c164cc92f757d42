// developer.apple.com/documentation/swiftui/state
@propertyWrapper public struct State<Value>: DynamicProperty {
  let box: StateBox

  public init(wrappedValue value: Value) { box = StateBox(value) }
  public init(initialValue value: Value) { box = StateBox(value) }

  public var wrappedValue: Value {
    get {
      guard let value = box.home.value as? Value else { fatalError("another type of state") }
      return value
    }
    nonmutating set {
      StubHost.noteChangeOfState()
      box.home.value = newValue
      box.home.changed()
    }
  }

  public var projectedValue: Binding<Value> {
    Binding(reading: { wrappedValue }, writing: { wrappedValue = $0 })
  }
}

extension State where Value: ExpressibleByNilLiteral {
  public init() { self.init(wrappedValue: nil) }
}

extension State: Sendable where Value: Sendable {}

extension State: @MainActor LinkedState {}
