import Foundation
import Freshet
import FreshetUI

// The frame on display.
extension WatchScreen {
  /// The frame that the terminal is to show.
  var frame: Frame {
    var frame = Frame(size)
    switch mode {
    case .list, .filter:
      drawTitle(&frame)
      drawHeadings(&frame)
      drawTable(&frame)
      drawNotes(&frame)
      drawState(&frame)
    case .row(let view): draw(view, &frame)
    case .help(let top): drawHelp(from: top, &frame)
    }
    return frame
  }

  // MARK: - The table

  private func drawTitle(_ frame: inout Frame) {
    guard size.height > 2 else { return }
    let taken = frame.write("\(countText) ", line: 0, endingAt: size.width, style: .bar)
    frame.write(" \(options.title)", line: 0, width: size.width - taken - 1, style: .bar)
    frame.paint(line: 0) { $0.isReverse = true }
  }

  /// The number of rows, and that of the whole list if it has more.
  private var countText: String {
    let count = list.count
    guard filter.isEmpty else { return "\(count) \(count == 1 ? "row" : "rows") found" }
    guard let total = list.loads.total, total.count > count else {
      return "\(count) \(count == 1 ? "row" : "rows")"
    }
    return "\(total.text(at: count)) rows"
  }

  private var columnWidths: [Int] { ColumnWidths.fitting(widths, into: size.width - 2) }

  private func drawHeadings(_ frame: inout Frame) {
    var column = 2
    for (heading, width) in zip(options.columns.map(\.heading), columnWidths) {
      frame.write(heading, line: 1, column: column, width: width, style: .bold)
      column += width + ColumnWidths.space
    }
  }

  private func drawTable(_ frame: inout Frame) {
    let last = tableHeight + 1
    var line = 2
    // Removed rows take room for a moment, but never the line of the selected row.
    var room = max(0, tableHeight - (cursor - top) - 1)
    func drawGone(above id: Row.ID?) {
      for gone in marks.gone where gone.above == id && room > 0 && line <= last {
        draw(gone.item, .gone, line: line, &frame)
        line += 1
        room -= 1
      }
    }
    for index in onDisplay {
      if let id = id(at: index), index >= top { drawGone(above: id) }
      guard line <= last else { return }
      drawRow(index, line: line, &frame)
      if index == cursor {
        let colour = id(at: index).flatMap { marks[$0]?.colour }
        frame.paint(line: line) { $0 = CellStyle(colour: colour, isReverse: true) }
      }
      line += 1
    }
    if onDisplay.upperBound == rows.count { drawGone(above: nil) }
    if rows.count == 0, line <= last { frame.write(emptyText, line: line, column: 2, style: .dim) }
  }

  private var emptyText: String {
    if list.loads.refresh == .loading || list.refreshedAt == nil { return "Loading…" }
    return filter.isEmpty ? "The list is empty." : "No row holds \(filter)."
  }

  private func drawRow(_ index: Int, line: Int, _ frame: inout Frame) {
    switch row(at: index) {
    case .item(let item): draw(item, marks[.item(item.id)], line: line, &frame)
    case .gap(let gap, let state, let size):
      let text = ScreenRow<WatchedItem>.gap(gap, state, size).text ?? ""
      let help = state == .idle ? " Enter loads it." : ""
      frame.write("··· \(text)\(help)", line: line, column: 2, style: .coloured(.magenta))
    case .edge(let edge):
      let text = ScreenRow<WatchedItem>.edge(edge).text ?? ""
      let style = edge.state.failure == nil ? CellStyle.dim : .coloured(.red)
      frame.write(text, line: line, column: 2, style: style)
    case .placeholder, nil:
      if case .title(let name) = rows[index] {
        frame.write(name.isEmpty ? "–" : name, line: line, style: .bold)
      }
    }
  }

  private func draw(
    _ item: WatchedItem, _ mark: RowMarks.Mark?, line: Int, _ frame: inout Frame
  ) {
    let style = mark.map { CellStyle.coloured($0.colour) } ?? .plain
    if let mark {
      frame.write(mark.rawValue, line: line, style: CellStyle(colour: mark.colour, isBold: true))
    }
    var column = 2
    for (cell, width) in zip(cells(of: item), columnWidths) {
      let room = Glyph.width(of: cell.text)
      let isRight = cell.isNumber && room < width && column + width < size.width
      frame.write(
        cell.text, line: line, column: isRight ? column + width - room : column, width: width,
        style: style)
      column += width + ColumnWidths.space
    }
  }

  // MARK: - The state

