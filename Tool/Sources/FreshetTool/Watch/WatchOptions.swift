import ArgumentParser
import Freshet
import FreshetHTTP

/// The options for the places of values in a source's responses.
struct ListOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "How the server names its pages; auto unless you say so.",
      discussion: PagingArgument.table, valueName: "style"),
    completion: .list(PagingArgument.words), transform: { try PagingArgument($0) })
  var paging = PagingArgument.automatic

  @Option(
    help: ArgumentHelp(
      "Where the items are. Found by itself where there is one array.", valueName: "/pointer"),
    transform: { try PointerArgument.pointer($0) })
  var items: JSONPointer?

  @Option(
    help: ArgumentHelp("What tells rows apart, in an item; /id.", valueName: "/pointer"),
    transform: { try PointerArgument.pointer($0) })
  var id: JSONPointer = "/id"

  @Option(
    help: ArgumentHelp("What to print of a row, in an item.", valueName: "/pointer"),
    transform: { try PointerArgument.pointer($0) })
  var title: JSONPointer?

  @Option(
    help: ArgumentHelp("Which section a row is in.", valueName: "/pointer[:day]"),
    transform: { try PointerArgument.section($0) })
  var section: SectionPlace?

  @Option(
    name: .customLong("ignore"),
    help: ArgumentHelp(
      "What changes by itself in an item, such as an age: no update tells of it; repeatable.",
      valueName: "/pointer"),
    transform: { try PointerArgument.pointer($0) })
  var ignored: [JSONPointer] = []

  var places: WatchedPlaces {
    WatchedPlaces(id: id, title: title, section: section, ignored: ignored)
  }
}

/// The options for how much of the list is loaded, and how often it is refreshed.
struct LoadingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "How many rows to ask for with each page, where the paging has a parameter for it.",
      valueName: "N"),
    transform: { try number($0, in: 1...1_000_000) })
  var limit: Int?

  @Option(
    help: ArgumentHelp(
      "How many pages to keep, or all; 1 unless you say so.", valueName: "N|all"),
    transform: { try PageCount($0) })
  var pages = PageCount.some(1)

  @Option(
    help: ArgumentHelp(
      "How many rows to keep; \(WatchBounds.standardRows) unless you say so.", valueName: "N"),
    transform: { try number($0, in: 1...100_000_000) })
  var maxRows: Int?

  @Option(
    help: ArgumentHelp(
      "How far a refresh reads: from the head until it meets what is known, or through all that is loaded.",
      valueName: "head|all"))
  var refresh = RefreshArgument.head

  @Flag(help: "Stop after the first complete load.")
  var once = false

  @Option(
    help: ArgumentHelp(
      "How often to refresh, ±10 %; every 30s unless you say so.", valueName: "30s"),
    transform: { try Interval($0) })
  var every = Interval(duration: .seconds(30), description: "30s")

  @Option(
    help: ArgumentHelp(
      "How often a request that failed is sent again, never before the server allows it; 3 times with --once, else 2.",
      valueName: "N"),
    transform: { try number($0, in: 0...1000) })
  var retries: Int?

  var bounds: WatchBounds {
    WatchBounds(
      pages: pages, maxRows: maxRows ?? WatchBounds.standardRows, isMaxRowsAsked: maxRows != nil,
      gapPages: once ? 1000 : 100)
  }

  var retryPolicy: RetryPolicy {
    RetryPolicy(
      attempts: retries ?? (once ? 3 : 2), base: .milliseconds(500), limit: .seconds(300))
  }
}

/// The parsers of pointer arguments, whose errors explain what to do.
enum PointerArgument {
  static func pointer(_ argument: String) throws -> JSONPointer {
    guard let pointer = JSONPointer(argument) else { throw advice(argument) }
    return pointer
  }

  static func section(_ argument: String) throws -> SectionPlace {
    guard let place = SectionPlace(argument: argument) else { throw advice(argument) }
    return place
  }

  private static func advice(_ argument: String) -> ValidationError {
    argument.hasPrefix("/")
      ? ValidationError("In a JSON pointer, ~ is written ~0 and / in a name ~1.")
      : ValidationError("A JSON pointer begins with /: try /\(argument).")
  }
}

/// The values of `--refresh`.
enum RefreshArgument: String, ExpressibleByArgument, CaseIterable {
  case head, all

  var scope: RefreshScope { self == .head ? .head : .all }
}

extension Interval {
  /// Returns how long to wait for the next refresh.
  ///
  /// `chance`, from 0 to 1, changes the interval by up to a tenth, so that many clients do not send
  /// their requests together. If the server asked for a longer wait, of at most a day, it waits
  /// that long (rule R4).
  func pause(after failure: WatchFailure?, chance: Double) -> Duration {
    let asked = min(failure?.retryAfter ?? .zero, .seconds(86_400))
    return max(duration * (0.9 + 0.2 * chance), asked)
  }
}
