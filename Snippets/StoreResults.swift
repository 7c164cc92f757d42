// Live results of a store: sorted, sectioned, edited in a draft.

import Foundation
import Freshet

struct Quake: ListItem, Codable {
  let id: String
  var magnitude: Double
  var time: Date
  var day: String { time.formatted(.iso8601.year().month().day()) }
}

@MainActor
func show(_ quakes: MemoryStore<Quake>, _ revised: Quake) async throws {
  // snippet.show
  let draft = Draft(of: quakes)
  let results = ResultsController(
    store: draft, arrangement: .sorted(by: \.time, .reverse).sectioned(by: \.day, .reverse))

  await results.fetch(.init { $0.magnitude >= 5 })
  for section in results.sections { print(section.name, section.count) }

  draft.update(revised)  // shown before it is written
  try await draft.commit()  // or discard()
  results.arrange(.sorted(by: \.magnitude, .reverse).limited(to: 100))
  // snippet.hide
}

/// A store of one's own is one function.
// snippet.store
struct TideStore: DataStore {
  func execute(_ query: DataStoreQuery<Tide, String>) async throws {
    query.enqueue(try await tides(at: query.request), as: .insert)
    query.finishInitialResults()
    for try await tide in changes(at: query.request) { query.enqueue([tide], as: .update) }
  }
}
// snippet.end

struct Tide: ListItem {
  let id: Int
  var height = 0.0
}

func tides(at place: String) async throws -> [Tide] { [] }
func changes(at place: String) -> AsyncThrowingStream<Tide, any Error> {
  AsyncThrowingStream { $0.finish() }
}

let quake = Quake(id: "us1", magnitude: 6.1, time: .now)
try await show(MemoryStore([quake]), quake)
