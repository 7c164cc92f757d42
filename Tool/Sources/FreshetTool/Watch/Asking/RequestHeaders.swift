import ArgumentParser
import Foundation
import Freshet
import FreshetHTTP

/// The header fields of a request, by where they may go.
struct RequestHeaders: Equatable {
  /// For every address that is asked: what says nothing of who asks.
  private(set) var common: HTTPHeaders = [:]
  /// For the list's own origin only (rule N1).
  private(set) var own: HTTPHeaders = [:]
  /// Whether one of them is a credential.
  private(set) var hasSecrets = false

  /// What belongs into the name of a cache: another `Accept` is another list.
  var cacheNames: [String] {
    (common.fields + own.fields).filter { !Self.isSecret($0.name, $0.value) }
      .map { "\($0.name.lowercased()): \($0.value)" }
  }

  /// Whether a field is a secret: by its name, as that of a query parameter is, or by its value.
  private static func isSecret(_ name: String, _ value: String) -> Bool {
    name.lowercased().hasSuffix("cookie") || LogText.masksSecret(in: "\(name)=x")
      || LogText.masksSecret(in: value)
  }

  /// What whoever sends a request says of it: other values would make it another request.
  private static let madeNames: Set<String> = [
    "host", "content-length", "transfer-encoding", "connection",
  ]

  private static let commonNames: Set<String> = [
    "accept", "accept-language", "accept-charset", "user-agent",
  ]

  /// Adds a field; a later one takes the place of an earlier one.
  ///
  /// - Parameter isSecret: whether it is one whatever its name.
  /// - Throws: where the name or the value is none; the message does not repeat them.
  mutating func set(_ name: String, _ value: String, isSecret: Bool = false) throws {
    guard !name.isEmpty, name.utf8.allSatisfy(Self.isTokenByte),
      value.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F || $0 == "\t" })
    else {
      throw ValidationError(
        "A header needs \"Name: value\" on one line, where the name has no spaces.")
    }
    let isCommon = Self.commonNames.contains(name.lowercased()) && !isSecret
    if isCommon { common[name] = value } else { own[name] = value }
    if isSecret || Self.isSecret(name, value) { hasSecrets = true }
  }

  /// Adds the field that a line says.
  mutating func add(line: String) throws {
    let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    guard parts.count == 2 else {
      throw ValidationError(
        "--header needs \"Name: value\", or @file for a file with such lines.")
    }
    try set(parts[0], parts[1])
  }

  /// Adds the fields that an argument says: one, or those of a file.
  mutating func add(argument: String) throws {
    guard argument.hasPrefix("@") else { return try add(line: argument) }
    for line in try SecretFile.lines(argument, of: "--header") { try add(line: line) }
  }

  /// Adds the fields of the environment: `FRESHET_HEADER_X_API_KEY` is `X-API-KEY`.
  ///
  /// All of them are taken for secrets.
  mutating func add(environment: [String: String]) throws {
    let prefix = "FRESHET_HEADER_"
    for (name, value) in environment.sorted(by: { $0.key < $1.key }) where name.hasPrefix(prefix) {
      let field = name.dropFirst(prefix.count).replacing("_", with: "-")
      try set(String(field), value, isSecret: true)
    }
  }

  /// Adds who asks, as RFC 7617 says it.
  mutating func add(user: String, password: String) throws {
    guard !user.contains(":") else { throw ValidationError("A user name has no colon.") }
    try set("Authorization", "Basic \(Data("\(user):\(password)".utf8).base64EncodedString())")
  }

  /// RFC 9110, section 5.6.2.
  private static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 48...57, 65...90, 97...122: true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }
}

/// A file that keeps a secret out of the list of processes.
enum SecretFile {
  private static let limit = 64 << 10

  /// The lines of the file that an argument such as `@file` names, without empty ones.
  static func lines(_ argument: String, of option: String) throws -> [String] {
    let path = String(argument.dropFirst())
    guard let file = FileHandle(forReadingAtPath: path),
      let data = try? file.read(upToCount: limit + 1), data.count <= limit,
      let text = String(data: data, encoding: .utf8)
    else {
      throw ValidationError(
        "\(option) cannot read \(path): it needs a text file of at most 64 kB.")
    }
    return text.split(whereSeparator: \.isNewline).map(String.init)
      .filter { !$0.allSatisfy(\.isWhitespace) }
  }
}
