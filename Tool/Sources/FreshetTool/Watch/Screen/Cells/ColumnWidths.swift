/// The calculation of the widths of columns.
enum ColumnWidths {
  /// The space between two columns, in cells.
  static let space = 2

  /// Returns the widths that fit into a line.
  ///
  /// The widest columns shrink first, and the last one takes the remaining space.
  static func fitting(_ natural: [Int], into width: Int) -> [Int] {
    guard !natural.isEmpty else { return [] }
    let room = max(0, width - space * (natural.count - 1))
    var widths = natural
    while widths.reduce(0, +) > room, let widest = widths.max(), widest > 1 {
      let second = widths.filter { $0 < widest }.max() ?? 1
      let among = widths.count { $0 == widest }
      let excess = widths.reduce(0, +) - room
      let target = max(second, widest - max(1, excess / among))
      var open = excess
      for index in widths.indices where widths[index] == widest && open > 0 {
        open -= widest - target
        widths[index] = target
      }
    }
    widths[widths.count - 1] += max(0, room - widths.reduce(0, +))
    return widths
  }
}
