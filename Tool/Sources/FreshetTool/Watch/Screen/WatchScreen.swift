import Foundation
import Freshet
import FreshetUI

/// The screen of `freshet watch`: it takes events, and returns effects and frames.
///
/// It has no clock, no terminal and no feed.
struct WatchScreen {
  typealias Row = ListRow<WatchedItem>
  typealias Rows = FlatLayout<WatchedItem>

  /// The options of the whole session.
  struct Options {
    var title = ""
    var columns = RowColumn.standard
    var hasSections = false
  }

  enum Event: Sendable {
    case key(Key)
    case resized(ScreenSize)
    /// The source's list changed; the list on display may change a moment later.
    case came(ListStep<Row>)
    case updated(ListStep<Row>, ScreenList)
    /// The rows are the same, but the state of loads changed.
    case stands(ScreenList)
    case tick(Date)
    /// The trace of a row, which explains why it is in the list.
    case traced(RowID, String)
    /// A message to show in a line.
    case said(String)
    /// A request waits until it may be sent again; `nil` once it is sent.
    case waiting(RequestWait?)
    /// The rows with edits that an app has not sent, on display or not.
    case unsent(Set<RowID>)
  }

  enum Effect: Equatable {
    /// These rows are on display.
    case display([WatchedItem])
    case loadNext
    case loadPrevious
    case load(Gap)
    case refresh(RefreshScope)
    case filter(String)
    case trace(RowID)
    case open(URL)
    case quit
  }

  enum Mode: Equatable {
    case list
    /// The user types the filter; `escape` restores the text before.
    case filter(before: String)
    case row(RowView)
    /// The help, from a line on.
    case help(top: Int)
  }

  let options: Options
  var size: ScreenSize
  var now: Date
  var mode = Mode.list
  var list = ScreenList()
  var rows = Rows(ListLayout(), showsTitles: false)
  /// The index of the selected row among all rows; `top` is that of the first row on display.
  var cursor = 0
  var top = 0
  var filter = ""
  var marks = RowMarks()
  /// The widths of the columns, each as wide as any row needed so far.
  var widths: [Int] = []
  /// The cells of the rows on display, with the texts that they were made from.
  private var read: [RowID: (text: String, cells: [(text: String, isNumber: Bool)])] = [:]
  var message: (text: String, until: Date)?
  var wait: RequestWait?
  /// The lines above the state: what happened, and what to try.
  private(set) var notes: [String] = []

  init(_ options: Options, size: ScreenSize = ScreenSize(), now: Date) {
    self.options = options
    self.size = size
    self.now = now
  }

  /// Handles an event.
  ///
  /// - Returns: the effects to perform.
  mutating func handle(_ event: Event) -> [Effect] {
    var effects: [Effect] = []
    switch event {
    case .key(let key): effects = press(key)
    case .resized(let size):
      self.size = size
      (widths, read) = ([], [:])
      if case .row(let view) = mode { show(view) }
      if case .help(let top) = mode { showHelp(from: top) }
    case .came(let update): marks.noteNews(update, at: now)
    case .updated(let update, let list):
      marks.note(update, at: now, in: list)
      take(list)
    case .stands(let other):
      // If rows were inserted or removed too, their update has the state that belongs to them
      // (rule R5).
      if other.count == list.count { take(list.standing(as: other)) }
    case .tick(let date):
      now = date
      marks.forget(before: date)
      if let message, message.until <= date { self.message = nil }
      if let wait, wait.until <= date { self.wait = nil }
      if notes != noted { settle() }
      return []
    case .traced(let id, let trace):
      if case .row(var view) = mode, view.id == id {
        view.trace = trace
        show(view)
      }
    case .said(let text): say(text)
    case .waiting(let wait): self.wait = wait
    case .unsent(let ids): marks.unsent = ids
    }
    settle()
    // With a filter, few rows may be on display, and reporting them would load all pages. The
    // reader requests pages instead.
    return effects + (filter.isEmpty ? [.display(itemsOnDisplay)] : [])
  }

  mutating func say(_ text: String) { message = (text, now.addingTimeInterval(6)) }

  // MARK: - Layout

  /// How many lines the table has: all except the title, the headings, the notes and the state.
  var tableHeight: Int { max(0, size.height - 3 - notes.count) }

  /// The indices of the rows on display.
  var onDisplay: Range<Int> { min(top, rows.count)..<min(rows.count, top + tableHeight) }

  private var itemsOnDisplay: [WatchedItem] {
    onDisplay.compactMap { row(at: $0)?.item }
  }

  /// Returns the row at an index; `nil` for the title of a section.
  func row(at index: Int) -> ScreenRow<WatchedItem>? {
    guard (0..<rows.count).contains(index), case .row(let path) = rows[index] else { return nil }
    return rows.screen.row(at: path)
  }

  /// Returns the id of the list's row at an index; `nil` for titles and edges.
  func id(at index: Int) -> Row.ID? {
    switch row(at: index) {
    case .item(let item): .item(item.id)
    case .gap(let gap, _, _): .gap(gap.id)
    case .edge, .placeholder, nil: nil
    }
  }

  /// Returns the index of a row among all rows.
  func index(of id: Row.ID) -> Int? {
    list.path(id).map { rows.index(of: rows.screen.path(ofListRow: $0)) }
  }

  /// Moves the cursor into the rows, and scrolls so that the selected row is on display.
  mutating func settle() {
    notes = noted
    cursor = min(max(0, cursor), max(0, rows.count - 1))
    top = min(max(0, top), max(0, rows.count - tableHeight))
    if cursor < top { top = cursor }
    if tableHeight > 0, cursor >= top + tableHeight { top = cursor - tableHeight + 1 }
    // The cursor cannot move to the title above the first row on display, so show it too.
    if tableHeight > 1, top > 0, top == cursor, case .title = rows[top - 1] { top -= 1 }
    widen()
  }

  /// How many lines of an opened row there is room for.
  var rowHeight: Int { size.height - 2 }

  /// Shows an opened row, wrapped to the current width.
  mutating func show(_ view: RowView) {
    var view = view
    view.wrap(to: size.width)
    view.scroll(to: view.top, height: rowHeight)
    mode = .row(view)
  }

  /// Widens the columns to fit the rows on display.
  private mutating func widen() {
    if widths.count != options.columns.count {
      widths = options.columns.map { Glyph.width(of: $0.heading) }
    }
    // A row is parsed once, however often it is drawn.
    let known = read
    read = [:]
    for index in onDisplay {
      guard let item = row(at: index)?.item else { continue }
      let cells =
        known[item.id].flatMap { $0.text == item.text ? $0.cells : nil } ?? cells(of: item)
      read[item.id] = (item.text, cells)
      for (column, cell) in cells.enumerated() {
        widths[column] = max(widths[column], min(Glyph.width(of: cell.text), size.width))
      }
    }
  }

  /// Returns what the columns show of a row.
  func cells(of item: WatchedItem) -> [(text: String, isNumber: Bool)] {
    if let read = read[item.id], read.text == item.text { return read.cells }
    let isRead = options.columns.contains { if case .pointer = $0.place { true } else { false } }
    let value = isRead ? try? JSONReader.value(of: item.text.utf8) : nil
    // Texts are cut to about what the screen has room for; the rest is not processed.
    return options.columns.map { column in
      let cell = column.value(of: item, value)
      return (cell.text.cut(to: 8 * (size.width + 1)), cell.isNumber)
    }
  }
}
