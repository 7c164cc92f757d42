import Foundation
import Freshet

@testable import FreshetTool

/// A screen with a list that is replaced step by step.
struct ScreenSession {
  var screen: WatchScreen
  var shown = ListSnapshot<WatchScreen.Row>()
  /// What the source has, on display or not.
  var source = ListSnapshot<WatchScreen.Row>()
  var effects: [WatchScreen.Effect] = []

  init(width: Int = 80, height: Int = 24, _ options: WatchScreen.Options = .init(title: "list")) {
    screen = WatchScreen(
      options, size: ScreenSize(width: width, height: height),
      now: Date(timeIntervalSince1970: 1000))
  }

  var texts: [String] { screen.frame.texts }
  /// The lines of the table.
  var table: [String] { Array(texts[2..<(texts.count - 1)]) }

  mutating func handle(_ event: WatchScreen.Event) {
    effects = screen.handle(event).filter { if case .display = $0 { false } else { true } }
  }

  mutating func press(_ keys: Key...) { for key in keys { handle(.key(key)) } }
  mutating func type(_ text: String) { for key in text { handle(.key(.character(key))) } }
  mutating func wait(_ seconds: Double) {
    handle(.tick(screen.now.addingTimeInterval(seconds)))
  }

  /// Shows rows: numbers, and `-1` for a gap.
  ///
  /// - Parameter all: the rows that the source's list has, where a filter shows but some.
  mutating func show(
    _ ids: [Int], of all: [Int]? = nil, _ loads: ListState = ListState(),
    text: (Int) -> String = { "row \($0)" }
  ) throws {
    let all = try all.map { try list($0, text: text) }
    show(try list(ids, text: text), of: all, loads)
  }

  mutating func show(
    _ list: ListSnapshot<WatchScreen.Row>, of all: ListSnapshot<WatchScreen.Row>? = nil,
    _ loads: ListState = ListState()
  ) {
    source(has: all ?? list)
    let known = Set(source.items.compactMap { $0.item?.id })
    let update = ListStep(from: shown, to: list, origin: .network)
    shown = list
    handle(
      .updated(
        update,
        ScreenList(
          list: list, loads: loads, refreshedAt: screen.now.addingTimeInterval(-12),
          count: list.items.count { $0.item != nil }, has: { known.contains($0) }
        ) { id in
          list.sections.indices.lazy.compactMap { section in
            list.sections[section].rows.firstIndex { $0.id == id }.map {
              RowPath(section: section, row: $0)
            }
          }.first
        }))
  }

  /// The source's list changes; what is on display follows with `show`.
  mutating func source(has ids: [Int]) throws { source(has: try list(ids) { "row \($0)" }) }

  private mutating func source(has list: ListSnapshot<WatchScreen.Row>) {
    let update = ListStep(from: source, to: list, origin: .network)
    source = list
    handle(.came(update))
  }

  private func list(
    _ ids: [Int], text: (Int) -> String
  ) throws -> ListSnapshot<WatchScreen.Row> {
    ListSnapshot(
      try ids.map { id -> WatchScreen.Row in
        if id < 0 { return .gap(Gap(id: -id)) }
        let item = #"{"id":\#(id),"title":"\#(text(id))","html_url":"https://example.com/\#(id)"}"#
        return .item(try WatchedItem(try JSONReader.value(of: item.utf8), .init()))
      })
  }
}
