import Freshet
import Observation

extension DemoPage {
  /// The most events that a page may leave unread.
  private static let unreadLimit = 100

  /// Returns the server-sent events with which a page holds the list and its status.
  ///
  /// Steps of a list cannot be left out, so the events end for a page that reads too slowly. That
  /// page connects again, and starts with the whole list.
  ///
  /// - Parameter close: called when they end.
  func events(close: @escaping @Sendable () -> Void) -> AsyncStream<String> {
    let (events, continuation) = AsyncStream<String>.makeStream(
      bufferingPolicy: .bufferingOldest(Self.unreadLimit))
    let send: @Sendable (String) -> Void = { event in
      if case .dropped = continuation.yield(event) { continuation.finish() }
    }
    let (updates, strongUpdates) = (list.updates, strong.updates)
    let statuses = Observations { [weak self] in self?.status }
    send("retry: 1000\nevent: reset\ndata: {}\n\n")
    send(ServerSentEvent.text("state", status))
    let tasks = [
      Task { [weak self] in
        var (number, turns) = (0, 0)
        for await update in updates {
          number += 1
          let isTurned = number > 1 && update.value.state.turns > turns
          let search = isTurned ? self?.query : nil
          turns = update.value.state.turns
          let isShared = number == 1 && self?.isCached == false
          let origin = isShared ? "memory" : update.origin.rawValue
          let changes = update.step.operations { PageRow($0).identified }
          send(
            ServerSentEvent.text(
              "update",
              PageUpdate(number: number, origin: origin, search: search, changes: changes)))
        }
      },
      Task {
        var number = 0
        for await update in strongUpdates {
          number += 1
          let changes = update.step.operations { PageRow($0).identified }
          let origin = update.origin.rawValue
          send(
            ServerSentEvent.text(
              "strong", PageUpdate(number: number, origin: origin, search: nil, changes: changes)))
        }
      },
      Task {
        var last: Status?
        for await status in statuses where status != last {
          if let status { send(ServerSentEvent.text("state", status)) }
          last = status
        }
      },
      Task {
        // A comment every few seconds reveals when a page is gone.
        while (try? await Task.sleep(for: .seconds(15))) != nil { send(":\n\n") }
      },
    ]
    continuation.onTermination = { _ in
      for task in tasks { task.cancel() }
      close()
    }
    return events
  }
}

/// An update as the page applies it.
struct PageUpdate: Encodable {
  let number: Int
  /// The origin of the rows: that of the update, or `memory` if other pages had them.
  let origin: String
  /// The search whose rows replace all others; `nil` for changes of the same rows.
  let search: String?
  let changes: [RowOperation<PageRow>]
}

extension PageRow {
  /// The row, and the id by which changes name it.
  fileprivate var identified: (id: String, row: PageRow) { (id, self) }
}
