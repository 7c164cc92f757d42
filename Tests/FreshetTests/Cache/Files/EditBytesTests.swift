import Foundation
import FreshetLists
import FreshetTesting
import Testing

@testable import Freshet

/// What an edit costs in a folder (rule P4): its files are counted before and after.
@Suite(.timeLimit(.minutes(5)))
struct EditBytesTests: CachingSuite {
  let directory = TemporaryDirectory()

  struct Note: ListItem, Codable {
    var id: Int
    var text: String

    init(_ id: Int, edit: Int = 0) {
      (self.id, text) = (id, String(repeating: "\(edit) of \(id); ", count: 24))
    }
  }

  enum Edit: CaseIterable {
    case update
    case insert
    case delete
    /// What a live source does.
    case insertAtHead
  }

  /// The files of the only feed, by name, and how long they are; the log without the record at its
  /// end, and that record.
  private func files() throws -> (lengths: [String: Int], trailer: Int) {
    let manager = FileManager.default
    let folder = try #require(
      try manager.contentsOfDirectory(at: directory.caches.url, includingPropertiesForKeys: nil)
        .first { manager.fileExists(atPath: $0.appendingPathComponent("manifest").path) })
    let names = try manager.contentsOfDirectory(atPath: folder.path)
    var lengths = Dictionary(
      uniqueKeysWithValues: try names.map { name in
        let path = folder.appendingPathComponent(name).path
        return (name, try manager.attributesOfItem(atPath: path)[.size] as? Int ?? 0)
      })
    let text = try Data(contentsOf: folder.appendingPathComponent("manifest"))
    let log = try FeedLog(text, name: "notes", version: 1)
    lengths["manifest"] = log.size.length
    return (lengths, text.count - log.size.length)
  }

  @Test(arguments: [1_000, 10_000], Edit.allCases)
  func `P4: an edit writes four times what changed and 1 kB at most, on average`(
    count: Int, kind: Edit
  ) throws {
    // The log of the longer list ends with how it begins, as those of much longer ones do.
    let longLog = count == 1_000 ? FileFeedState<Note>.longLog : 0
    func cache() -> FileFeedCache<Note> {
      FileFeedCache(
        "notes", in: directory.caches, coder: JSONCoder(), locks: .shared, longLog: longLog)
    }
    var random = SeededGenerator(seed: count)
    let writing = cache()
    var rows = RowTree<ListRow<Note>>()
    for page in 0..<(count / 50) {
      rows.append(contentsOf: (0..<50).map { .item(Note(page * 50 + $0)) })
      #expect(writing.save(FeedCommit(rows: rows, inserted: Array(page * 50..<(page + 1) * 50))))
    }
    let size = try JSONEncoder().encode(Note(count / 2)).count
    var (bytes, mostFiles) = (0, 0)
    var before = try files()
    let edits = 300
    for edit in 1...edits {
      let index = kind == .insertAtHead ? 0 : Int.random(in: rows.indices, using: &random)
      let commit: FeedCommit<Note>
      switch kind {
      case .update:
        let note = try #require(rows[index].item)
        rows.update(.item(Note(note.id, edit: edit)), at: index)
        commit = FeedCommit(rows: rows, updated: [index])
      case .insert, .insertAtHead:
        rows.insert(.item(Note(count + edit)), at: index)
        commit = FeedCommit(rows: rows, inserted: [index])
      case .delete:
        rows.remove(at: index)
        commit = FeedCommit(rows: rows, deleted: [index])
      }
      #expect(writing.save(commit))
      let after = try files()
      bytes += after.trailer
      for (name, length) in after.lengths {
        let old = before.lengths[name] ?? 0
        // A log that grows is added to; one that shrinks was written anew.
        bytes += length >= old ? length - old : length
      }
      mostFiles = max(mostFiles, after.lengths.count - before.lengths.count)
      before = after
    }
    #expect(bytes / edits <= 4 * size + 1024, "\(kind), \(count) rows: \(bytes / edits) bytes")
    #expect(mostFiles <= 1)
    #expect(writing.takeIssues().isEmpty)
    writing.close()
    let reading = cache()
    let first = try #require(reading.loadFirst())
    let loaded = first.rows + reading.loadRest().rows
    #expect(loaded == rows.map { $0.item.map { .item($0, nil) } ?? .gap })
    #expect(first.rows.count >= 50 && first.rows.count < 300)
  }
}
