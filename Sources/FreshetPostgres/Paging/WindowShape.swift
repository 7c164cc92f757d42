#if Postgres
  internal import Freshet

  /// What windows have in common whose keys have values in the same columns.
  ///
  /// The values of its keys are names of columns in SQL.
  struct WindowShape: Hashable {
    let start: KeysetKey?
    let end: KeysetKey?

    init(_ window: PageWindow<KeysetKey>) {
      start = window.downwardStart?.named { "freshet_window.start\($0)" }
      end = window.end?.named { "freshet_window.end\($0)" }
    }

    /// The names of the columns: a number, the values of both keys, and a digest.
    var columns: String {
      let names = [start, end].flatMap { $0?.values.compactMap(\.self) ?? [] }
      let columns = names.map { String($0.drop { $0 != "." }.dropFirst()) }
      return (["number"] + columns + ["digest"]).joined(separator: ", ")
    }
  }

  extension KeysetKey {
    /// Returns the key with names instead of its values.
    fileprivate func named(_ name: (Int) -> String) -> KeysetKey {
      let names = values.enumerated().map { index, value in value.map { _ in name(index) } }
      return KeysetKey(
        order: order, values: names, isUpward: isUpward, isInclusive: isInclusive)
    }
  }
#endif
