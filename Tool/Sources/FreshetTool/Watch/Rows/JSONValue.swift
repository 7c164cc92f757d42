/// Any JSON value, with numbers as they are written: `1.10` is not `1.1`, and no digit is lost.
enum JSONValue: Equatable, Sendable {
  case null
  case bool(Bool)
  case number(String)
  case string(String)
  case array([JSONValue])
  /// Members in the order of their names, as servers send them in any order.
  case object([Member])

  struct Member: Equatable, Sendable {
    let name: String
    var value: JSONValue

    /// Returns whether it is before another member in the order of names.
    ///
    /// Names that are equal in Unicode are ordered by their bytes.
    func isBefore(_ other: Member) -> Bool {
      name == other.name
        ? name.utf8.lexicographicallyPrecedes(other.name.utf8) : name < other.name
    }
  }

  /// The value at a path of member names and indices.
  subscript(path: some Collection<String>) -> JSONValue? {
    guard let first = path.first else { return self }
    switch self {
    case .object(let members):
      return Self.index(of: first, in: members).flatMap { members[$0].value[path.dropFirst()] }
    case .array(let elements):
      guard let index = Int(first), elements.indices.contains(index) else { return nil }
      return elements[index][path.dropFirst()]
    default: return nil
    }
  }

  /// Returns the value without the one at a path; an element of an array becomes `null` instead.
  func removing(_ path: some Collection<String>) -> JSONValue {
    guard let first = path.first else { return .null }
    let rest = path.dropFirst()
    switch self {
    case .object(var members):
      guard let index = Self.index(of: first, in: members) else { return self }
      if rest.isEmpty {
        members.remove(at: index)
      } else {
        members[index].value = members[index].value.removing(rest)
      }
      return .object(members)
    case .array(var elements):
      guard let index = Int(first), elements.indices.contains(index) else { return self }
      elements[index] = rest.isEmpty ? .null : elements[index].removing(rest)
      return .array(elements)
    default: return self
    }
  }

  /// The value at a path of a decoder: a member by its name, an element by its index.
  subscript(codingPath path: ArraySlice<any CodingKey>) -> JSONValue? {
    guard let first = path.first else { return self }
    switch self {
    case .object(let members):
      // A name such as `007` is used as a name, even though it can be read as a number.
      return Self.index(of: first.stringValue, in: members).flatMap {
        members[$0].value[codingPath: path.dropFirst()]
      }
    case .array(let elements):
      guard let index = first.intValue, elements.indices.contains(index) else { return nil }
      return elements[index][codingPath: path.dropFirst()]
    default: return nil
    }
  }

  /// Returns the index of the member with a name, among members in the order of their names.
  ///
  /// A member whose name has the same bytes is preferred to one whose name is equal in Unicode.
  private static func index(of name: String, in members: [Member]) -> Int? {
    var range = members.indices
    while let middle = range.isEmpty ? nil : range.lowerBound + range.count / 2 {
      range =
        members[middle].name < name
        ? (middle + 1)..<range.upperBound : range.lowerBound..<middle
    }
    let found = members[range.lowerBound...].prefix { $0.name == name }
    return found.firstIndex { $0.name.utf8.elementsEqual(name.utf8) } ?? found.indices.first
  }

  /// A text, a number or a truth value as text; `nil` for everything else.
  var text: String? {
    switch self {
    case .string(let text), .number(let text): text
    case .bool(let bool): "\(bool)"
    case .null, .array, .object: nil
    }
  }

  /// The kind of value, for messages.
  var kind: String {
    switch self {
    case .null: "null"
    case .bool: "a truth value"
    case .number: "a number"
    case .string: "a text"
    case .array: "an array"
    case .object: "an object"
    }
  }
}
