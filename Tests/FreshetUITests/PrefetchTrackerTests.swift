import FreshetLists
import Testing

@testable import Freshet
@testable import FreshetUI

@Suite(.timeLimit(.minutes(5)))
struct PrefetchTrackerTests {
  @Test
  func `an item that is given up is the one that stood there first, unless it was shown`() {
    var near = PrefetchTracker<Post>()
    let (first, second) = (RowPath(section: 0, row: 7), RowPath(section: 0, row: 8))
    near.add(Post(id: 1), at: first)
    near.add(Post(id: 2), at: second)
    // Another row stands there by now, and comes near too.
    near.add(Post(id: 3), at: first)
    #expect(near.giveUp(first)?.id == 1)
    near.show(2)
    #expect(near.giveUp(second) == nil)
    #expect(near.giveUp(first)?.id == 3 && near.giveUp(first) == nil)
    // One that comes near twice is one.
    near.add(Post(id: 4), at: first)
    near.add(Post(id: 4), at: second)
    #expect(near.giveUp(first) == nil && near.giveUp(second)?.id == 4)
  }
}
