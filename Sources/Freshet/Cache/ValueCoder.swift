public import Foundation

/// Turns values into bytes and back, for caches.
public protocol ValueCoder<Value>: Sendable {
  /// The type of the values that are coded.
  associatedtype Value

  /// Returns the values as bytes that `decode` can read.
  func encode(_ values: [Value]) throws -> Data

  /// Returns the values in bytes that passed their checksum.
  ///
  /// It returns `nil` for each value that can no longer be decoded, so that a value of an older
  /// version does not affect the others.
  ///
  /// A cache calls it on several threads at once.
  func decode(_ data: Data) throws -> [Value?]
}

/// Codes `Codable` values as JSON.
public struct JSONCoder<Value: Codable>: ValueCoder {
  /// The texts for the numbers that JSON does not support.
  ///
  /// They begin with a private-use character. Otherwise, a value that may be a number or a text
  /// would read the text "nan" as a number.
  private static var infinity: String { "\u{E000}inf" }
  private static var nan: String { "\u{E000}nan" }

  /// Creates a coder that writes values as JSON.
  public init() {}

  /// Returns the values as a JSON array.
  public func encode(_ values: [Value]) throws -> Data {
    let encoder = JSONEncoder()
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: Self.infinity, negativeInfinity: "-" + Self.infinity, nan: Self.nan)
    return try encoder.encode(values)
  }

  /// Returns the values of a JSON array.
  public func decode(_ data: Data) throws -> [Value?] {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: Self.infinity, negativeInfinity: "-" + Self.infinity, nan: Self.nan)
    // Decoding the values one by one takes a third longer.
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
/// - Warning: A damaged keyed archive can abort the process. Caches pass bytes to this coder only
///   if their checksum is correct; do not use it for bytes from elsewhere. If you have the choice,
///   use `Codable`: it is a hundred times faster.
public struct SecureCodingCoder<Value: NSObject & NSSecureCoding>: ValueCoder {
  private let classes: [AnyClass]

  /// Creates a coder for a class and for the classes that its instances contain.
  public init(_ type: Value.Type = Value.self, holding classes: [AnyClass] = []) {
    self.classes = [type, NSArray.self, NSString.self, NSNumber.self, NSDate.self] + classes
  }

  /// Returns the values as a keyed archive.
  public func encode(_ values: [Value]) throws -> Data {
    try NSKeyedArchiver.archivedData(
      withRootObject: NSArray(array: values), requiringSecureCoding: true)
  }

  /// Returns the values of a keyed archive.
  public func decode(_ data: Data) throws -> [Value?] {
    let array = try NSKeyedUnarchiver.unarchivedObject(ofClasses: classes, from: data) as? NSArray
    return array?.map { $0 as? Value } ?? []
  }
}

// Proof: its only property is a `let` array of class objects, which are immutable and may be used
// on any thread. It is not `Sendable` by itself only because a metatype may carry an isolated
// conformance. No conformance is looked up through these metatypes: they are only passed to the
// unarchiver.
extension SecureCodingCoder: @unchecked Sendable {}
