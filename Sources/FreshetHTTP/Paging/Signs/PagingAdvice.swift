internal import Freshet

/// Which paging style gets the rows that an answer speaks of.
struct PagingAdvice {
  let evidence: [Sign]
  let signs: [Sign]

  var text: String {
    let (swift, shell, note) = style
    return
      "Try \(swift), in a shell --paging \(shell)\(note). Where that is no sign of more rows, say so with .trusted, in a shell with \"!\" behind the style."
  }

  /// The style in Swift, in a shell, and what to know about it.
  private var style: (swift: String, shell: String, note: String) {
    let guess = "; the name of the parameter is a guess"
    let next = evidence.filter(\.namesNext)
    if next.contains(where: { $0.meaning == .linkHeader }) { return (".linkHeader", "link", "") }
    // An object is no token.
    let best = next.first(where: \.isURL) ?? next.first { $0.value.token != nil }
    switch (best?.place, best) {
    case (.member(let pointer)?, let sign?):
      let place = pointer.description.shownSafely
      if sign.meaning == .nextLink { return (".links(at: \"\(place)\")", "links:\(place)", "") }
      if sign.isURL { return (".nextURL(\"\(place)\")", "next:\(place)", "") }
      let words = SignName(sign.name).words
      if sign.value.wholeNumber != nil, SignName(sign.name).joined != "nextpagestart" {
        if words.last == "page" { return pageStyle }
        if words.contains(where: ["offset", "start", "skip", "index"].contains) {
          return offsetStyle
        }
      }
      let name = Self.parameter(sign.name)
      return (
        ".cursor(at: \"\(place)\", parameter: \"\(name)\")", "cursor:\(place):\(name)", guess
      )
    case (.header(let name)?, let sign?):
      let header = name.shownSafely
      if sign.isURL { return (".nextHeader(\"\(header)\")", "header:\(header)", "") }
      let parameter = SignName(name).words.last ?? "cursor"
      return (
        ".nextHeader(\"\(header)\", parameter: \"\(parameter)\")", "header:\(header):\(parameter)",
        guess
      )
    default: break
    }
    if let object = next.first(where: { $0.value == .object }),
      case .member(let pointer) = object.place
    {
      let place = pointer.description.shownSafely
      return (
        ".cursor(at: \"\(place)/NAME\", parameter: \"NAME\")", "cursor:\(place)/NAME:NAME",
        "; NAME is the member of \(place) that goes back as a parameter"
      )
    }
    if signs.contains(where: { $0.meaning == .page && $0.name != "number" || $0.meaning == .pages })
    {
      return pageStyle
    }
    if signs.contains(where: { $0.meaning == .offset }) { return offsetStyle }
    if let flag = evidence.first(where: { $0.meaning == .hasMore }),
      case .member(let pointer) = flag.place
    {
      let place = pointer.description.shownSafely
      return (
        ".lastItem(id: \"/id\", parameter: \"starting_after\", hasMore: \"\(place)\"), .page() or .offset()",
        "last:/id:starting_after:\(place)", guess
      )
    }
    return (".page() or .offset()", "page or offset", "")
  }

  private var pageStyle: (swift: String, shell: String, note: String) {
    let name = name(.page, "page", ["page", "page_number", "pageNumber", "p"])
    let size = sizeName("per_page")
    if signs.contains(where: { $0.meaning == .page && $0.value.wholeNumber == 0 }) {
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

  private var offsetStyle: (swift: String, shell: String, note: String) {
    let name = name(
      .offset, "offset", ["offset", "skip", "start", "from", "startIndex", "startAt"])
    let size = sizeName("limit")
    return (
      ".offset(\"\(name)\", limit: \"\(size)\")", "offset:\(name):\(size)",
      "; say what your server calls them"
    )
  }

  /// A member's name where it may be a parameter's as well.
  private func name(_ meaning: Sign.Meaning, _ standard: String, _ usual: [String]) -> String {
    signs.first { $0.meaning == meaning && usual.contains($0.name) }?.name ?? standard
  }

  private func sizeName(_ standard: String) -> String {
    name(
      .size, standard,
      ["size", "per_page", "page_size", "pageSize", "perPage", "limit", "maxResults"])
  }

  /// The parameter that takes a token, by the name of the member that gives it.
  static func parameter(_ member: String) -> String {
    switch SignName(member).joined {
    case "endcursor": return "after"
    case "nextpagestart": return "start"
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
