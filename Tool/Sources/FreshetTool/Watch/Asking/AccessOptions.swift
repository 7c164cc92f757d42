import ArgumentParser
import Foundation

/// Who asks, and what for.
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

  /// The header fields but for the user's.
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
