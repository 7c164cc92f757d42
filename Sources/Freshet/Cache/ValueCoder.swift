public import Foundation

/// Turns values into bytes and back, for caches.
public protocol ValueCoder<Value>: Sendable {
  /// The type of the values that are coded.
  associatedtype Value

  /// Writes the values as bytes that `decode` reads.
  func encode(_ values: [Value]) throws -> Data

  /// The values in bytes that passed their checksum; `nil` for each that can no longer be decoded,
  /// so that a value of an older version costs itself alone.
  ///
  /// A cache calls it on several threads at once.
  func decode(_ data: Data) throws -> [Value?]
}

/// Codes `Codable` values as JSON.
public struct JSONCoder<Value: Codable>: ValueCoder {
  /// What stands for the numbers that JSON does not know.
  ///
  /// It begins with a private-use character: a value that may be a number or a text
  /// would read the text "nan" as a number.
  private static var infinity: String { "\u{E000}inf" }
  private static var nan: String { "\u{E000}nan" }

  /// Creates a coder that writes values as JSON.
  public init() {}

  /// The values as a JSON array.
  public func encode(_ values: [Value]) throws -> Data {
    let encoder = JSONEncoder()
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: Self.infinity, negativeInfinity: "-" + Self.infinity, nan: Self.nan)
    return try encoder.encode(values)
  }

  /// The values of a JSON array.
  public func decode(_ data: Data) throws -> [Value?] {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: Self.infinity, negativeInfinity: "-" + Self.infinity, nan: Self.nan)
    // Decoding values one by one takes a third longer.
    if let values = try? decoder.decode([Value].self, from: data) { return values }
    return try decoder.decode([Lenient<Value>].self, from: data).map(\.value)
  }
}

/// A value that may fail to decode without failing its neighbours.
private struct Lenient<Value: Decodable>: Decodable {
  let value: Value?

  init(from decoder: any Decoder) {
    value = try? decoder.singleValueContainer().decode(Value.self)
  }
}

/// Codes instances of an `NSSecureCoding` class, for apps that have such models already.
///
/// ```swift
/// let coder = SecureCodingCoder(NSDate.self)  // a class that conforms to `NSSecureCoding`
/// let bytes = try coder.encode([NSDate()])
/// ```
///
/// - Warning: A keyed archive that is damaged can abort the process. Caches hand bytes to this
///   coder only after their checksum agreed; do not use it for bytes from elsewhere. Where you have
///   the choice, use `Codable`: it is a hundred times faster.
public struct SecureCodingCoder<Value: NSObject & NSSecureCoding>: ValueCoder {
  private let classes: [AnyClass]

  /// Creates a coder for a class and the classes of what its instances hold.
  public init(_ type: Value.Type = Value.self, holding classes: [AnyClass] = []) {
    self.classes = [type, NSArray.self, NSString.self, NSNumber.self, NSDate.self] + classes
  }

  /// The values as a keyed archive.
  public func encode(_ values: [Value]) throws -> Data {
    try NSKeyedArchiver.archivedData(
      withRootObject: NSArray(array: values), requiringSecureCoding: true)
  }

  /// The values of a keyed archive.
  public func decode(_ data: Data) throws -> [Value?] {
    let array = try NSKeyedUnarchiver.unarchivedObject(ofClasses: classes, from: data) as? NSArray
    return array?.map { $0 as? Value } ?? []
  }
}

// Proof: its one property is a `let` array of class objects, which are immutable and may be used on
// any thread. It is not `Sendable` by itself only because a metatype may carry an isolated
// conformance; none is looked up through these, they are only handed to the unarchiver.
extension SecureCodingCoder: @unchecked Sendable {}
