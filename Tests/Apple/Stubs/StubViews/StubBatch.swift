public import Foundation

/// What a view is told between the beginning and the end of a batch.
public struct StubBatch {
  public var deletedSections: [Int] = []
  public var insertedSections: [Int] = []
  public var deletedRows: [IndexPath] = []
  public var insertedRows: [IndexPath] = []
  public var reloadedRows: [IndexPath] = []
  public var moves: [(from: IndexPath, to: IndexPath)] = []

  public init() {}

  /// The rules that UIKit and AppKit hold a batch to, and raise exceptions about, in words.
  ///
  /// - Parameters:
  ///   - before: the rows of each section that the view shows.
  ///   - after: those that the data source says there are afterwards.
  func violations(before: [Int], after: [Int]) -> [String] {
    var found: [String] = []
    func check(_ isLegal: Bool, _ text: @autoclosure () -> String) {
      if !isLegal { found.append(text()) }
    }
    func isThere(_ path: IndexPath, _ counts: [Int]) -> Bool {
      counts.indices.contains(path.section) && (0..<counts[path.section]).contains(path.row)
    }
    let (deleted, inserted) = (Set(deletedSections), Set(insertedSections))
    check(deleted.count == deletedSections.count, "a section is deleted twice")
    check(inserted.count == insertedSections.count, "a section is inserted twice")
    check(deleted.allSatisfy(before.indices.contains), "no such section to delete: \(deleted)")
    check(inserted.allSatisfy(after.indices.contains), "no such section to insert: \(inserted)")
    let sources = deletedRows + moves.map(\.from)
    let targets = insertedRows + moves.map(\.to)
    check(Set(sources).count == sources.count, "a row is deleted or moved twice: \(sources)")
    check(Set(targets).count == targets.count, "a place is filled twice: \(targets)")
    for path in sources {
      check(isThere(path, before), "no row to delete or move at \(path)")
      check(!deleted.contains(path.section), "\(path) is in a section that is deleted")
    }
    for path in targets {
      check(isThere(path, after), "no place to insert or move to at \(path)")
      check(!inserted.contains(path.section), "\(path) is in a section that is inserted")
    }
    for path in reloadedRows {
      check(isThere(path, before), "no row to reload at \(path)")
      check(!sources.contains(path), "the row at \(path) is reloaded, and deleted or moved")
    }
    guard found.isEmpty else { return found }

    let kept = before.indices.filter { !deleted.contains($0) }
    let stay = after.indices.filter { !inserted.contains($0) }
    check(kept.count == stay.count, "\(kept.count) sections stay, \(stay.count) are there")
    for (old, new) in zip(kept, stay) {
      let out = sources.count { $0.section == old }
      let came = targets.count { $0.section == new }
      check(
        before[old] - out + came == after[new],
        "section \(new): \(before[old]) rows less \(out) and \(came) more are not \(after[new])")
    }
    return found
  }
}
