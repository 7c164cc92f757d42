import ArgumentParser
import FreshetHTTP

/// A column of the table: the value at one place of each row.
struct RowColumn: Equatable, Sendable {
  enum Place: Equatable, Sendable {
    case id
    /// The title, as printed in lines; the whole row if it has none.
    case title
    case pointer(JSONPointer)
  }

  let heading: String
  let place: Place

  static let standard = [
    RowColumn(heading: "id", place: .id), RowColumn(heading: "title", place: .title),
  ]

  /// Returns columns that have different headings.
  ///
  /// If several columns share a heading, each of them shows its whole pointer instead, unless that
  /// is a single name.
  static func distinct(_ columns: [RowColumn]) -> [RowColumn] {
    columns.map { column in
      guard case .pointer(let pointer) = column.place, pointer.tokens.count > 1,
        columns.count(where: { $0.heading == column.heading }) > 1
      else { return column }
      return RowColumn(heading: pointer.description, place: column.place)
    }
  }

  /// Returns the text that the column shows for a row, and whether it is a number.
  func value(of item: WatchedItem, _ value: JSONValue?) -> (text: String, isNumber: Bool) {
    switch place {
    case .id: return (item.id.shown, false)
    case .title: return (item.title.isEmpty ? item.text : item.title, false)
    case .pointer(let pointer):
      switch value?[pointer.tokens] {
      case nil, .null?: return ("", false)
      case .number(let number)?: return (number, true)
      case let found?: return (found.text ?? JSONText.text(found), false)
      }
    }
  }
}

extension RowColumn {
  /// Creates a column from `name` or `/pointer`.
  init(argument: String) throws {
    let isPointer = argument.hasPrefix("/")
    let escaped =
      isPointer
      ? argument
      : "/"
        + argument.split(separator: "~", omittingEmptySubsequences: false)
        .joined(separator: "~0").split(separator: "/", omittingEmptySubsequences: false)
        .joined(separator: "~1")
    let pointer = try PointerArgument.pointer(escaped)
    guard let heading = pointer.tokens.last, !heading.isEmpty else {
      throw ValidationError("It needs the name of a member, or a JSON pointer.")
    }
    self.init(heading: heading, place: .pointer(pointer))
  }
}
