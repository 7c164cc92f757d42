import Foundation
import FreshetLists
import FreshetTesting
import Testing

@testable import Freshet
@testable import FreshetUI
@testable import SwiftUI

/// A `List` whose rows are dragged.
@MainActor @Suite(.timeLimit(.minutes(5)))
struct MovedListTests {
  struct Ranking: View {
    let posts: ResultsController<Post, MemoryStore<Post>.Request>
    let write: @MainActor (Post, _ below: Post?) async throws -> Void
    let told: @MainActor (any Error) -> Void

    var body: some View {
      List {
        ForEach(posts.fetchedObjects) { post in Text("\(post)") }
          .onMove { rows, target in
            guard let row = rows.first else { return }
            let post = posts.fetchedObjects[row]
            let above = target == 0 ? nil : posts.fetchedObjects[target - 1]
            let move = posts.move(post.id, after: above?.id) { try await write(post, above) }
            Task { do { try await move.value } catch { told(error) } }
          }
      }
    }
  }

  @Test
  func `rows of live results stay where a reader dropped them, or go back where they are refused`()
    async throws
  {
    let store = MemoryStore((0..<4).map { Post(id: $0, version: 10 * $0 + 10) })
    let results = ResultsController(
      store: store, arrangement: .sorted(by: \.version), window: .zero)
    await results.fetch(.all)
    var (errors, mayRefuse) = (0, false)
    let host = StubHost(
      Ranking(posts: results) { post, above in
        guard let above else {
          _ = await eventually { mayRefuse }
          throw ScriptedError()
        }
        try await store.write(updating: [Post(id: post.id, version: above.version + 5)])
      } told: { _ in
        errors += 1
      })
    #expect(host.texts == ["0v10", "1v20", "2v30", "3v40"])
    // Right when it is dropped, and when the store says so.
    host.move?([0], 3)
    host.update()
    #expect(host.texts == ["1v20", "2v30", "0v10", "3v40"])
    let isConfirmed = await host.eventually {
      if host.texts == ["1v20", "2v30", "0v35", "3v40"] { return true }
      #expect(host.texts == ["1v20", "2v30", "0v10", "3v40"])
      return false
    }
    #expect(isConfirmed)
    host.move?([3], 0)
    // The list may be busy with the confirmation.
    #expect(await host.eventually { host.texts == ["3v40", "1v20", "2v30", "0v35"] })
    #expect(errors == 0)
    mayRefuse = true
    #expect(await eventually { errors != 0 })
    #expect(await host.eventually { host.texts == ["1v20", "2v30", "0v35", "3v40"] })
  }
}
