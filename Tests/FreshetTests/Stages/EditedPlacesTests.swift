import Testing

@testable import Freshet

@Suite(.timeLimit(.minutes(5)))
struct EditedPlacesTests {
  typealias Slot = EditedPlaces<String>.Slot

  /// Places behind the row of order 0, above one of order 20: a, b and c are shown.
  static func places() -> EditedPlaces<String> {
    var places = EditedPlaces<String>()
    for (id, above) in [("a", nil), ("b", "a"), ("c", "b")] as [(String, String?)] {
      places.place(id, at: Slot(order: 0, behind: above))
      places.show(id)
    }
    return places
  }

  static func outline(_ places: EditedPlaces<String>) -> [String] {
    places.shown.map { "\($0.id) \($0.slot)" }
  }

  @Test
  func `what stood below an item stands below the row that it became, whatever the row's order`() {
    for order in [1, 10, 19] as [RowOrder] {
      var places = Self.places()
      places.bind(behind: "b", at: 0, to: order, around: 0..<20)
      #expect(Self.outline(places) == ["a 0", "b 0", "c \(order)"])
    }
  }

  @Test
  func `places above the new row stay above it where theirs has the higher order`() {
    var places = EditedPlaces<String>()
    for id in ["a", "b"] {
      places.place(id, at: Slot(order: 12, behind: id == "b" ? "a" : nil))
      places.show(id)
    }
    places.bind(behind: "a", at: 12, to: 10, around: 0..<20)
    #expect(Self.outline(places) == ["a 9", "b 12"])
  }

  @Test
  func `an item that is not shown keeps behind the one it follows, shown or not`() {
    var places = Self.places()
    places.place("hidden", at: Slot(order: 0, behind: "c"))
    places.place("next", at: Slot(order: 0, behind: "hidden"))
    places.bind(behind: "a", at: 0, to: 10, around: 0..<20)
    places.show("hidden")
    places.show("next")
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
    for id in hidden { places.hide(id, keepsPlace: true) }
    for id in shown { places.show(id) }
    #expect(Self.outline(places) == ["a 0", "b 0", "c 0"])
  }

  @Test
  func `an item that was hidden stands below the one above it, whoever goes between them`() {
    var places = Self.places()
    places.hide("c", keepsPlace: true)
    places.hide("b", keepsPlace: true)
    places.place("b", at: nil)
    places.show("c")
    #expect(Self.outline(places) == ["a 0", "c 0"])
  }
}
