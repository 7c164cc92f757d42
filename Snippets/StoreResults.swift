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

@MainActor
func port(_ quakes: MemoryStore<Quake>, _ delegate: any ListControllerDelegate<Quake>) {
  // snippet.ported
  let results = ResultsController(
    store: quakes, arrangement: .sorted(by: \.time, .reverse).sectioned(by: \.day, .reverse))
  results.delegate = delegate
  results.performFetch(.init { $0.magnitude >= 5 })
  // snippet.hide
}

let quake = Quake(id: "us1", magnitude: 6.1, time: .now)
try await show(MemoryStore([quake]), quake)
