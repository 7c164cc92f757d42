import Freshet
import FreshetHTTP
import Observation

/// The stars of all pages: on screen and on disk at once, and sent once the server answers.
@MainActor @Observable
final class StarOutbox {
  /// Why the last star was taken back.
  private(set) var trouble: DemoPage.Status.Trouble?
  private let outbox: Outbox

  /// Opens the outbox, and shows its stars in all feeds of a family.
  ///
  /// - Parameters:
  ///   - storage: the place of the stars that the server has not answered for.
  ///   - source: the server that they are sent to.
  ///   - quakes: the feeds.
  init(
    _ storage: OutboxStorage, to source: HTTPFeedSource<Quake>,
    in quakes: FeedFamily<QuakeQuery, Quake>
  ) {
    outbox = Outbox(storage, retryPolicy: .untilItAnswers) {
      Sender(Star.self) { star, attempt in
        try await source.send(
          .post, "/stars/\(star.target)?on=\(star.isStarred)", for: attempt,
          returning: Quake.self)
      }
    }
    outbox.attach(quakes)
  }

  /// The number of stars that the server has not answered for.
  var unsent: Int { outbox.status.mutations.count }

  /// Adds or removes the star of a quake.
  ///
  /// On return it is on disk.
  func star(_ id: Quake.ID, _ isStarred: Bool) async {
    trouble = nil
    do {
      try await outbox.perform(Star(target: id, isStarred: isStarred))
    } catch {
      trouble = DemoPage.Status.Trouble(error)
    }
  }

  /// Takes back the stars that the server rejects, until the task is cancelled.
  func takeBackRejected() async {
    for await status in outbox.statuses {
      for star in status.failed {
        trouble = star.failure.map { DemoPage.Status.Trouble(takingBack: $0) }
        try? await outbox.discard(star.id)
      }
    }
  }
}
