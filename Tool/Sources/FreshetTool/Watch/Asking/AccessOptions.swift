import ArgumentParser
import Foundation
import FreshetHTTP

/// The options for access: the user, header fields and trusted authorities.
struct AccessOptions: ParsableArguments {
  @Option(
    name: .customLong("header"),
    help: ArgumentHelp(
      "A header field, repeatable; or the fields of a file.", valueName: "Name: value|@file"))
  var fields: [String] = []

  @Option(
    help: ArgumentHelp("The media type to ask for; JSON unless you say so.", valueName: "type"))
  var accept: String?

  @Option(
    help: ArgumentHelp(
      "Who asks, with Basic authentication.", valueName: "name[:password]|@file"))
  var user: String?

  @Flag(help: "Follow next links to other origins, without credentials.")
  var allowForeignLinks = false

  @Option(
    help: ArgumentHelp(
      "Certificates (PEM) of authorities to trust in place of the system's, on Linux; or say so in CURL_CA_BUNDLE or SSL_CERT_FILE.",
      valueName: "file"),
    completion: .file())
  var cacert: String?

  /// Returns the transport, with the authorities to trust.
  func transport(
    _ environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws -> any HTTPTransport {
    #if os(Linux)
      let files = [cacert, environment["CURL_CA_BUNDLE"], environment["SSL_CERT_FILE"]]
      guard let file = files.lazy.compactMap(\.self).first(where: { !$0.isEmpty }) else {
        return .standard
      }
      guard FileManager.default.isReadableFile(atPath: file) else {
        throw ValidationError("The certificates in \(file) cannot be read.")
      }
      return StandardTransport(authorities: file)
    #else
      guard cacert == nil else {
        throw ValidationError("--cacert is for Linux: here, trust the certificate in the keychain.")
      }
      return .standard
    #endif
  }

  /// Returns the header fields, without the one that `--user` adds.
  func headers(
    _ environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws -> RequestHeaders {
    var headers = RequestHeaders()
    try headers.add(environment: environment)
    for field in fields { try headers.add(argument: field) }
    if let accept { try headers.set("Accept", accept) }
    if user != nil, headers.isSaid("Authorization") {
      throw ValidationError(
        "Authorization is said twice. \(RequestHeaders.advice("authorization"))")
    }
    return headers
  }

  func addUser(
    to headers: inout RequestHeaders,
    _ environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws {
    guard let user else { return }
    let argument = try UserArgument(user, environment: environment, ask: UserArgument.ask)
    try headers.add(user: argument.name, password: argument.password)
  }
}
