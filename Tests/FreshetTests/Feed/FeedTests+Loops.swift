import Foundation
import FreshetTesting
import Testing

@testable import Freshet

// Sources that would be asked for ever.
extension FeedTests {
  @Test
  func `T7: a page that leads back to a key already used ends in a typed error`() async {
    let feed = Feed { (request: PageRequest<Int>) in
      let number = request.key ?? 0
      return Page([Post(id: number)], next: number == 3 ? 1 : number + 1)
    }
    for _ in 0..<4 { await feed.loadNext() }
    #expect(feed.value.state.next == .failed(.pagingLoop(key: "1")))
    #expect(feed.value.items.count == 4)
  }

  @Test
  func `T7: pages that never bring anything new end in a typed error`() async {
    let feed = Feed { (request: PageRequest<Int>) in
      Page([Post(id: 1), Post(id: 2)], next: (request.key ?? 0) + 1)
    }
    await feed.refresh()
    guard case .failed(.pagingLoop) = await feed.loadNext() else {
      Issue.record("\(feed.value.state)")
      return
    }
    #expect(feed.value.items.map(\.id) == [1, 2])
  }

  @Test
  func `T7: a full refresh ends, whatever the server makes up`() async {
    for isNew in [false, true] {
      let isSane = Locked(true)
      let feed = Feed { (request: PageRequest<Int>) in
        let page = request.key ?? 0
        let first = isSane.withLock { $0 } ? page * 4 : isNew ? 1000 + page * 4 : 0
        return Page((first..<(first + 4)).map { Post(id: $0) }, next: page + 1)
      }
      for _ in 0..<3 { await feed.loadNext() }
      isSane.withLock { $0 = false }
      let failure = await feed.refresh(.all).failure
      #expect((failure == nil) == isNew)
      #expect(feed.value.items.count >= 12)
    }
  }
}
