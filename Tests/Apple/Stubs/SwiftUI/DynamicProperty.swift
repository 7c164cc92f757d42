// developer.apple.com/documentation/swiftui/dynamicproperty
public protocol DynamicProperty {
  mutating func update()
}

extension DynamicProperty {
  public mutating func update() {}
}

/// Where a value lives: what is made anew with its view finds the value of the view before.
final class StateBox: @unchecked Sendable {  // Only the main actor draws views.
  var value: Any
  var linked: StateBox?
  var changed: () -> Void = {}

  init(_ value: Any) { self.value = value }

  var home: StateBox { linked?.home ?? self }
}

// developer.apple.com/documentation/swiftui/binding
@propertyWrapper @dynamicMemberLookup public struct Binding<Value>: DynamicProperty {
  let read: () -> Value
  let write: (Value) -> Void

  public static func constant(_ value: Value) -> Binding<Value> {
    Binding(reading: { value }, writing: { _ in })
  }

  init(reading: @escaping () -> Value, writing: @escaping (Value) -> Void) {
    (read, write) = (reading, writing)
  }

  public var wrappedValue: Value {
    get { read() }
    nonmutating set { write(newValue) }
  }
  public var projectedValue: Binding<Value> { self }

  public subscript<Subject>(
    dynamicMember keyPath: WritableKeyPath<Value, Subject>
  ) -> Binding<Subject> {
    Binding<Subject>(
      reading: { wrappedValue[keyPath: keyPath] },
      writing: { new in
        var value = wrappedValue
        value[keyPath: keyPath] = new
        wrappedValue = value
      })
  }
}

extension Binding: @unchecked Sendable where Value: Sendable {}  // Only the main actor calls it.

// developer.apple.com/documentation/swiftui/bindable
@propertyWrapper @dynamicMemberLookup public struct Bindable<Value> {
  public var wrappedValue: Value
  public var projectedValue: Bindable<Value> { self }
  private init(of value: Value) { wrappedValue = value }
}

extension Bindable where Value: AnyObject, Value: Observable {
  public init(wrappedValue: Value) { self.init(of: wrappedValue) }
  public init(_ wrappedValue: Value) { self.init(of: wrappedValue) }
}

extension Bindable where Value: AnyObject {
  public subscript<Subject>(
    dynamicMember keyPath: ReferenceWritableKeyPath<Value, Subject>
  ) -> Binding<Subject> {
    let value = wrappedValue
    return Binding<Subject>(
      reading: { value[keyPath: keyPath] }, writing: { value[keyPath: keyPath] = $0 })
  }
}

// developer.apple.com/documentation/swiftui/environmentkey, environmentvalues, environment
public protocol EnvironmentKey {
  associatedtype Value
  static var defaultValue: Self.Value { get }
}

public struct EnvironmentValues {
  var values: [ObjectIdentifier: Any] = [:]

  public init() {}

  public subscript<K: EnvironmentKey>(key: K.Type) -> K.Value {
    get { values[ObjectIdentifier(key)] as? K.Value ?? K.defaultValue }
    set { values[ObjectIdentifier(key)] = newValue }
  }
}

final class EnvironmentBox: @unchecked Sendable {  // Only the main actor draws views.
  var values = EnvironmentValues()
}

@propertyWrapper public struct Environment<Value>: DynamicProperty {
  let box = EnvironmentBox()
  let read: (EnvironmentValues) -> Value

  public init(_ keyPath: KeyPath<EnvironmentValues, Value>) { read = { $0[keyPath: keyPath] } }

  public var wrappedValue: Value { read(box.values) }
}

extension Environment where Value: AnyObject, Value: Observable {
  public init(_ objectType: Value.Type) {
    read = { values in
      guard let value = values.values[ObjectIdentifier(objectType)] as? Value else {
        fatalError("No Observable object of type \(objectType) found")
      }
      return value
    }
  }
}

extension View {
  public func environment<Value>(
    _ keyPath: WritableKeyPath<EnvironmentValues, Value>, _ value: Value
  ) -> some View {
    Modified(self) { $0.environment[keyPath: keyPath] = value }
  }
  public func environment<Object: AnyObject & Observable>(
    _ object: Object?
  ) -> some View {
    Modified(self) { $0.environment.values[ObjectIdentifier(Object.self)] = object }
  }
}

// developer.apple.com/documentation/swiftui/view/transformenvironment(_:transform:)
extension View {
  public func transformEnvironment<Value>(
    _ keyPath: WritableKeyPath<EnvironmentValues, Value>,
    transform: @escaping (inout Value) -> Void
  ) -> some View {
    Modified(self) { transform(&$0.environment[keyPath: keyPath]) }
  }
}

// developer.apple.com/documentation/swiftui/refreshaction
public struct RefreshAction: Sendable {
  let action: @Sendable () async -> Void
  public func callAsFunction() async { await action() }
}

struct RefreshKey: EnvironmentKey {
  static var defaultValue: RefreshAction? { nil }
}

extension EnvironmentValues {
  public var refresh: RefreshAction? { self[RefreshKey.self] }
}
