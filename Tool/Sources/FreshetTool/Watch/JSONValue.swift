import struct Foundation.Decimal

/// Any JSON value.
enum JSONValue: Hashable, Codable, Sendable {
  case null
  case bool(Bool)
  case integer(Int)
  /// A whole number beyond 64 bits' reach, exact: ids may be that large.
  case large(Decimal)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let bool = try? value.decode(Bool.self) {
      self = .bool(bool)
    } else if let integer = try? value.decode(Int.self) {
      self = .integer(integer)
    } else if let number = try? value.decode(Double.self), abs(number) >= 0x1p63,
      let large = try? value.decode(Decimal.self), large.exponent >= 0
    {
      self = .large(large)
    } else if let number = try? value.decode(Double.self) {
      self = .number(number)
    } else if let string = try? value.decode(String.self) {
      self = .string(string)
    } else if let array = try? value.decode([JSONValue].self) {
      self = .array(array)
    } else {
      self = .object(try value.decode([String: JSONValue].self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    switch self {
    case .null: try value.encodeNil()
    case .bool(let bool): try value.encode(bool)
    case .integer(let integer): try value.encode(integer)
    case .large(let number): try value.encode(number)
    case .number(let number): try value.encode(number)
    case .string(let string): try value.encode(string)
    case .array(let array): try value.encode(array)
    case .object(let object): try value.encode(object)
    }
  }

  /// The value at a path of member names and indices.
  subscript(path: some Collection<String>) -> JSONValue? {
    guard let first = path.first else { return self }
    switch self {
    case .object(let members): return members[first]?[path.dropFirst()]
    case .array(let elements):
      guard let index = Int(first), elements.indices.contains(index) else { return nil }
      return elements[index][path.dropFirst()]
    default: return nil
    }
  }

  /// A text or a number as text; `nil` for everything else.
  var text: String? {
    switch self {
    case .string(let string): string
    case .integer(let integer): "\(integer)"
    case .large(let number): "\(number)"
    case .number(let number): "\(number)"
    case .bool(let bool): "\(bool)"
    case .null, .array, .object: nil
    }
  }
}
