import ArgumentParser
import Foundation
import Freshet
import FreshetHTTP

/// The header fields of a request, grouped by the addresses that may receive them.
struct RequestHeaders: Equatable {
  /// The fields for every address that is requested; they do not identify the user.
  private(set) var common: HTTPHeaders = [:]
  /// For the list's own origin only (rule N1).
  private(set) var own: HTTPHeaders = [:]
  /// Whether one of the fields is a credential.
  private(set) var hasSecrets = false
  /// The source of each field, by its name in lower case.
  private var sources: [String: Source] = [:]

  /// The source of a field; an argument has precedence over the environment.
  enum Source {
    case environment, argument
  }

  /// The fields that belong in the name of a cache: another `Accept` means another list.
  var cacheNames: [String] {
    (common.fields + own.fields).filter { !Self.isSecret($0.name, $0.value) }
      .map { "\($0.name.lowercased()): \($0.value)" }
  }

  /// Returns whether a field is a secret: by its name, as for a query parameter, or by its value.
  private static func isSecret(_ name: String, _ value: String) -> Bool {
    name.lowercased().hasSuffix("cookie") || LogText.masksSecret(in: "\(name)=x")
      || LogText.masksSecret(in: value)
  }

  /// The fields that the sender of a request sets: other values would make it another request.
  private static let madeNames: Set<String> = [
    "host", "content-length", "transfer-encoding", "connection",
  ]

  private static let commonNames: Set<String> = [
    "accept", "accept-language", "accept-charset", "user-agent",
  ]

  /// Returns whether an argument set a field.
  func isSaid(_ name: String) -> Bool { sources[name.lowercased()] == .argument }

  /// Sets a field; one from an argument replaces one from the environment.
  ///
  /// - Throws: an error if the name or the value is invalid, or if the user may not set the field.
  ///   It also throws if the same source sets the field twice. The message does not repeat the
  ///   value.
  mutating func set(_ name: String, _ value: String, by source: Source = .argument) throws {
    let isSecret = source == .environment
    guard !name.isEmpty, name.utf8.allSatisfy(Self.isTokenByte),
      value.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F || $0 == "\t" })
    else {
      throw ValidationError(
        "A header needs \"Name: value\" on one line, where the name has no spaces.")
    }
    let key = name.lowercased()
    guard !Self.madeNames.contains(key) else {
      throw ValidationError("\(name) is no field to choose: it follows from the request itself.")
    }
    guard key != "accept" || Self.isMediaRange(value) else {
      throw ValidationError(
        "To accept something takes a media type, or several parted by commas. Try application/json."
      )
    }
    guard sources[key] != source else {
      throw ValidationError("\(name) is said twice. \(Self.advice(key))")
    }
    sources[key] = source
    common[name] = nil
    own[name] = nil
    let isCommon = Self.commonNames.contains(key) && !isSecret
    if isCommon { common[name] = value } else { own[name] = value }
    if isSecret || Self.isSecret(name, value) { hasSecrets = true }
  }

  /// Adds the field that a line contains.
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

  /// Adds the fields of an argument: one field, or those of a file.
  mutating func add(argument: String) throws {
    guard argument.hasPrefix("@") else { return try add(line: argument) }
    let lines = try SecretFile.lines(argument, of: "--header")
    if lines.isEmpty { throw ValidationError("--header \(argument): there are no fields in it.") }
    for line in lines { try add(line: line) }
  }

  /// Adds the fields of the environment: `FRESHET_HEADER_X_API_KEY` is `X-API-KEY`.
  ///
  /// All of them are treated as secrets.
  mutating func add(environment: [String: String]) throws {
    let prefix = "FRESHET_HEADER_"
    for (name, value) in environment.sorted(by: { $0.key < $1.key }) where name.hasPrefix(prefix) {
      let field = name.dropFirst(prefix.count).replacing("_", with: "-")
      try set(String(field), value, by: .environment)
    }
  }

  /// Adds the user's credentials, in the format of RFC 7617.
  mutating func add(user: String, password: String) throws {
    guard !user.contains(":") else { throw ValidationError("A user name has no colon.") }
    try set("Authorization", "Basic \(Data("\(user):\(password)".utf8).base64EncodedString())")
  }

  /// Returns what to do if a field is set twice.
  static func advice(_ key: String) -> String {
    switch key {
    case "authorization": "Choose one --header Authorization, or --user."
    case "accept": "Part media types by commas, in --accept or in a --header."
    case "cookie": "Part cookies by semicolons in one --header."
    default: "Part its values by commas in one --header."
    }
  }

  /// Returns whether a value is a list of media types to send (RFC 9110, section 12.5.1).
  private static func isMediaRange(_ value: String) -> Bool {
    let word = "[A-Za-z0-9!#$%&'*+.^_`|~-]+"
    let range = "\(word)/\(word)([ \t]*;[ \t]*\(word)=(\(word)|\"[^\"]*\"))*"
    return value.range(
      of: "^\(range)([ \t]*,[ \t]*\(range))*$", options: .regularExpression) != nil
  }

  /// Returns whether a byte may be part of a token (RFC 9110, section 5.6.2).
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

  /// Returns the lines of the file that an argument such as `@file` names, without empty ones.
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
