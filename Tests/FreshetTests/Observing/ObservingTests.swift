import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite(.timeLimit(.minutes(5)))
struct ObservingTests {
  let list = ScriptedList()

  @Test
  func `updates that undo each other before they are taken are one, with the state`() async {
    var updates = list.updates.makeAsyncIterator()
    list.show([.post(1)])
    for version in 1...31 { list.show([.post(1, version)]) }
    list.show([], atEnd: true)
    let update = await updates.next()
    #expect(update?.changes.isEmpty == true && update?.value.state.next == .end)
    list.show([.post(2)])
    #expect(await updates.next()?.changes.insertedSections == [0])
  }

  @Test
  func `an observer that falls behind sees no value to which no update leads`() {
    let observer = ListObserver(list.publisher)
    list.show([.post(1)])
    #expect(observer.newest == nil)
    #expect(observer.next()?.value.items.map(\.id) == [1])
    list.show([.post(1)], atEnd: true)
    #expect(observer.next() == nil && observer.newest?.state.next == .end)
  }

  @Test
  func `values begin with the one now and pass over those before the newest`() async {
    list.show([.post(1)])
    var values = list.values.makeAsyncIterator()
    #expect(await values.next()?.items.map(\.id) == [1])
    for id in 2...100 { list.show([.post(id)]) }
    #expect(await values.next()?.items.map(\.id) == [100])
    list.show([.post(100)], atEnd: true)
    #expect(await values.next()?.state.next == .end)
  }

  @Test
  func `sequences end with their list, and an observer with its sequence`() async {
    var list: ScriptedList? = ScriptedList()
    list?.show([.post(1)])
    var values = list?.values.makeAsyncIterator()
    var updates = list?.updates.makeAsyncIterator()
    #expect(list?.publisher.observers == 2)
    #expect(await updates?.next()?.changes.insertedSections == [0])
    updates = nil
    #expect(list?.publisher.observers == 1)
    _ = await values?.next()
    list?.publisher.steps.finish()
    list = nil
    #expect(await values?.next() == nil)
  }

  @Test @MainActor
  func `a controller tells nobody of what it shows when it is created`() async {
    let server = ScriptedServer((0..<20).map { Post(id: $0) })
    let feed = Feed(server.source(.keyset))
    await feed.refresh()
    let controller = FeedController(feed)
    let delegate = Listener()
    controller.delegate = delegate
    #expect(controller.items.count == 20)
    await controller.refresh()
    #expect(delegate.added == 0)
    controller.insertLocally(Post(id: 100), at: 0)
    #expect(delegate.added == 1)
  }

  final class Listener: ListControllerDelegate {
    typealias Item = Post
    var added = 0

    func controller(
      _ controller: ListController<some LiveList<Post>>, didChangeContent update: ListUpdate<Post>
    ) { added += update.addedIndexPaths.count }
  }

  @Test
  func `an observer that fell behind hears of all steps, whenever the list goes`() async {
    for _ in 0..<20 {
      var feed: Feed<Post>? = Feed { (_: PageRequest<Int>) in Page([], next: nil) }
      let updates = feed?.updates
      for id in 0..<200 { feed?.receive(.insert(Post(id: id))) }
      feed = nil
      var rows = 0
      if let updates { for await update in updates { rows = update.step.after.count } }
      #expect(rows == 200)
    }
  }
}
