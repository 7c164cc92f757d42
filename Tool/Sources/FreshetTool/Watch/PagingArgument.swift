public import ArgumentParser
import Freshet
public import FreshetHTTP

/// The paging style of a list, the argument of `--paging`.
struct PagingArgument: ExpressibleByArgument, CustomStringConvertible {
  static let help = "style"

  /// Every style with an API that uses it, for the help of a command.
  static let table = """
    auto                           any API that gives URLs
    link                           GitHub, GitLab, Mastodon: Link header
    next:/next                     Django REST framework
    next:/next_url                 Datasette, JSON Feed
    next:/links/next               JSON:API
    next:/@odata.nextLink          OData
    links[:/links]                 OGC API, STAC: rel and href; HAL: _links
    header:Next-Page               Kinto
    header:X-Next-Cursor:cursor    a token in a header field
    cursor:/next_cursor:cursor     a token in the answer
    cursor:/response_metadata/next_cursor:cursor  Slack
    cursor:/nextPageToken:pageToken  Google
    cursor:/next_batch:from        Matrix
    last:/id:starting_after:/has_more  Stripe: the last row's id
    page[:page[:1[:per_page]]]     WordPress
    page:page:1:size               fastapi-pagination
    page:page:0:size               Spring
    offset[:offset:limit[:0]]      many databases
    offset:offset:limit:1          FDSN event services
    single                         one page that is everything
    A "!" behind a style takes its word for the end, whatever else an answer says: single!
    """

  /// The styles that are one word, for completion in a shell.
  static let words = ["auto", "link", "links", "page", "offset", "single"]

  /// The style; it sends a size parameter only if `sendsSize`.
  let style: @Sendable (_ sendsSize: Bool) -> PagingStyle
  /// Whether the style has a parameter for the size of a page.
  let hasSize: Bool

  let description: String

  static let automatic = PagingArgument()

  private init() {
    style = { _ in .automatic }
    hasSize = false
    description = "auto"
  }

  init?(argument: String) {
    do { try self.init(argument) } catch { return nil }
  }

  /// Reads an argument, or throws an error that explains what is wrong with it.
  init(_ argument: String) throws {
    description = argument
    let isTrusted = argument.hasSuffix("!")
    let style = try PagingWords(isTrusted ? String(argument.dropLast()) : argument).style()
    hasSize = style(true) != style(false)
    self.style = { isTrusted ? style($0).trusted : style($0) }
  }
}

/// A paging style in words, separated by colons.
private struct PagingWords {
  typealias Style = @Sendable (_ sendsSize: Bool) -> PagingStyle

  let name: String
  private let argument: String
  private let parts: [String]

  init(_ argument: String) {
    self.argument = argument
    parts = argument.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    name = parts.first ?? ""
  }

  func style() throws -> Style {
    switch name {
    case "auto" where parts.count == 1: return { _ in .automatic }
    case "link" where parts.count == 1: return { _ in .linkHeader }
    case "single" where parts.count == 1: return { _ in .single }
    case "next": return try next()
    case "links": return try links()
    case "header" where 2...3 ~= parts.count:
      let (field, parameter) = (try word(1), parts.count > 2 ? try word(2) : nil)
      return { _ in .nextHeader(field, parameter: parameter) }
    case "cursor", "last": return try token()
    case "page" where parts.count <= 4:
      let (name, first, size) = (try part(1, "page"), try first(2, 1), try part(3, "per_page"))
      return { .page(name, size: $0 ? size : nil, first: first) }
    case "offset" where parts.count <= 4 && parts.count != 2:
      let (name, limit, first) = (try part(1, "offset"), try part(2, "limit"), try first(3, 0))
      return { .offset(name, limit: $0 ? limit : nil, first: first) }
    default: throw ValidationError(advice)
    }
  }

  private func next() throws -> Style {
    // A pointer may itself contain colons.
    guard let pointer = pointer(argument.dropFirst(5)) else {
      throw ValidationError("A JSON pointer is missing. Try next:/links/next.")
    }
    return { _ in .nextURL(pointer) }
  }

  private func links() throws -> Style {
    guard parts.count > 1 else { return { _ in .links() } }
    guard let pointer = pointer(argument.dropFirst(6)) else {
      throw ValidationError("That is no JSON pointer. Try links or links:/links.")
    }
    return { _ in .links(at: pointer) }
  }

