internal import Freshet

/// The advice for an error: the paging style that would load the remaining rows.
struct PagingAdvice {
  let evidence: [PaginationSignal]
  let signals: [PaginationSignal]

  var text: String {
    let (swift, shell, note) = style
    return
      "Try \(swift), in a shell --paging \(shell)\(note). Where that is no sign of more rows, say so with .trusted, in a shell with \"!\" behind the style."
  }

  /// A style in Swift and in a shell, with a note about it.
  private typealias Style = (swift: String, shell: String, note: String)

  private static let guess = "; the name of the parameter is a guess"

  private var style: Style {
    let next = evidence.filter(\.namesNext)
    if next.contains(where: { $0.meaning == .linkHeader }) { return (".linkHeader", "link", "") }
    // An object is not a token.
    let best = next.first(where: \.isURL) ?? next.first { $0.value.token != nil }
    return best.flatMap(style(of:)) ?? objectStyle ?? countedStyle ?? lastItemStyle
      ?? (".page() or .offset()", "page or offset", "")
  }

  /// Returns the style for a signal that references the next page.
  private func style(of signal: PaginationSignal) -> Style? {
    switch signal.place {
    case .member(let pointer): style(of: signal, at: pointer.description.shownSafely)
    case .header(let name): style(of: signal, inHeader: name)
    default: nil
    }
  }

  private func style(of signal: PaginationSignal, at place: String) -> Style {
    if signal.meaning == .nextLink { return (".links(at: \"\(place)\")", "links:\(place)", "") }
    if signal.isURL { return (".nextURL(\"\(place)\")", "next:\(place)", "") }
    let words = SignalName(signal.name).words
    if let number = signal.value.wholeNumber, SignalName(signal.name).joined != "nextpagestart" {
      if words.last == "page" || words == ["next"] && number == 2 { return pageStyle }
      if words == ["next"] || words.contains(where: ["offset", "start", "skip", "index"].contains) {
        return offsetStyle
      }
    }
    let name = Self.parameter(signal.name)
    return (
      ".cursor(at: \"\(place)\", parameter: \"\(name)\")", "cursor:\(place):\(name)", Self.guess
    )
  }

  private func style(of signal: PaginationSignal, inHeader name: String) -> Style {
    let header = name.shownSafely
    if signal.isURL { return (".nextHeader(\"\(header)\")", "header:\(header)", "") }
    let parameter = SignalName(name).words.last ?? "cursor"
    return (
      ".nextHeader(\"\(header)\", parameter: \"\(parameter)\")", "header:\(header):\(parameter)",
      Self.guess
    )
  }

  /// The style for a next page that is named by an object.
  private var objectStyle: Style? {
    guard
      case .member(let pointer)? = evidence.first(where: { $0.namesNext && $0.value == .object })?
        .place
    else { return nil }
    let place = pointer.description.shownSafely
    return (
      ".cursor(at: \"\(place)/NAME\", parameter: \"NAME\")", "cursor:\(place)/NAME:NAME",
      "; NAME is the member of \(place) that goes back as a parameter"
    )
  }

  /// The style for pages or rows that are counted.
  private var countedStyle: Style? {
    let namesPage = signals.contains {
      $0.meaning == .page && $0.name != "number" || $0.meaning == .pages
    }
    if namesPage { return pageStyle }
    return signals.contains { $0.meaning == .offset } ? offsetStyle : nil
  }

  /// The style for a flag as the only sign of more rows.
  private var lastItemStyle: Style? {
    guard case .member(let pointer)? = evidence.first(where: { $0.meaning == .hasMore })?.place
    else { return nil }
    let place = pointer.description.shownSafely
    return (
      ".lastItem(id: \"/id\", parameter: \"starting_after\", hasMore: \"\(place)\"), .page() or .offset()",
      "last:/id:starting_after:\(place)", Self.guess
    )
  }

  private var pageStyle: Style {
    let name = name(.page, "page", ["page", "page_number", "pageNumber", "p"])
    let size = sizeName("per_page")
    if signals.contains(where: { $0.meaning == .page && $0.value.wholeNumber == 0 }) {
      return (
        ".page(\"\(name)\", size: \"\(size)\", first: 0)", "page:\(name):0:\(size)",
        "; say what your server calls them"
      )
    }
    return (
      ".page(\"\(name)\", size: \"\(size)\")", "page:\(name):1:\(size)",
      "; say what your server calls them and whether it counts from 0"
    )
  }

  private var offsetStyle: Style {
    let name = name(
      .offset, "offset", ["offset", "skip", "start", "from", "startIndex", "startAt"])
    let size = sizeName("limit")
    return (
      ".offset(\"\(name)\", limit: \"\(size)\")", "offset:\(name):\(size)",
      "; say what your server calls them"
    )
  }

  /// Returns a member's name if it may also be the name of a parameter.
  private func name(_ meaning: PaginationSignal.Meaning, _ standard: String, _ usual: [String])
    -> String
  {
    signals.first { $0.meaning == meaning && usual.contains($0.name) }?.name ?? standard
  }

  private func sizeName(_ standard: String) -> String {
    name(
      .size, standard,
      ["size", "per_page", "page_size", "pageSize", "perPage", "limit", "maxResults"])
  }

  /// Returns the parameter for a token, by the name of the member that holds it.
  static func parameter(_ member: String) -> String {
    switch SignalName(member).joined {
    case "endcursor": return "after"
    case "nextpagestart": return "start"
    // Amazon's services use the same name for the parameter; Matrix calls it `from`.
    case "nexttoken" where member == "nextToken": return member
    case "nextbatch", "nexttoken", "end": return "from"
    default: break
    }
    var name = member.shownSafely
    if name.lowercased().hasPrefix("next") {
      name = String(name.dropFirst(4).drop { $0 == "_" || $0 == "-" })
      name = name.prefix(1).lowercased() + name.dropFirst()
    }
    return name.isEmpty ? "cursor" : name
  }
}
