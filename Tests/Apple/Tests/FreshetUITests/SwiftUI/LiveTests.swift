import FreshetLists
import FreshetTesting
import Testing

@testable import Freshet
@testable import FreshetUI
@testable import SwiftUI

@MainActor @Suite(.timeLimit(.minutes(5)))
struct LiveTests {
  struct Posts: View {
    @Live<Post, MemoryStore<Post>.Request>(.all, arrangement: .all.sorted(by: \.id, .reverse))
    var posts

    var body: some View {
      ForEach(posts) { post in Text("\(post)") }
    }
  }

  @Test
  func `live results of the store in the environment follow the store`() async throws {
    let store = MemoryStore((0..<3).map { Post(id: $0) })
    let host = StubHost(Posts().liveStore(store))
    #expect(await host.eventually { host.texts.count == 3 })
    #expect(host.texts == ["2", "1", "0"])
    try await store.write(updating: [Post(id: 1, version: 1)], deleting: [0])
    #expect(await host.eventually { host.texts.count == 2 })
    #expect(host.texts == ["2", "1v1"])
    // A view that is made anew goes on with the same results.
    host.show(Posts().liveStore(store))
    #expect(host.texts == ["2", "1v1"])
  }

  /// A store that notes how often it is asked.
  final class CountedStore: DataStore {
    let asked = Locked(0)

    func execute(_ query: DataStoreQuery<Post, Bool>) async throws {
      asked.withLock { $0 += 1 }
      query.enqueue([Post(id: 0)], as: .insert)
      query.finishInitialResults()
      await query.untilStopped()
    }
  }

  struct TwiceReadPosts: View {
    @Live<Post, Bool>(true) var posts
    @State private var redraws = 0

    var body: some View {
      Text("\(posts.count + $posts.fetchedObjects.count + redraws)")
      Text("\(posts.count)")
    }
  }

  @Test
  func `the store is asked before the body is read, and reading asks for nothing`() async {
    let store = CountedStore()
    let property = Live<Post, Bool>(true)
    let host = StubHost(TwiceReadPosts().liveStore(store))
    #expect(await host.eventually { host.texts == ["2", "1"] })
    host.show(TwiceReadPosts().liveStore(store))
    host.update()
    #expect(store.asked.withLock { $0 } == 1)
    // Where no view is, nothing happens.
    let other = property
    other.update()
    #expect(store.asked.withLock { $0 } == 1)
  }

  @Test
  func `an update on another thread ends the process, and races with nothing`() async {
    await #expect(processExitsWith: .failure) {
      await Task { @concurrent in Live<Post, Bool>(true).update() }.value
    }
  }

  struct OrderedPosts: View {
    @Live<Post, MemoryStore<Post>.Request> private var posts: LoadedItems<Post>

    init(_ direction: ListDirection) {
      _posts = Live(.all, arrangement: .all.sorted(by: \.id, direction), id: direction)
    }

    var body: some View { ForEach(posts) { post in Text("\(post)") } }
  }

  @Test
  func `another arrangement in the same place rearranges the results that are there`() async {
    let store = MemoryStore((0..<3).map { Post(id: $0) })
    let host = StubHost(OrderedPosts(.forward).liveStore(store))
    #expect(await host.eventually { host.texts.count == 3 })
    let orders: [(ListDirection, [String])] = [
      (.forward, ["0", "1", "2"]), (.reverse, ["2", "1", "0"]), (.forward, ["0", "1", "2"]),
    ]
    for (direction, texts) in orders {
      host.show(OrderedPosts(direction).liveStore(store))
      host.update()
      // They are rearranged, and not fetched as new ones.
      let isRearranged = await host.eventually {
        #expect(host.texts.count == 3)
        return host.texts == texts
      }
      #expect(isRearranged)
    }
  }

  struct PostsBelow: View {
    @Live<Post, MemoryStore<Post>.Request> private var posts: LoadedItems<Post>

    init(_ limit: Int) { _posts = Live(.init { $0.id < limit }, id: limit) }

    var body: some View { ForEach(posts) { post in Text("\(post)") } }
  }

  @Test
  func `another request that cannot be compared is asked for where its id is another one`() async {
    let store = MemoryStore((0..<3).map { Post(id: $0) })
    let host = StubHost(PostsBelow(1).liveStore(store))
    for (limit, texts) in [(1, ["0"]), (3, ["0", "1", "2"]), (2, ["0", "1"])] {
      host.show(PostsBelow(limit).liveStore(store))
      #expect(await host.eventually { host.texts == texts })
    }
  }
}

extension StubHost {
  /// Updates the view until a condition holds, as SwiftUI does after each change.
  func eventually(_ condition: () -> Bool) async -> Bool {
    await FreshetTesting.eventually {
      update()
      return condition()
    }
  }
}
