// A store and a results controller of GenericResultsController, moved here.

import Foundation
import Freshet

struct Event: ListItem, Codable {
  let id: UUID
  var name: String
  var date: Date
  var day: String { date.formatted(.iso8601.year().month().day()) }
}

struct EventRequest: Sendable {
  var calendar: String
  var limit: Int?
}

struct EventServer: Sendable {
  func events(in calendar: String) async throws -> [Event] { [] }
  func changes(in calendar: String) -> AsyncThrowingStream<Event, any Error> {
    AsyncThrowingStream { $0.finish() }
  }
}

// snippet.store
struct EventStore: DataStore {
  let server: EventServer

  func execute(_ query: DataStoreQuery<Event, EventRequest>) async throws {
    let changes = server.changes(in: query.request.calendar)
    query.enqueue(try await server.events(in: query.request.calendar), as: .insert)
    query.finishInitialResults()
    for try await event in changes { query.enqueue([event], as: .update) }
  }
}
// snippet.hide

@MainActor
func show(_ server: EventServer) async throws {
  // snippet.controller
  let results = ResultsController(store: EventStore(server: server)) { request in
    var arrangement = Arrangement<Event>.sorted(by: \.date).sectioned(by: \.day)
    arrangement.limit = request.limit
    return arrangement
  }
  await results.fetch(EventRequest(calendar: "work"))

  let section = results.sections[0]
  print(section.name, section.count)
  let event = try results.object(at: [0, 0])  // section, row
  print(event.name, results.indexPath(for: event) as Any)
  // snippet.hide
}
