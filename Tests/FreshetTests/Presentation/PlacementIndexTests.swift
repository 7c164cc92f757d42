import FreshetLists
import Testing

@testable import Freshet

@Suite(.timeLimit(.minutes(5)))
struct PlacementIndexTests {
  typealias InsertionPoint = PlacementIndex.InsertionPoint

  /// An item that is its name.
  struct Named: ListItem { let id: String }

  /// Places behind the row of order 0, above one of order 20: a, b and c are shown.
  static func places() -> PlacementIndex {
    var places = PlacementIndex()
    for (id, above) in [("a", nil), ("b", "a"), ("c", "b")] as [(String, String?)] {
      places.place(self.id(id), at: InsertionPoint(order: 0, behind: above.map { self.id($0) }))
      places.show(self.id(id))
    }
    return places
  }

  static func id(_ name: String) -> RowID { RowID(name, of: Named.self) }

  static func outline(_ places: PlacementIndex) -> [String] {
    places.shown.map { "\(Named._id(of: $0.id.row)) \($0.slot)" }
  }

  @Test
  func `what stood below an item stands below the row that it became, whatever the row's order`() {
    for order in [1, 10, 19] as [RowOrder] {
      var places = Self.places()
      places.bind(behind: Self.id("b"), at: 0, to: order, around: 0..<20)
      #expect(Self.outline(places) == ["a 0", "b 0", "c \(order)"])
    }
  }

  @Test
  func `places above the new row stay above it where theirs has the higher order`() {
    var places = PlacementIndex()
    for id in ["a", "b"] {
      places.place(
        Self.id(id), at: InsertionPoint(order: 12, behind: id == "b" ? Self.id("a") : nil))
      places.show(Self.id(id))
    }
    places.bind(behind: Self.id("a"), at: 12, to: 10, around: 0..<20)
    #expect(Self.outline(places) == ["a 9", "b 12"])
  }

  @Test
  func `an item that is not shown keeps behind the one it follows, shown or not`() {
    var places = Self.places()
    places.place(Self.id("hidden"), at: InsertionPoint(order: 0, behind: Self.id("c")))
    places.place(Self.id("next"), at: InsertionPoint(order: 0, behind: Self.id("hidden")))
    places.bind(behind: Self.id("a"), at: 0, to: 10, around: 0..<20)
    places.show(Self.id("hidden"))
    places.show(Self.id("next"))
    #expect(Self.outline(places) == ["a 0", "b 10", "c 10", "hidden 10", "next 10"])
  }

  /// Items that are hidden, one after the other, and the order in which they are shown again.
  static let hidings: [(hidden: [String], shown: [String])] = [
    (["a"], ["a"]), (["b"], ["b"]), (["c"], ["c"]), (["b", "a"], ["b", "a"]),
    (["c", "b"], ["c", "b"]), (["c", "b", "a"], ["c", "a", "b"]), (["b", "a"], ["a", "b"]),
  ]

  @Test(arguments: hidings)
  func `items that were hidden stand where they were`(hidden: [String], shown: [String]) {
    var places = Self.places()
    for id in hidden { places.hide(Self.id(id), keepsPlace: true) }
    for id in shown { places.show(Self.id(id)) }
    #expect(Self.outline(places) == ["a 0", "b 0", "c 0"])
  }

  @Test
  func `an item that was hidden stands below the one above it, whoever goes between them`() {
    var places = Self.places()
    places.hide(Self.id("c"), keepsPlace: true)
    places.hide(Self.id("b"), keepsPlace: true)
    places.place(Self.id("b"), at: nil)
    places.show(Self.id("c"))
    #expect(Self.outline(places) == ["a 0", "c 0"])
  }
}
