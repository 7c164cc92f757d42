import Foundation
@testable import Freshet

/// The log of a cached feed, with checksums that agree: they are no signatures.
///
/// Records follow one another, each behind its kind and its length in two bytes.
enum ManifestTarget {
  static func read(_ input: Data) {
    var reader = BinaryReader(input)
    var log = BinaryWriter()
    log.write(UInt64(0x3374_6568_7365_7266))
    var payload = BinaryWriter()
    payload.write("list")
    payload.write(Int64(1))
    while let kind = try? reader.read(UInt8.self), let length = try? reader.read(UInt16.self),
      let bytes = try? reader.readData(min(Int(length), reader.remaining))
    {
      payload.write(bytes)
      log.write(kind)
      log.write(UInt32(payload.data.count))
      log.write(XXHash64.hash(payload.data, seed: UInt64(kind)))
      log.write(payload.data)
      payload = BinaryWriter()
    }
    guard let read = try? FeedManifest.read(log.data, name: "list", version: 1) else { return }
    expect(read.size.length <= log.data.count, "P3: it read more than there is")
    let again = try? FeedManifest.read(
      read.manifest.log(name: "list", version: 1, moment: read.moment), name: "list", version: 1)
    expect(again?.manifest == read.manifest, "P2: what was read does not read back")
    var manifest = read.manifest
    for index in 0..<min(4, manifest.entries.count) { manifest.lose(index) }
    manifest.forgetKeys()
    _ = manifest.count
  }
}

/// A file of rows, with a checksum that agrees.
enum RunTarget {
  static func read(_ input: Data) {
    guard let rows = input.first else { return }
    let body = input.dropFirst()
    var header = BinaryWriter()
    header.write(UInt32(rows))
    header.write(UInt64(7))
    var file = BinaryWriter()
    file.write(UInt64(0x316e_7572_7365_7266))
    file.write(header.data)
    file.write(XXHash64.hash(Data(body), seed: XXHash64.hash(header.data, seed: 3)))
    file.write(Data(body))
    let items = RunFile.decode(
      file.data, rows: Int(rows), sequence: 7, seed: 3, coder: JSONCoder<Stored>())
    expect(items.map { $0.count == Int(rows) } ?? true, "P3: other rows than there are")
    // The same with bytes that no checksum holds together.
    _ = RunFile.decode(
      Data(body), rows: Int(rows), sequence: 7, seed: 3, coder: JSONCoder<Stored>())
  }

  struct Stored: Codable {
    let id: Int
    let time: Double
    let text: String?
    let inner: [String: [Double]]?
  }
}
