#if Postgres
  internal import Foundation
  internal import Freshet

  /// What windows have in common whose keys have values in the same columns.
  ///
  /// The values of its keys are names of columns in SQL.
  struct WindowShape: Hashable {
    let start: KeysetKey?
    let end: KeysetKey?

    init(_ window: PageWindow<KeysetKey>) {
      start = window.downwardStart?.named("freshet_start")
      end = window.end?.named("freshet_end")
    }

    /// Returns the names of the values, each with the column of an order that it belongs to.
    func columns(of order: KeysetOrder) -> [(name: String, column: KeysetColumn)] {
      [start, end].flatMap { key in
        zip(key?.values ?? [], order.columns).compactMap { name, column in
          name.map { ($0, column) }
        }
      }
    }

    /// Returns windows of the shape as JSON: an array of arrays.
    ///
    /// Each has the number of a window, its validator, and the values in the order of `columns`.
    static func json(
      _ windows: [(number: Int, window: PageWindow<KeysetKey>)]
    ) throws -> String {
      let rows = windows.map { number, window in
        let keys = [window.downwardStart, window.end]
        return ["\(number)", window.validator]
          + keys.flatMap { $0?.values.filter { $0 != nil } ?? [] }
      }
      return String(decoding: try JSONEncoder().encode(rows), as: UTF8.self)
    }
  }

  extension KeysetKey {
    /// Returns the key with names instead of its values.
    fileprivate func named(_ name: String) -> KeysetKey {
      let names = values.enumerated().map { index, value in value.map { _ in "\(name)\(index)" } }
      return KeysetKey(
        order: order, values: names, isUpward: isUpward, isInclusive: isInclusive)
    }
  }
#endif
