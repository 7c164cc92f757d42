import Testing

@testable import Freshet
@testable import FreshetUI

@Suite
struct ScrollTargetTests {
  @Test
  func `a row that is wanted is gone to once, and what the reader sees is told once`() {
    var place = ScrollTarget(7)
    // The list is not there yet: the top of what is there is no news.
    #expect(place.see(1) == nil && place.wanted == 7)
    place.arrive()
    #expect(place.wanted == nil && place.see(7) == nil)
    #expect(place.see(8) == 8 && place.see(8) == nil)
    // Who was told of a row says it again with each update.
    place.want(8)
    #expect(place.wanted == nil)
    place.want(20)
    #expect(place.wanted == 20)
    place.want(nil)
    #expect(place.wanted == nil && place.see(9) == 9)
  }

  @Test
  func `a row is not gone to before there is a height, nor once the reader scrolls`() {
    var place = ScrollTarget(7)
    #expect(place.goal(inHeight: 0) == nil && place.goal(inHeight: 100) == 7)
    place.leave()
    #expect(place.goal(inHeight: 100) == nil && place.see(3) == 3)
  }

  @Test
  func `another list begins at the row that was at the top, where it has that`() {
    var place = ScrollTarget(7)
    place.arrive()
    place.startAnew()
    #expect(place.wanted == 7 && place.see(1) == nil)
    // It is said that there is none.
    place.want(nil)
    #expect(place.wanted == nil && place.see(1) == 1)
    var other = ScrollTarget<Int>(nil)
    other.startAnew()
    #expect(other.wanted == nil)
  }

  @Test
  func `without a wish the reader is at the top, and says so`() {
    var place = ScrollTarget<Int>(nil)
    #expect(place.wanted == nil && place.see(0) == 0)
  }
}
