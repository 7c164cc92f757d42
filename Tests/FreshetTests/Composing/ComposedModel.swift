import FreshetTesting

@testable import Freshet

/// A list made of others, said once more from scratch: rows in sections, and what is known of its
/// ends.
struct ComposedModel: Equatable {
  struct Section: Equatable {
    var name = ""
    var rows: [ListRow<Post>]
  }

  var sections: [Section] = []
  var isTopKnown = true
  var isEndKnown = false

  init(_ rows: [ListRow<Post>], isTopKnown: Bool, isEndKnown: Bool) {
    sections = rows.isEmpty ? [] : [Section(rows: rows)]
    self.isTopKnown = isTopKnown
    self.isEndKnown = isEndKnown
  }

  init(_ value: ListValue<Post>) {
    sections = value.list.sections.map { Section(name: $0.name, rows: Array($0.rows)) }
    isTopKnown = value.state.previous == .end
    isEndKnown = value.state.next == .end
  }

  var rows: [ListRow<Post>] { sections.flatMap(\.rows) }

  /// The same list with other rows.
  func with(_ rows: [ListRow<Post>]) -> ComposedModel {
    ComposedModel(rows, isTopKnown: isTopKnown, isEndKnown: isEndKnown)
  }

  func sectioned(by name: (Post) -> String) -> ComposedModel {
    let rows = rows
    var result = with([])
    for (index, row) in rows.enumerated() {
      let neighbour =
        rows[...index].last { $0.item != nil } ?? rows[index...].first { $0.item != nil }
      let name = neighbour?.item.map(name) ?? ""
      if let section = result.sections.firstIndex(where: { $0.name == name }) {
        result.sections[section].rows.append(row)
      } else {
        result.sections.append(Section(name: name, rows: [row]))
      }
    }
    return result
  }

  /// The rows with the numbers that gaps have in one of two lists.
  private func numbered(_ part: Int) -> [ListRow<Post>] {
    rows.map { row in row.gap.map { .gap(Gap(id: $0.id * 2 + part)) } ?? row }
  }

  func followed(by other: ComposedModel) -> ComposedModel {
    let own = numbered(0)
    let ids = Set(own.map(\.id))
    let rest = isEndKnown ? other.numbered(1).filter { !ids.contains($0.id) } : []
    return ComposedModel(
      own + rest, isTopKnown: isTopKnown, isEndKnown: isEndKnown && other.isEndKnown)
  }

  func merged(with other: ComposedModel, by key: (Post) -> Int) -> ComposedModel {
    struct Place {
      let row: ListRow<Post>
      let key: (Int, Int, Int)
    }
    let parts = [self, other].enumerated().map { part, model in
      var above = Int.min
      return model.numbered(part).enumerated().map { index, row in
        if let item = row.item { above = key(item) }
        return Place(row: row, key: (above, part, index))
      }
    }
    let ids = Set(parts[0].map(\.row.id))
    let all = parts[0] + parts[1].filter { !ids.contains($0.row.id) }
    let shown = all.sorted { $0.key < $1.key }.filter { place in
      !zip(parts, [self, other]).contains { rows, model in
        if !model.isEndKnown, rows.last.map({ place.key > $0.key }) ?? true { return true }
        if !model.isTopKnown, rows.first.map({ place.key < $0.key }) ?? true { return true }
        return rows.enumerated().contains { index, gap in
          guard gap.row.gap != nil, place.key > gap.key else { return false }
          let below = rows[index...].first { $0.row.item != nil }
          return below.map { place.key < $0.key } ?? true
        }
      }
    }
    return ComposedModel(
      shown.map(\.row), isTopKnown: isTopKnown && other.isTopKnown,
      isEndKnown: isEndKnown && other.isEndKnown)
  }
}

/// One step of a chain of lists, live and from scratch.
enum Operation: CaseIterable {
  case map, filter, separated, limited, sectioned, merged, followed

  /// Where a post belongs; the dividers of one operation have ids of their own thousand.
  static let key: @Sendable (Post) -> Int = { $0.id % 1_000 }
  static let renamed: @Sendable (Post) -> Post = { Post(id: $0.id, version: $0.version / 2) }
  static let section: @Sendable (Post) -> String = { "\(key($0) / 10)" }
  static func isIncluded(_ divisor: Int) -> @Sendable (Post) -> Bool {
    { $0.version % divisor == 0 }
  }
  static let divider: @Sendable (Post?, Post) -> Post? = { above, below in
    let bucket = key(below) / 5
    return above.map { key($0) / 5 } == bucket ? nil : Post(id: bucket * 5, version: 1)
  }
  static func divided(_ place: Int, _ row: SeparatedRow<Post, Post>) -> Post {
    switch row {
    case .item(let post): post
    case .separator(let post, let occurrence):
      Post(id: post.id + 1_000 * (place + 1) + 10_000 * (occurrence + 1), version: post.version)
    }
  }

  func live(
    _ list: some LiveList<Post>, at place: Int, with other: some LiveList<Post>
  ) -> any LiveList<Post> {
    switch self {
    case .map: list.map(Self.renamed)
    case .filter: list.filter(Self.isIncluded(2))
    case .separated: list.separated(Self.divider).map { Self.divided(place, $0) }
    case .limited: list.limited(to: 9)
    case .sectioned: list.sectioned(by: Self.section)
    case .merged: list.merged(with: other, sortedBy: Self.key)
    case .followed: list.followed(by: other)
    }
  }

  func model(
    _ list: ComposedModel, at place: Int, with other: ComposedModel, divisor: Int
  ) -> ComposedModel {
    switch self {
    case .map:
      return list.with(list.rows.map { row in row.item.map { .item(Self.renamed($0)) } ?? row })
    case .filter:
      return list.with(list.rows.filter { $0.item.map(Self.isIncluded(divisor)) ?? true })
    case .separated:
      var above: Post?
      var counts: [Int: Int] = [:]
      return list.with(
        list.rows.flatMap { row -> [ListRow<Post>] in
          guard let post = row.item else { return [row] }
          defer { above = post }
          guard let divider = Self.divider(above, post) else { return [row] }
          defer { counts[divider.id, default: 0] += 1 }
          let occurrence = counts[divider.id, default: 0]
          return [
            .item(Self.divided(place, .separator(divider, occurrence: occurrence))), row,
          ]
        })
    case .limited:
      var result = list.with(Array(list.rows.prefix(9)))
      if list.rows.count >= 9 { result.isEndKnown = true }
      return result
    case .sectioned: return list.sectioned(by: Self.section)
    case .merged: return list.merged(with: other, by: Self.key)
    case .followed: return list.followed(by: other)
    }
  }
}
