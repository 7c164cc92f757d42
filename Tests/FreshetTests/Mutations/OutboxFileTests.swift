import Foundation
import FreshetTesting
import Testing

@testable import Freshet

/// Damage to the file of an outbox.
@Suite(.timeLimit(.minutes(5)))
struct OutboxFileTests {
  private let directory = TemporaryDirectory()

  private func stored(_ number: Int) throws -> OutboxMutation {
    var stored = try OutboxMutation(
      Revise(target: number, version: number), id: "key \(number)",
      at: Date(timeIntervalSince1970: 0), list: nil)
    stored.number = UInt64(number)
    return stored
  }

  private func contents(of file: URL) throws -> [OutboxRecord] {
    let identity = XXHash64.hash(Data(directory.url.lastPathComponent.utf8))
    return OutboxRecord.read(try Data(contentsOf: file), of: identity).records
  }

  private func records(_ count: Int) throws -> [OutboxRecord] {
    try (1...count).map { .added(try stored($0)) }
  }

  @Test
  func `P3: a file that ends anywhere holds the records that are whole`() throws {
    let records = try records(3)
    let parts = try records.map { try $0.encoded(of: 1) }
    let data = Data(parts.joined())
    for length in 0...data.count {
      let contents = OutboxRecord.read(data.prefix(length), of: 1)
      var (whole, bytes) = (0, 0)
      while whole < parts.count, bytes + parts[whole].count <= length {
        bytes += parts[whole].count
        whole += 1
      }
      // What was not written whole is not damage: it is cut off.
      #expect(contents.records == Array(records.prefix(whole)) && contents.damaged == 0)
      #expect(contents.length == bytes)
    }
  }

  @Test
  func `P3: a byte that changed costs its record, and no other one`() throws {
    let records = try records(3)
    let data = try records.reduce(into: Data()) { $0 += try $1.encoded(of: 1) }
    for index in data.indices {
      for bit in [0, 7] {
        var changed = data
        changed[index] ^= 1 << bit
        let contents = OutboxRecord.read(changed, of: 1)
        #expect(contents.records.count == 2 && contents.records.allSatisfy(records.contains))
        // The length of the last record may seem to lie beyond the end.
        #expect(contents.damaged > 0 || index >= data.count * 2 / 3)
      }
    }
  }

  @Test
  func `damage is set aside and reported, and the rest is stored anew`() throws {
    let (count, url) = (5, directory.url)
    do {
      let file = try #require(OutboxFile.open(url).file)
      try file.append(try records(count), isDurable: true, others: { [] })
    }
    let name = url.appendingPathComponent("mutations")
    var data = try Data(contentsOf: name)
    data[40] ^= 1
    try data.write(to: name)
    let opened = try OutboxFile.open(url)
    let read = opened.records
    #expect(read.count == count - 1 && opened.damaged > 0)
    #expect(try Data(contentsOf: url.appendingPathComponent("damaged")) == data)
    #expect(try contents(of: name) == read)
    withExtendedLifetime(opened) {}
  }

  @Test
  func `P3: the records of another outbox do not count`() throws {
    let data = try records(1)[0].encoded(of: 1)
    #expect(OutboxRecord.read(data, of: 2).records == [])
  }

  @Test
  func `a file that was removed or replaced while it is open is written again`() throws {
    let file = try #require(OutboxFile.open(directory.url).file)
    let name = directory.url.appendingPathComponent("mutations")
    let all = try records(3)
    try file.append([all[0]], isDurable: true, others: { [] })
    try FileManager.default.removeItem(at: name)
    try file.append([all[1]], isDurable: true, others: { [all[0]] })
    #expect(try contents(of: name) == [all[0], all[1]])
    try Data("something else".utf8).write(to: name)
    try file.append([all[2]], isDurable: true, others: { [all[0], all[1]] })
    #expect(try contents(of: name) == all)
  }

  @Test
  func `P4: the file is written anew once most of it is outdated`() throws {
    let file = try #require(OutboxFile.open(directory.url).file)
    let name = directory.url.appendingPathComponent("mutations")
    var longest = 0
    for number in 1...2_000 {
      try file.append([.added(try stored(number))], isDurable: false, others: { [] })
      try file.append([.removed("key \(number)")], isDurable: false, others: { [] })
      longest = max(longest, try Data(contentsOf: name).count)
    }
    #expect(longest < 100 << 10)
  }
}
