import Foundation
import FreshetTesting
import Testing

@testable import Freshet

/// What is said of a cache on disk, and that looking changes nothing.
@Suite(.timeLimit(.minutes(5)))
struct CacheReportTests: CachingSuite {
  let directory = TemporaryDirectory()

  /// All files of a folder, with what is in them.
  private func files(in folder: URL) throws -> [String: Data] {
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    return Dictionary(
      uniqueKeysWithValues: names.compactMap { name in
        (try? Data(contentsOf: folder.appendingPathComponent(name))).map { (name, $0) }
      })
  }

  @Test
  func `a report says what is stored, and changes nothing`() throws {
    let writing = cache("home", version: 3)
    for commit in pages(3) { writing.save(commit) }
    let before = try files(in: folder())
    let report = try #require(try CacheReport.reports(at: folder()).first)
    #expect(report.name == "home" && report.version == 3 && report.problems.isEmpty)
    #expect(report.rows == 120 && report.gaps == 0 && report.runs.map(\.rows) == [40, 40, 40])
    #expect(report.runs.map(\.mark.next?.json) == ["1", "2", "3"])
    #expect(report.state.head == .end && report.state.tail == .open)
    #expect(report.state.refreshedAt == Date(timeIntervalSince1970: 7))
    #expect(report.bytes == before.values.reduce(0) { $0 + $1.count })
    #expect(try files(in: folder()) == before)
    #expect(writing.save(pages(4)[3]))
  }

  @Test
  func `damage is told, and stays as it is`() throws {
    let writing = cache()
    for commit in pages(3) { writing.save(commit) }
    writing.close()
    let run = try #require(try CacheReport.reports(at: folder()).first?.runs[1])
    try Data("rubbish".utf8).write(to: folder().appendingPathComponent(run.file))
    let manifest = folder().appendingPathComponent("manifest")
    let whole = try Data(contentsOf: manifest)
    try (whole + Data("torn".utf8)).write(to: manifest)
    let before = try files(in: folder())
    let report = try #require(try CacheReport.reports(at: folder()).first)
    #expect(report.runs.map(\.isReadable) == [true, false, true] && report.problems.count == 2)
    #expect(try files(in: folder()) == before)
    for length in 0..<40 {
      try whole.prefix(length).write(to: manifest)
      #expect(try CacheReport.reports(at: folder()).first?.problems.isEmpty == false)
    }
  }

  @Test
  func `what is replaced while it is read is not called damaged`() throws {
    let writing = cache()
    for commit in pages(3) { writing.save(commit) }
    let folder = try #require(try CacheFolder.at(folder(), creating: false))
    let old = CacheReport.report(of: folder, at: self.folder()).runs.map(\.file)
    var times = 0
    let report = CacheReport.report(of: folder, at: self.folder()) {
      times += 1
      // Another list takes the place of the rows, whose files go.
      if times == 1 {
        for commit: FeedCommit<Post> in commits(Page([Post(id: 9)], next: nil)) {
          writing.save(commit)
        }
        let kept = CacheReport.report(of: folder, at: self.folder()).runs.map(\.file)
        for name in old where !kept.contains(name) { folder.remove(name) }
      }
    }
    #expect(times == 2 && report.problems.isEmpty && report.rows == 1, "\(report)")
  }

  @Test
  func `a folder of caches lists its feeds, and those of a family`() throws {
    let family = directory.caches.directory(named: "books", of: .family)
    for (name, folder) in [("b", directory.caches), ("a", directory.caches), ("c", family)] {
      let writing = FileFeedCache<Post>(name, in: folder, coder: JSONCoder())
      for commit in pages(1) { writing.save(commit) }
      writing.close()
    }
    #expect(try CacheReport.reports(at: directory.caches.url).map(\.name) == ["a", "b", "c"])
    #expect(try CacheReport.reports(at: family.url).map(\.name) == ["c"])
    let nowhere = directory.caches.url.appendingPathComponent("nowhere")
    #expect(try CacheReport.reports(at: nowhere).isEmpty)
  }
}
