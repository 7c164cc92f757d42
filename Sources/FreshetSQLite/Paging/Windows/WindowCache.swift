#if SQLite
  internal import Freshet

  /// A cache of values that are made for windows.
  struct WindowCache<Value: Sendable>: Sendable {
    /// The number of windows that are kept.
    private static var limit: Int { 1_000 }

    private var values: [PageWindow<KeysetKey>: Value] = [:]

    /// Returns the value for a window, which is made if it is not known.
    mutating func value(
      _ window: PageWindow<KeysetKey>, _ make: () throws -> Value
    ) rethrows -> Value {
      let position = PageWindow(start: window.start, end: window.end)
      if let value = values[position] { return value }
      let value = try make()
      if values.count >= Self.limit { values = [:] }
      values[position] = value
      return value
    }
  }
#endif
