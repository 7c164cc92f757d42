import Foundation
import Freshet
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ArchiveTests {
  let directory = TemporaryDirectory()

  @Test
  func `a value is stored, overwritten and thrown away`() throws {
    let archive = Archive<[String]>("names", in: directory.caches)
    #expect(archive.load() == nil)
    try archive.save(["a", "b"])
    try archive.save(["c"])
    #expect(Archive<[String]>("names", in: directory.caches).load() == ["c"])
    #expect(Archive<[String]>("names", version: 2, in: directory.caches).load() == nil)
    #expect(Archive<[Int]>("names", in: directory.caches).load() == nil)
    archive.remove()
    #expect(archive.load() == nil && directory.files.isEmpty)
  }

  @Test
  func `a directory switched off stores and shows nothing`() throws {
    let caches = directory.caches
    let archive = Archive<Int>("n", in: caches)
    try archive.save(1)
    caches.isEnabled = false
    try archive.save(2)
    #expect(archive.load() == nil)
    caches.isEnabled = true
    #expect(archive.load() == 1)
  }

  @Test
  func `P3: damage anywhere is no value`() throws {
    let archive = Archive<[Int]>("n", in: directory.caches)
    try archive.save([1, 2, 3])
    let (path, whole) = try #require(directory.files.first)
    for at in whole.indices {
      var damaged = whole
      damaged[at] ^= 0x10
      try directory.write(damaged, to: path)
      #expect(archive.load() == nil, "byte \(at)")
      try directory.write(whole.prefix(at), to: path)
      #expect(archive.load() == nil, "\(at) bytes")
    }
  }

  @Test
  func `numbers that JSON does not know survive`() throws {
    let archive = Archive<[Double]>("n", in: directory.caches)
    try archive.save([.infinity, 1, -.infinity])
    #expect(archive.load() == [.infinity, 1, -.infinity])
  }

  @Test
  func `a secure-coding class is stored as a keyed archive`() throws {
    let archive = Archive("d", in: directory.caches, coder: SecureCodingCoder<NSDate>())
    let date = NSDate(timeIntervalSince1970: 86_400)
    try archive.save(date)
    #expect(archive.load() == date)
  }

  @Test
  func `P9: what a crash left of a save goes with a later one`() throws {
    let archive = Archive<Int>("n", in: directory.caches)
    try archive.save(1)
    let folder = try #require(directory.files.keys.first).dropLast("value".count)
    for name in ["old", "young"] {
      try directory.write(Data([7]), to: folder + "value.\(name).new")
    }
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -3_600)],
      ofItemAtPath: directory.url.appendingPathComponent(folder + "value.old.new").path)
    try archive.save(2)
    // A young one may be another process's.
    #expect(
      directory.files.keys.map { $0.dropFirst(folder.count) }.sorted() == [
        "value", "value.young.new",
      ])
    #expect(archive.load() == 2)
  }
}
