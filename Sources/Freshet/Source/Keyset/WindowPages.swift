internal import FreshetLists

/// A builder of the pages that answer for a window of a table, in the order of their rows.
///
/// A window of more than two pages is divided. A short page at the end is added to the page before.
/// Otherwise each change would split it off again.
package struct WindowPages<Item: ListItem> {
  /// A page of the window, and its rows among those of the window, with those that were left out.
  package typealias Part = (page: Page<Item, KeysetKey>, rows: Range<Int>)

  private let window: PageWindow<KeysetKey>
  private let size: Int
  private var parts: [Part] = []
  /// The key of the page after the last row, if one may begin there.
  private var key: KeysetKey?
  /// The number of rows.
  package private(set) var count = 0

  /// Begins with no rows.
  ///
  /// - Parameters:
  ///   - window: the window.
  ///   - size: the number of rows of a page.
  package init(_ window: PageWindow<KeysetKey>, size: Int) {
    (self.window, self.size) = (window, size)
    begin(at: window.downwardStart)
  }

  private mutating func begin(at key: KeysetKey?) {
    let page = Page<Item, KeysetKey>([], next: window.end, previous: key?.opposite)
    parts.append((page, count..<count))
  }

  /// Adds the next row.
  ///
  /// - Parameters:
  ///   - item: makes the item of the row. If it throws an error, the row is counted instead.
  ///   - key: makes the key of the page that follows the row.
  package mutating func add(_ item: () throws -> Item, key: () -> KeysetKey) {
    divide()
    count += 1
    let last = parts.count - 1
    parts[last].rows = parts[last].rows.lowerBound..<count
    do { parts[last].page.items.append(try item()) } catch {
      parts[last].page.invalidItems += 1
      if parts[last].page.invalidItem == nil { parts[last].page.invalidItem = .source(error) }
    }
    self.key = count % size == 0 ? key() : nil
  }

  /// Ends the page if it is full.
  private mutating func divide() {
    guard let key else { return }
    parts[parts.count - 1].page.next = key
    begin(at: key)
  }

  /// Ends the answer before the next row, although the window has more rows.
  package mutating func cutOff() {
    if let key { parts[parts.count - 1].page.next = key }
  }

  /// Returns the pages.
  package func finished() -> [Part] {
    guard parts.count > 1, let last = parts.last,
      parts.count == 2 || last.rows.count < size / 2
    else { return parts }
    var parts = parts.dropLast()
    parts[parts.count - 1].page.join(last.page)
    parts[parts.count - 1].rows = parts[parts.count - 1].rows.lowerBound..<count
    return Array(parts)
  }
}

extension Page {
  /// Adds the rows of the page that follows.
  fileprivate mutating func join(_ other: Page) {
    items += other.items
    next = other.next
    invalidItems += other.invalidItems
    invalidItem = invalidItem ?? other.invalidItem
  }
}

extension PageWindow<KeysetKey> {
  /// The key that leads down into the window; `nil` for the head of the list.
  package var downwardStart: KeysetKey? { start.map { $0.isUpward ? $0.opposite : $0 } }
}
