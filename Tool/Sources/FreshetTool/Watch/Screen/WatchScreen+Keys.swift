import Foundation
import Freshet
import FreshetUI

// The effects of keys.
extension WatchScreen {
  mutating func press(_ key: Key) -> [Effect] {
    if key == .control("c") { return [.quit] }
    switch mode {
    case .list: return pressInList(key)
    case .filter(let before): return pressInFilter(key, before)
    case .row(let view): return pressInRow(key, view)
    case .help(let top): return pressInHelp(key, top)
    }
  }

  // MARK: - The list

  private mutating func pressInList(_ key: Key) -> [Effect] {
    switch key {
    case .character("q"): return [.quit]
    case .character("?"), .character("h"): showHelp(from: 0)
    case .character("/"): mode = .filter(before: filter)
    case .escape where !filter.isEmpty: return setFilter("")
    case .character("r"): return [.refresh(.head)]
    case .character("R"): return [.refresh(.all)]
    case .enter: return openRow()
    case .character("o"): return openLink(row(at: cursor)?.item)
    default: return move(key)
    }
    return []
  }

  private mutating func move(_ key: Key) -> [Effect] {
    let page = max(1, tableHeight - 1)
    switch key {
    case .down, .character("j"), .control("n"): return go(to: cursor + 1, down: true)
    case .up, .character("k"), .control("p"): return go(to: cursor - 1, down: false)
    case .pageDown, .character(" "), .control("f"):
      top += page
      return go(to: cursor + page, down: true)
    case .pageUp, .character("b"), .control("b"):
      top -= page
      return go(to: cursor - page, down: false)
    case .control("d"): return go(to: cursor + page / 2, down: true)
    case .control("u"): return go(to: cursor - page / 2, down: false)
    case .home, .character("g"):
      top = 0
      return go(to: 0, down: true)
    case .end, .character("G"):
      let effects = go(to: rows.count - 1, down: false)
      return effects + (list.loads.next == .end ? [] : [.loadNext])
    default: return []
    }
  }

  /// Moves the cursor to a row, past titles.
  private mutating func go(to index: Int, down: Bool) -> [Effect] {
    cursor = min(max(0, index), max(0, rows.count - 1))
    if rows.count > 0, case .title = rows[cursor] {
      let next = cursor + (down ? 1 : -1)
      if (0..<rows.count).contains(next) {
        cursor = next
      } else {
        cursor = min(firstRow, cursor + 1)
      }
    }
    return []
  }

  /// Opens the row at the cursor, or loads the gap or the edge there.
  private mutating func openRow() -> [Effect] {
    switch row(at: cursor) {
    case .item(let item):
      show(RowView(item))
      return [.trace(item.id)]
    case .gap(let gap, _, _): return [.load(gap)]
    case .edge(let edge):
      return switch edge.id {
      case .next: [.loadNext]
      case .previous: [.loadPrevious]
      default: [.refresh(.head)]
      }
    case .placeholder, nil: return []
    }
  }

  private mutating func openLink(_ item: WatchedItem?) -> [Effect] {
    guard let item else { return [] }
    guard let link = (try? JSONReader.value(of: item.text.utf8))?.link else {
      say("The row has no link.")
      return []
    }
    say("Opening \(link.absoluteString)")
    return [.open(link)]
  }

  // MARK: - The filter

  private mutating func pressInFilter(_ key: Key, _ before: String) -> [Effect] {
    switch key {
    case .enter: mode = .list
    case .escape:
      mode = .list
      return setFilter(before)
    case .backspace: return setFilter(String(filter.dropLast()))
    case .control("u"): return setFilter("")
    case .character(let character): return setFilter(filter + String(character))
    case .up, .down, .pageUp, .pageDown: return move(key)
    default: break
    }
    return []
  }

  private mutating func setFilter(_ text: String) -> [Effect] {
    guard text != filter else { return [] }
    filter = text
    (top, cursor) = (0, firstRow)
    marks.forgetAll()
    return [.filter(text)]
  }

  // MARK: - One row

  private mutating func pressInRow(_ key: Key, _ view: RowView) -> [Effect] {
    var view = view
    let page = max(1, rowHeight - 1)
    var top = view.top
    switch key {
    case .escape, .enter, .character("q"), .left, .backspace:
      mode = .list
      return []
    case .character("o"): return openLink(view.item)
    case .down, .character("j"): top += 1
    case .up, .character("k"): top -= 1
    case .pageDown, .character(" "): top += page
    case .pageUp, .character("b"): top -= page
    case .home, .character("g"): top = 0
    case .end, .character("G"): top = view.lines.count
    default: return []
    }
    view.scroll(to: top, height: rowHeight)
    mode = .row(view)
    return []
  }

  // MARK: - Help

  private mutating func pressInHelp(_ key: Key, _ top: Int) -> [Effect] {
    switch key {
    case .down, .character("j"): showHelp(from: top + 1)
    case .up, .character("k"): showHelp(from: top - 1)
    case .pageDown, .character(" "): showHelp(from: top + rowHeight)
    case .pageUp, .character("b"): showHelp(from: top - rowHeight)
    default: mode = .list
    }
    return []
  }

  /// Shows the help from a line on, at most until its last line is at the bottom.
  mutating func showHelp(from line: Int) {
    mode = .help(top: max(0, min(line, helpLines.count - rowHeight)))
  }
}