  private func drawState(_ frame: inout Frame) {
    let line = size.height - 1
    if case .filter = mode {
      let taken = frame.write("/\(filter)", line: line, width: size.width - 1)
      frame.write(" ", line: line, column: taken, style: .bar)
      return
    }
    let (text, help) = stateLine.fitting(size.width)
    let taken =
      help.isEmpty ? 0 : frame.write(help + " ", line: line, endingAt: size.width, style: .dim)
    let isBad = failure != nil || wait != nil
    frame.write(
      text, line: line, width: size.width - taken,
      style: said == nil && isBad ? .coloured(.red) : .plain)
  }

  /// The message that is shown in place of the list's state.
  private var said: String? { notes.isEmpty ? message?.text : nil }

  /// The state of the list, and hints on what to do.
  private var stateLine: StateLine {
    var line = StateLine()
    if let said { line.say(said, about: .standing) } else { sayState(in: &line) }
    if !filter.isEmpty { line.say("Esc shows all", about: .wayBack) }
    line.say("? help", about: .help)
    return line
  }

  private func sayState(in line: inout StateLine) {
    let loads = list.loads
    if let standing { line.say(standing, about: .standing) }
    if let date = list.refreshedAt {
      let age = "as of \(Age.text(now.timeIntervalSince(date)))"
      line.say(list.isFromCache ? "\(age), from disk" : age, about: .age)
    }
    if !loads.gaps.isEmpty {
      line.say(loads.gaps.count == 1 ? "1 gap" : "\(loads.gaps.count) gaps", about: .gaps)
    }
    if !marks.unsent.isEmpty { line.say("\(marks.unsent.count) not sent", about: .unsent) }
    switch loads.next {
    case .loading: line.say("loading more…", about: .more)
    case .end: line.say("all rows", about: .more)
    case .idle where !filter.isEmpty: line.say("G looks in more rows", about: .more)
    case .idle where list.count > 0: line.say("more below", about: .more)
    case .idle, .failed: break
    }
    if !filter.isEmpty { line.say("/\(filter)", about: .filter) }
  }

  /// The activity at the head of the list, or a failure anywhere.
  private var standing: String? {
    if let wait {
      let seconds = max(1, Int(wait.until.timeIntervalSince(now).rounded(.up)))
      return "\(wait.reason): retry in \(seconds) s"
    }
    if let failure = list.loads.failure { return "failed: \(failure.localizedDescription)" }
    if let failure = list.loads.retrying {
      return "trying again: \(failure.localizedDescription)"
    }
    return list.loads.refresh == .loading ? "refreshing…" : nil
  }

  // MARK: - One row, and help

  private func draw(_ view: RowView, _ frame: inout Frame) {
    frame.write(" \(view.id.shown)", line: 0, style: .bar)
    frame.paint(line: 0) { $0.isReverse = true }
    for (index, text) in view.lines.dropFirst(view.top).prefix(max(0, rowHeight)).enumerated() {
      frame.write(text, line: index + 1)
    }
    let text = message?.text ?? "Esc goes back · o opens the link · ↑ ↓ scroll"
    frame.write(text, line: size.height - 1, style: .dim)
  }

  private func drawHelp(from top: Int, _ frame: inout Frame) {
    frame.write(" freshet watch", line: 0, style: .bar)
    frame.paint(line: 0) { $0.isReverse = true }
    let lines = helpLines
    for (index, (keys, text)) in lines.dropFirst(top).prefix(max(0, rowHeight)).enumerated() {
      frame.write(keys, line: index + 1, column: 2, width: 14, style: .bold)
      frame.write(text, line: index + 1, column: Self.helpColumn)
    }
    let all = "Any key goes back."
    let part = "↑ ↓ scroll · any other key goes back"
    frame.write(lines.count > rowHeight ? part : all, line: size.height - 1, style: .dim)
  }

  /// The keys and what they do, in lines that fit.
  var helpLines: [(keys: String, text: String)] {
    Self.help.flatMap { keys, text in
      let lines = Glyph.lines(of: text, width: size.width - Self.helpColumn, limit: 3)
      return (lines.isEmpty ? [""] : lines).enumerated().map { ($0 == 0 ? keys : "", $1) }
    }
  }

  private static let helpColumn = 17

  private static let help = [
    ("↑ ↓  j k", "a row up or down"), ("PgUp PgDn", "a page up or down; also Space and b"),
    ("g G", "the first row; the last one, and loads more"),
    ("/", "the loaded rows that hold all words; Esc ends it"),
    ("Enter", "the row as JSON, and why it is there; loads a gap"),
    ("o", "the row's link in a browser"), ("r R", "refresh the head; all that is loaded"),
    ("q  Ctrl-C", "quit"), ("?", "this"), ("", ""), ("+ ~ ↕ -", "new, changed, moved, gone"),
    ("↑", "an edit of it is not sent, with --outbox"),
    ("···", "rows may be missing"),
  ]
}
