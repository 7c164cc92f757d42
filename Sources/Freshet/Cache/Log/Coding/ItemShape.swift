internal import Foundation

/// The shape of an item's type: the names and types of its properties, as a number.
///
/// If a new build of the app adds a property to its items, the stored rows are read without it.
/// Until the source sends them again, they differ from its answer, even if their validator
/// matches.
struct ItemShape {
  private static var partLimit: Int { 64 }
  private static var depthLimit: Int { 4 }

  private var text = ""
  private var parts = 0

  /// Returns the number for an item: the same in every process, and never 0.
  static func number(of item: some Any) -> UInt64 {
    var shape = ItemShape()
    shape.describe(item, depth: 0)
    return max(1, XXHash64.hash(Data(shape.text.utf8)))
  }

  private mutating func describe(_ value: Any, depth: Int) {
    let type = type(of: value)
    text += "\(type);"
    // Types that are not the app's are the same in the next build.
    let isForeign = ["Swift.", "Foundation"].contains { String(reflecting: type).hasPrefix($0) }
    var mirror: Mirror? = Mirror(reflecting: value)
    let isContainer = mirror?.displayStyle == .optional || mirror?.displayStyle == .collection
    guard depth < Self.depthLimit, isContainer || !isForeign else { return }
    while let parent = mirror {
      for child in parent.children.prefix(isContainer ? 1 : Self.partLimit) {
        guard parts < Self.partLimit else { return }
        parts += 1
        text += "\(child.label ?? ""):"
        describe(child.value, depth: depth + 1)
      }
      mirror = parent.superclassMirror
    }
  }
}