  /// Parses `cursor:/pointer:param[:/has_more]` or `last:/id:param[:/has_more]`.
  ///
  /// The pointer may contain colons: the parameter is the last part that does not start with a
  /// slash.
  private func token() throws -> Style {
    let example =
      name == "cursor" ? "cursor:/next_cursor:cursor" : "last:/id:starting_after:/has_more"
    guard parts.count > 2,
      let index = parts.indices.dropFirst(2).last(where: { !parts[$0].hasPrefix("/") }),
      !parts[index].isEmpty, let pointer = pointer(parts[1..<index].joined(separator: ":"))
    else {
      throw ValidationError(
        "It needs a JSON pointer and the parameter that takes it. Try \(example).")
    }
    let parameter = parts[index]
    let rest = parts[(index + 1)...].joined(separator: ":")
    let hasMore = rest.isEmpty ? nil : self.pointer(rest)
    guard rest.isEmpty || hasMore != nil else {
      throw ValidationError("\"\(rest)\" is no JSON pointer. Try \(example).")
    }
    if name == "cursor" {
      return { _ in .cursor(at: pointer, parameter: parameter, hasMore: hasMore) }
    }
    return { _ in .lastItem(id: pointer, parameter: parameter, hasMore: hasMore) }
  }

  private func pointer(_ text: some StringProtocol) -> JSONPointer? {
    JSONPointer(String(text)).flatMap { $0.tokens.isEmpty ? nil : $0 }
  }

  private func word(_ index: Int) throws -> String { try part(index, "") }

  private func part(_ index: Int, _ standard: String) throws -> String {
    guard parts.count > index else { return standard }
    guard !parts[index].isEmpty else { throw ValidationError("A name is missing.") }
    return parts[index]
  }

  private func first(_ index: Int, _ standard: Int) throws -> Int {
    guard parts.count > index else { return standard }
    return try number(parts[index], in: 0...1_000_000_000)
  }

  /// The message that suggests the style that may have been meant.
  private var advice: String {
    let meant = [
      "auto": "auto", "automatic": "auto", "link": "link", "header": "header:Next-Page",
      "links": "links", "hal": "links", "single": "single", "none": "single",
      "page": "page:page:1:per_page", "pages": "page", "number": "page",
      "offset": "offset:offset:limit", "skip": "offset:skip:limit", "limit": "offset",
      "token": "cursor:/next_cursor:cursor", "starting_after": "last:/id:starting_after:/has_more",
      "after": "cursor:/after:after", "odata": "next:/@odata.nextLink",
      "jsonapi": "next:/links/next",
    ][name.lowercased()]
    if let meant { return "That is no paging style. Try \(meant)." }
    if name.hasPrefix("/") {
      return
        "That is no paging style. Try next:\(argument) where a URL stands there, and cursor:\(argument):param where it is a token."
    }
    return
      "There is no such way to page. It is one of auto, link, next, links, header, cursor, last, page, offset and single."
  }
}

/// The argument of `--section /pointer[:day]`.
extension SectionPlace: ExpressibleByArgument {
  init?(argument: String) {
    isDay = argument.hasSuffix(":day")
    guard let pointer = JSONPointer(isDay ? String(argument.dropLast(4)) : argument) else {
      return nil
    }
    self.pointer = pointer
  }
}

extension JSONPointer: @retroactive ExpressibleByArgument {
  /// Creates a pointer from an argument.
  public init?(argument: String) { self.init(argument) }
}

/// The time between two refreshes, the argument of `--every 30s`.
struct Interval: ExpressibleByArgument, CustomStringConvertible {
  let duration: Duration
  let description: String

  init(duration: Duration, description: String) {
    self.duration = duration
    self.description = description
  }

  init?(argument: String) {
    do { try self.init(argument) } catch { return nil }
  }

  /// Reads an argument, or throws an error that explains what is wrong with it.
  init(_ argument: String) throws {
    let digits = argument.prefix { $0.isNumber || $0 == "." }
    let units = ["ms": 0.001, "": 1, "s": 1, "m": 60, "h": 3600]
    guard let number = Double(digits), let unit = units[String(argument.dropFirst(digits.count))],
      (0.001...31_622_400).contains(number * unit)
    else {
      throw ValidationError("It needs a time from 1ms to 8784h, such as 250ms, 30s, 5m or 1h.")
    }
    duration = .seconds(number * unit)
    description = argument
  }
}

/// The number of pages to load, the argument of `--pages 3` or `--pages all`.
enum PageCount: Equatable, ExpressibleByArgument, CustomStringConvertible {
  case some(Int)
  case all

  init?(argument: String) {
    do { try self.init(argument) } catch { return nil }
  }

  /// Reads an argument, or throws an error that explains what is wrong with it.
  init(_ argument: String) throws {
    self = argument == "all" ? .all : .some(try number(argument, in: 1...1_000_000_000))
  }

  var description: String {
    switch self {
    case .some(let count): "\(count)"
    case .all: "all"
    }
  }
}

/// Returns the number that an argument gives; throws an error unless it is in the range.
func number<Number: FixedWidthInteger>(
  _ argument: String, in range: ClosedRange<Number>
) throws -> Number {
  guard let number = Number(argument), range.contains(number) else {
    throw ValidationError("It needs a number from \(range.lowerBound) to \(range.upperBound).")
  }
  return number
}

/// The values of `--format`.
enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
  case table, jsonl
}
