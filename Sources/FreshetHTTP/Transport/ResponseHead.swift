internal import Freshet

/// The head of a response, parsed line by line within limits (RFC 9112, rules N2 and N4).
///
/// Interim responses (1xx) before it and trailers after it count towards the limits and are
/// otherwise ignored.
struct ResponseHead: Sendable {
  /// The reason that a head is rejected.
  enum Problem: Error, Hashable {
    /// More than `byteLimit` bytes or `fieldLimit` fields.
    case tooLong
    /// A line that is not valid HTTP.
    case malformed
    /// A body that is compressed more than once.
    ///
    /// That multiplies the size of a decompression bomb, and honest servers do not do it.
    case packedTwice
  }

  /// The largest number of bytes in all lines together.
  static let byteLimit = 256 << 10
  /// The largest number of lines.
  static let fieldLimit = 1_000

  /// The status; 0 until its line was received.
  private(set) var status = 0
  /// The fields of the final response.
  private(set) var headers: HTTPHeaders = [:]
  /// Whether the line that ends the head of the final response was received.
  private(set) var isComplete = false
  private var byteCount = 0
  private var lineCount = 0
  private var last: HTTPHeaders.Field?

  /// Parses one line, with or without its line break.
  mutating func add(_ line: some Collection<UInt8>) throws(Problem) {
    byteCount += line.count
    lineCount += 1
    guard byteCount <= Self.byteLimit, lineCount <= Self.fieldLimit else { throw .tooLong }
    if isComplete { return }
    var text = Self.text(line)[...]
    while text.unicodeScalars.last.map({ $0 == "\r" || $0 == "\n" }) == true {
      text.unicodeScalars.removeLast()
    }
    guard !text.unicodeScalars.contains("\0") else { throw .malformed }
    if text.isEmpty {
      try finish()
    } else if status == 0 {
      try begin(text)
    } else {
      try addField(text)
    }
  }

  /// The announced body length; `nil` if the response announces no length that counts.
  ///
  /// With `Transfer-Encoding`, `Content-Length` does not count.
  var announcedLength: Int64? {
    guard headers["Transfer-Encoding"] == nil, let text = headers["Content-Length"] else {
      return nil
    }
    let lengths = text.split(separator: ",").map {
      $0.allSatisfy { $0.isASCII && $0.isNumber || $0 == " " }
        ? Int64($0.filter { $0 != " " }) ?? .max : 0
    }
    return lengths.max()
  }

  /// Parses the status line: `HTTP/1.1 200 OK`, `HTTP/2 200`.
  private mutating func begin(_ line: Substring) throws(Problem) {
    let words = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: true)
    guard words.count >= 2, words[0].hasPrefix("HTTP/"), words[1].utf8.count == 3,
      let status = UInt16(words[1]), status >= 100
    else { throw .malformed }
    self.status = Int(status)
  }

  private mutating func finish() throws(Problem) {
    keepLast()
    guard status >= 200 else {
      guard status != 0 else { throw .malformed }
      // The next lines are the head of the final response or of another interim one.
      (status, headers) = (0, [:])
      return
    }
    let codings = [headers["Content-Encoding"], headers["Transfer-Encoding"]].compactMap { $0 }
      .flatMap { $0.lowercased().split(separator: ",") }
      .filter { !["identity", "chunked"].contains($0.drop { $0 == " " }.prefix { $0 != " " }) }
    guard codings.count <= 1 else { throw .packedTwice }
    isComplete = true
  }

  private mutating func addField(_ line: Substring) throws(Problem) {
    if line.first == " " || line.first == "\t" {
      // A value that continues on the next line (RFC 9112, section 5.2).
      last = last.map {
        HTTPHeaders.Field(name: $0.name, value: $0.value + " " + Self.trimmed(line))
      }
      return
    }
    keepLast()
    guard let colon = line.firstIndex(of: ":") else { throw .malformed }
    last = HTTPHeaders.Field(
      name: String(line[..<colon]), value: Self.trimmed(line[line.index(after: colon)...]))
  }

  /// Appends the field that is now complete, and drops it if its name is invalid.
  private mutating func keepLast() {
    if let last, last.hasName { headers.append(last.name, last.value) }
    last = nil
  }

  private static func trimmed(_ text: Substring) -> String {
    let isSpace = { (scalar: Unicode.Scalar) in scalar == " " || scalar == "\t" }
    let scalars = text.unicodeScalars.drop(while: isSpace)
    let end = scalars.lastIndex { !isSpace($0) }.map { scalars.index(after: $0) }
    return String(scalars[..<(end ?? scalars.startIndex)])
  }

  /// Decodes UTF-8, or Latin-1 if the bytes are not valid UTF-8 (RFC 9110, section 5.5).
  private static func text(_ bytes: some Collection<UInt8>) -> String {
    if let text = String(validUTF8: bytes) { return text }
    var text = ""
    text.unicodeScalars.append(contentsOf: bytes.lazy.map { Unicode.Scalar($0) })
    return text
  }
}

extension HTTPHeaders.Field {
  /// Whether the name is a token (RFC 9110, section 5.6.2).
  var hasName: Bool {
    !name.isEmpty
      && name.utf8.allSatisfy {
        switch $0 {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
          UInt8(ascii: "A")...UInt8(ascii: "Z"):
          true
        default: "!#$%&'*+-.^_`|~".utf8.contains($0)
        }
      }
  }

  /// Whether the field can be sent as it is (RFC 9110, section 5.5).
  ///
  /// Its name and value must not contain anything that ends the line or begins another one.
  var isSendable: Bool {
    hasName && value.utf8.allSatisfy { $0 == UInt8(ascii: "\t") || $0 >= 0x20 && $0 != 0x7f }
  }
}
