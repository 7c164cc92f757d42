public import ArgumentParser
import Freshet
public import FreshetHTTP

/// How a list is paged, as `--paging` says it.
struct PagingArgument: ExpressibleByArgument, CustomStringConvertible {
  static let help =
    "auto, link, next:/pointer, page[:param[:first[:sizeparam]]], offset[:param:limitparam[:first]]"

  /// The style, where a size parameter is sent only if a size was asked for.
  let style: @Sendable (_ sendsSize: Bool) -> PagingStyle

  let description: String

  static let automatic = PagingArgument()

  private init() {
    style = { _ in .automatic }
    description = "auto"
  }

  init?(argument: String) {
    do { try self.init(argument) } catch { return nil }
  }

  /// Reads an argument, or says what is wrong with it.
  init(_ argument: String) throws {
    description = argument
    let parts = argument.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    func part(_ index: Int, _ standard: String) throws -> String {
      guard parts.count > index else { return standard }
      guard !parts[index].isEmpty else {
        throw ValidationError("A name is missing.")
      }
      return parts[index]
    }
    func first(_ index: Int, _ standard: Int) throws -> Int {
      guard parts.count > index else { return standard }
      return try number(parts[index], in: 0...1_000_000_000)
    }
    switch parts[0] {
    case "auto" where parts.count == 1: style = { _ in .automatic }
    case "link" where parts.count == 1: style = { _ in .linkHeader }
    case "next":
      // A pointer may itself hold colons.
      guard let pointer = JSONPointer(String(argument.dropFirst(5))), !pointer.tokens.isEmpty else {
        throw ValidationError("A JSON pointer is missing. Try next:/links/next.")
      }
      style = { _ in .nextURL(pointer) }
    case "page" where parts.count <= 4:
      let (name, first, size) = (try part(1, "page"), try first(2, 1), try part(3, "per_page"))
      style = { .page(name, size: $0 ? size : nil, first: first) }
    case "offset" where parts.count <= 4 && parts.count != 2:
      let (name, limit, first) = (try part(1, "offset"), try part(2, "limit"), try first(3, 0))
      style = { .offset(name, limit: $0 ? limit : nil, first: first) }
    default: throw ValidationError("There is no such way to page.")
    }
  }
}

/// `--section /pointer[:day]`
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

/// The time between two refreshes, as `--every 30s` says it.
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

  /// Reads an argument, or says what is wrong with it.
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

/// How many pages to load, as `--pages 3` or `--pages all` says it.
enum PageCount: Equatable, ExpressibleByArgument, CustomStringConvertible {
  case some(Int)
  case all

  init?(argument: String) {
    do { try self.init(argument) } catch { return nil }
  }

  /// Reads an argument, or says what is wrong with it.
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

/// The number that an argument gives, if it is in a range.
func number<Number: FixedWidthInteger>(
  _ argument: String, in range: ClosedRange<Number>
) throws -> Number {
  guard let number = Number(argument), range.contains(number) else {
    throw ValidationError("It needs a number from \(range.lowerBound) to \(range.upperBound).")
  }
  return number
}

/// What `--format` offers.
enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
  case table, jsonl
}
