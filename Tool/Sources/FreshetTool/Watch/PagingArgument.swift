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
    description = argument
    let parts = argument.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    func part(_ index: Int, _ standard: String) -> String? {
      parts.count > index ? parts[index].isEmpty ? nil : parts[index] : standard
    }
    switch parts[0] {
    case "auto" where parts.count == 1: style = { _ in .automatic }
    case "link" where parts.count == 1: style = { _ in .linkHeader }
    case "next":
      // A pointer may itself hold colons.
      guard let pointer = JSONPointer(String(argument.dropFirst(5))), !pointer.tokens.isEmpty else {
        return nil
      }
      style = { _ in .nextURL(pointer) }
    case "page" where parts.count <= 4:
      guard let name = part(1, "page"), let first = part(2, "1").flatMap({ Int($0) }),
        let size = part(3, "per_page")
      else { return nil }
      style = { .page(name, size: $0 ? size : nil, first: first) }
    case "offset" where parts.count <= 4 && parts.count != 2:
      guard let name = part(1, "offset"), let limit = part(2, "limit"),
        let first = part(3, "0").flatMap({ Int($0) })
      else { return nil }
      style = { .offset(name, limit: $0 ? limit : nil, first: first) }
    default: return nil
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
    let digits = argument.prefix { $0.isNumber || $0 == "." }
    guard let number = Double(digits), number > 0, number < 1e8 else { return nil }
    switch argument.dropFirst(digits.count) {
    case "ms": duration = .seconds(number / 1000)
    case "", "s": duration = .seconds(number)
    case "m": duration = .seconds(number * 60)
    case "h": duration = .seconds(number * 3600)
    default: return nil
    }
    description = argument
  }
}

/// How many pages to load, as `--pages 3` or `--pages all` says it.
enum PageCount: ExpressibleByArgument, CustomStringConvertible {
  case some(Int)
  case all

  init?(argument: String) {
    if argument == "all" {
      self = .all
    } else if let count = Int(argument), count > 0 {
      self = .some(count)
    } else {
      return nil
    }
  }

  var description: String {
    switch self {
    case .some(let count): "\(count)"
    case .all: "all"
    }
  }
}

/// What `--format` offers.
enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
  case table, jsonl
}
